"""Error rates for speech recognition as torchmetrics computes them, for words (split at whitespace) or characters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import new_class
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.compat.torchmetrics.inputs import paired
from refscore.compat.torchmetrics.sums import Results, Scoring, Sums, SumsMetric, counts
from refscore.metrics import WER, sum_rows

_WORDS = WER(tokenizer="none")
_CHARACTERS = WER()  # reads ids, which no tokenizer changes


class _Rate(NamedTuple):
    """How a rate is computed from errors, reference tokens, prediction tokens, and tokens on the longer sides.

    Attributes:
        states: The states' names.
        numbers: The function from these four numbers to the states.
        value: The function from the states to the rate.
        of_characters: Whether tokens are characters.
    """

    states: tuple[str, ...]
    numbers: Callable[[int, int, int, int], tuple[int, ...]]
    value: Callable[..., float]
    of_characters: bool = False


def _ratio(part: int, whole: int) -> float:
    if whole:
        return part / whole
    return math.copysign(math.inf, part) if part else math.nan


def _preserved(errors: int, target_total: int, preds_total: int) -> float:
    return _ratio(errors, target_total) * _ratio(errors, preds_total)


_PER_TARGET = (("errors", "total"), lambda errors, target, preds, longer: (errors, target), _ratio)
_INFORMATION = (
    ("errors", "target_total", "preds_total"),
    lambda errors, target, preds, longer: (errors - longer, target, preds),
)
_RATES = {
    "WordErrorRate": _Rate(*_PER_TARGET),
    "CharErrorRate": _Rate(*_PER_TARGET, of_characters=True),
    "MatchErrorRate": _Rate(("errors", "total"), lambda errors, target, preds, longer: (errors, longer), _ratio),
    "WordInfoPreserved": _Rate(*_INFORMATION, _preserved),
    "WordInfoLost": _Rate(*_INFORMATION, lambda *sums: 1 - _preserved(*sums)),
}


@dataclass
class _Scoring(Scoring):
    """The rate with a name, so that it can be pickled."""

    name: str

    def attributes(self) -> dict[str, Any]:
        return {}

    def states(self) -> dict[str, Any]:
        return {state: counts() for state in _RATES[self.name].states}

    def batch(self, preds: Any, target: Any) -> Sums:
        rate = _RATES[self.name]
        texts, references = paired(preds, target, truncates=True)
        if rate.of_characters:
            rows = _CHARACTERS.stats([*map(_code_points, texts)], [[_code_points(text)] for text in references])
        else:
            rows = _WORDS.stats(texts, references)
        hits, substitutions, deletions, insertions = sum_rows(rows).tolist()
        common = hits + substitutions
        longer = common + int(np.maximum(rows[:, 2], rows[:, 3]).sum())
        errors = substitutions + deletions + insertions
        numbers = rate.numbers(errors, common + deletions, common + insertions, longer)
        return dict(zip(rate.states, numbers, strict=True))

    def value(self, sums: Sums, results: Results) -> Any:
        rate = _RATES[self.name]
        return results(rate.value(*(sums[state] for state in rate.states)))


def _code_points(text: str) -> NDArray[Any]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4")


def _rate_type(name: str, summary: str, result: str) -> type[SumsMetric]:
    """Return torchmetrics' class. `result` is the rate in its docstring's example."""
    members = {
        "__doc__": f"""{summary}

    Example:
        >>> from refscore.compat.torchmetrics import {name}
        >>> {name}()("a cat sat down", "the cat sat")
        tensor({result})
    """,
        "__module__": __name__,
        "higher_is_better": False,  # also for `WordInfoPreserved`, as in torchmetrics
    }
    return new_class(
        name, (SumsMetric,), {"scoring": partial(_Scoring, name)}, lambda namespace: namespace.update(members)
    )


WordErrorRate = _rate_type(
    "WordErrorRate",
    "The word error rate: errors divided by reference words. 0 is best, and it may exceed 1.",
    "0.6667",
)
CharErrorRate = _rate_type(
    "CharErrorRate",
    "The character error rate: errors divided by reference characters, including whitespace. 0 is best.",
    "0.7273",
)
MatchErrorRate = _rate_type(
    "MatchErrorRate",
    "The match error rate: errors divided by words of the longer side of each segment, from 0 (best) to 1.",
    "0.5000",
)
WordInfoPreserved = _rate_type("WordInfoPreserved", "The word information preserved, from 0 to 1 (best).", "0.3333")
WordInfoLost = _rate_type(
    "WordInfoLost", "The word information lost, from 0 (best) to 1: 1 minus the word information preserved.", "0.6667"
)

"""Error rates, TER and edit distances as torchmetrics computes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import add
from types import new_class
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from refscore.compat.error_types import InputIndexError, InputRuntimeError
from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import Pairs, grouped, lack_references, paired, wrapped
from refscore.compat.torchmetrics.sums import Results, Scoring, SentenceScoring, Sums, SumsMetric, amount, counts
from refscore.errors import Location, SettingError
from refscore.metrics import EED, TER, WER, check_limits, sum_rows
from refscore.metrics.ter.beam import beam_distances
from refscore.metrics.ter.metric import tercom_tokenizer
from refscore.settings import whole_number

_WORDS = WER(tokenizer="none")
_CHARACTERS = WER()  # reads ids, which no tokenizer changes

# The statistics of more segments are computed at once, on all cores.
_FEW_SEGMENTS = 8


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
class _RateScoring(Scoring):
    """The rate with a name, so that it can be pickled."""

    name: str

    def attributes(self) -> dict[str, Any]:
        return {}

    def states(self) -> dict[str, Any]:
        return {state: counts() for state in _RATES[self.name].states}

    def batch(self, preds: Any, target: Any) -> Sums:
        rate = _RATES[self.name]
        texts, references = paired(preds, target, truncates=True)
        if len(texts) < _FEW_SEGMENTS:
            return self._sums(rate, _counts(rate, texts, references))
        if rate.of_characters:
            rows = _CHARACTERS.stats([*map(_code_points, texts)], [[_code_points(text)] for text in references])
        else:
            rows = _WORDS.stats(texts, references)
        return self._sums(rate, (*sum_rows(rows).tolist(), int(np.maximum(rows[:, 2], rows[:, 3]).sum())))

    @staticmethod
    def _sums(rate: _Rate, counts: tuple[int, int, int, int, int]) -> Sums:
        hits, substitutions, deletions, insertions, larger = counts
        common = hits + substitutions
        longer = common + larger
        errors = substitutions + deletions + insertions
        numbers = rate.numbers(errors, common + deletions, common + insertions, longer)
        return dict(zip(rate.states, numbers, strict=True))

    def value(self, sums: Sums, results: Results) -> Any:
        rate = _RATES[self.name]
        return results(rate.value(*(sums[state] for state in rate.states)))


def _counts(rate: _Rate, texts: list[str], references: list[str]) -> tuple[int, int, int, int, int]:
    """Return the sums over a few segments, and of the larger of deletions and insertions of each."""
    sums = [0] * 5
    for pair in zip(texts, references, strict=True):
        counts = _CHARACTERS.counts(*map(list, pair)) if rate.of_characters else _WORDS.counts(*pair)
        sums = [*map(add, sums, (*counts, max(counts[2:])))]
    hits, substitutions, deletions, insertions, larger = sums
    return hits, substitutions, deletions, insertions, larger


def _code_points(text: str) -> NDArray[Any]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4")


def _rate_type(name: str, summary: str) -> type[SumsMetric]:
    """Return torchmetrics' class."""
    members = {
        "__doc__": summary,
        "__module__": __name__,
        "higher_is_better": False,  # also for `WordInfoPreserved`, as in torchmetrics
    }
    return new_class(
        name, (SumsMetric,), {"scoring": partial(_RateScoring, name)}, lambda namespace: namespace.update(members)
    )


WordErrorRate = _rate_type(
    "WordErrorRate", "The word error rate: errors divided by reference words. 0 is best, and it may exceed 1."
)
CharErrorRate = _rate_type(
    "CharErrorRate",
    "The character error rate: errors divided by reference characters, including whitespace. 0 is best.",
)
MatchErrorRate = _rate_type(
    "MatchErrorRate",
    "The match error rate: errors divided by words of the longer side of each segment, from 0 (best) to 1.",
)
WordInfoPreserved = _rate_type("WordInfoPreserved", "The word information preserved, from 0 to 1 (best).")
WordInfoLost = _rate_type(
    "WordInfoLost", "The word information lost, from 0 (best) to 1: 1 minus the word information preserved."
)


@dataclass
class _TERScoring(SentenceScoring):
    """TER, which unlike sacrebleu edits the reference into the prediction, so one without words needs no edits.

    It also tokenizes references only once.
    """

    normalize: bool = False
    no_punctuation: bool = False
    lowercase: bool = True
    asian_support: bool = False
    return_sentence_level_score: bool = False

    sentence_state = "sentence_ter"

    def __post_init__(self) -> None:
        for name in ("normalize", "no_punctuation", "lowercase", "asian_support"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} must be True or False, not {getattr(self, name)!r}")
        tokenizer = tercom_tokenizer(
            normalized=self.normalize, no_punct=self.no_punctuation, asian_support=self.asian_support
        )
        self.metric = cached_metric(TER, tokenizer=tokenizer, lowercase=self.lowercase, references_twice=False)

    def attributes(self) -> dict[str, Any]:
        return {"return_sentence_level_score": self.return_sentence_level_score}

    def sums(self) -> dict[str, Any]:
        return {"total_num_edits": amount(), "total_tgt_len": amount()}

    def rows_and_scores(self, preds: Any, target: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        rows = self._rows(preds, target)
        return rows, self.metric.values(rows)

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        result = super().call(preds, target, results)
        return (result[0], list(result[1][:, None])) if isinstance(result, tuple) else result

    def _rows(self, preds: Any, target: Any) -> NDArray[np.float64]:
        """Return each segment's fewest edits from a reference to the prediction, and its mean reference length."""
        preds, target = wrapped(preds, target)
        if lack_references(preds, target):
            return np.zeros((len(preds), 2))
        texts, groups = grouped(preds, target)
        if len(texts) == 1:
            return np.array([self._row(texts[0], groups[0])])
        pairs = Pairs(texts, groups)
        swapped = self.metric.stats(pairs.references, pairs.texts)
        edits = np.where(swapped[:, 1] > 0, swapped[:, 0], 0.0)
        # Against an empty text, all words are edits.
        lengths = self.metric.stats(pairs.references, [""] * len(pairs.references))[:, 0]
        edits = np.minimum.reduceat(edits, pairs.begins)
        lengths = np.add.reduceat(lengths, pairs.begins) / pairs.counts
        return np.column_stack([edits, lengths])

    def _row(self, text: str, references: list[str]) -> tuple[float, float]:
        """Return what `_rows` returns for one segment."""
        fewest, total = math.inf, 0.0
        for reference in references:
            edits, length = self.metric.value_and_row(reference, [text])[1]
            fewest = min(fewest, edits if length > 0 else 0.0)
            total += self.metric.value_and_row(reference, [""])[1][0]
        return fewest, total / len(references)


class TranslationEditRate(SumsMetric, scoring=_TERScoring):
    """TER: edits, including moves, divided by reference words. 0 is best, and it may exceed 1."""

    higher_is_better: ClassVar[bool] = False
    sentence_ter = None  # no annotation: TorchScript cannot read annotations that are strings


@dataclass
class _EditScoring(Scoring):
    substitution_cost: int = 1
    reduction: Literal["mean", "sum", "none"] | None = "mean"

    def __post_init__(self) -> None:
        self.substitution_cost = whole_number("substitution_cost", self.substitution_cost, 0, None)
        reductions = (None, "mean", "sum", "none")
        if self.reduction not in reductions:
            raise SettingError(f"reduction must be one of {reductions}, not {self.reduction!r}")

    def states(self) -> dict[str, Any]:
        if self.reduction in (None, "none"):
            return {"edit_scores_list": []}
        return {"edit_scores": counts(), "num_elements": counts()}

    def batch(self, preds: Any, target: Any) -> Sums:
        hypotheses, references = paired(preds, target, truncates=False)
        check_limits(hypotheses, [[reference] for reference in references])
        distances = beam_distances(hypotheses, references, substitution_cost=self.substitution_cost)
        if self.reduction in (None, "none"):
            return {"edit_scores_list": np.array(distances, dtype=np.int32)}
        return {"edit_scores": sum(distances), "num_elements": len(distances)}

    def value(self, sums: Sums, results: Results) -> Any:
        if "edit_scores_list" in sums:
            return _each(sums["edit_scores_list"].tolist(), results)
        total = torch.tensor(sums["edit_scores"], device=results.device)
        return total if self.reduction == "sum" else total / sums["num_elements"]

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        sums = self.batch(preds, target)
        return _each([], results) if sums.get("num_elements") == 0 else self.value(sums, results)


def _each(distances: Sequence[int], results: Results) -> Any:
    """Return a number per segment; for no segments 0, like torchmetrics."""
    return torch.tensor(distances or 0, dtype=torch.int32, device=results.device)


class EditDistance(SumsMetric, scoring=_EditScoring):
    """The number of character edits that turn a prediction into its reference. 0 is best.

    Paths stay within 25 characters from the diagonal, so very different long texts can need more edits.
    """

    higher_is_better: ClassVar[bool] = False
    plot_upper_bound = None  # type: ignore[assignment]
    edit_scores_list = None  # no annotation: TorchScript cannot read annotations that are strings


_EED_PRESETS = {"en": "torchmetrics", "ja": "torchmetrics-ja"}


@dataclass
class _EEDScoring(Scoring):
    language: Literal["en", "ja"] = "en"
    return_sentence_level_score: bool = False
    alpha: float = 2.0
    rho: float = 0.3
    deletion: float = 0.2
    insertion: float = 1.0

    def __post_init__(self) -> None:
        if self.language not in _EED_PRESETS:
            raise SettingError(f"language must be 'en' or 'ja', not {self.language!r}")
        costs = {name: getattr(self, name) for name in ("alpha", "rho", "deletion", "insertion")}
        for name, cost in costs.items():
            if not isinstance(cost, float) or not cost >= 0:
                raise SettingError(f"{name} must be a float of at least 0, not {cost!r}")
        self.metric = cached_metric(EED, preset=_EED_PRESETS[self.language], **costs)

    def states(self) -> dict[str, Any]:
        return {"sentence_eed": []}

    def batch(self, preds: Any, target: Any) -> Sums:
        preds, target = wrapped(preds, target)
        if not target:
            raise InputIndexError(Location("target"), "is empty", "pass one entry per prediction")
        if lack_references(preds, target):
            return {"sentence_eed": np.zeros(0)}
        return {"sentence_eed": self.metric.segments(*grouped(preds, target))}

    def value(self, sums: Sums, results: Results) -> Any:
        scores = sums["sentence_eed"]
        average = results(float(scores.mean()) if len(scores) else 0.0)
        if not self.return_sentence_level_score:
            return average
        if not len(scores):
            raise InputRuntimeError(
                None, "there are no segments with references", "leave out return_sentence_level_score"
            )
        every = results(scores)
        # If all scores are 1, they are integers: torchmetrics bounds a score by the integer 1.
        return average, every.long() if bool((every == 1).all()) else every


class ExtendedEditDistance(SumsMetric, scoring=_EEDScoring):
    """EED: character edits with jumps, from 0 (best) to 1."""

    higher_is_better: ClassVar[bool] = False
    sentence_eed = None  # no annotation: TorchScript cannot read annotations that are strings

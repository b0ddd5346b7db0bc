"""ROUGE as torchmetrics computes it: like rouge-score, but with NLTK's sentence splitter for Lsum."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar, Literal

import numpy as np

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import Pairs, grouped
from refscore.compat.torchmetrics.sums import Results, Scoring, Sums, SumsMetric, amount, counts
from refscore.errors import InputError, Location, NotInstalledError, UnknownNameError
from refscore.metrics import ROUGE, sum_rows
from refscore.tokenizers.pipeline import Pipeline

ALLOWED_ROUGE_KEYS: dict[str, int | str] = {f"rouge{n}": n for n in range(1, 10)} | {"rougeL": "L", "rougeLsum": "Lsum"}
ALLOWED_ACCUMULATE_VALUES = ("avg", "best")

_COLUMNS = {"fmeasure": 2, "precision": 0, "recall": 1}


@dataclass
class _Scoring(Scoring):
    accumulate: Literal["avg", "best"] = "best"
    use_stemmer: bool = False
    normalizer: Callable[[str], str] | None = None
    tokenizer: Callable[[str], Sequence[str]] | None = None
    rouge_keys: str | tuple[str, ...] = ("rouge1", "rouge2", "rougeL", "rougeLsum")

    def __post_init__(self) -> None:
        self.keys = self.rouge_keys if isinstance(self.rouge_keys, tuple) else (self.rouge_keys,)
        for key in self.keys:
            if key not in ALLOWED_ROUGE_KEYS:
                raise UnknownNameError.suggest("rouge key", key, ALLOWED_ROUGE_KEYS)
        if "rougeLsum" in self.keys and find_spec("nltk") is None:
            raise NotInstalledError(
                "rougeLsum needs NLTK to split sentences: pip install 'refscore[sentences]'", name="nltk"
            )
        if self.accumulate not in ALLOWED_ACCUMULATE_VALUES:
            raise UnknownNameError.suggest("accumulate", self.accumulate, ALLOWED_ACCUMULATE_VALUES)
        self.results = [f"{key}_{name}" for key in self.keys for name in _COLUMNS]

    def attributes(self) -> dict[str, Any]:
        attributes = {name: getattr(self, name) for name in ("normalizer", "tokenizer", "accumulate")}
        values = [ALLOWED_ROUGE_KEYS[key] for key in self.keys]
        return {**attributes, "rouge_keys": self.keys, "rouge_keys_values": values}

    def states(self) -> dict[str, Any]:
        return {**{name: amount() for name in self.results}, "segments": counts()}

    def batch(self, preds: Any, target: Any) -> Sums:
        pairs = _pairs(preds, target)
        rows = (self._row(key, pairs) for key in self.keys)
        values = [row[column] for row in rows for column in _COLUMNS.values()]
        return {"segments": len(pairs.counts), **dict(zip(self.results, values, strict=True))}

    def value(self, sums: Sums, results: Results) -> dict[str, Any]:
        """Return the means by name, NaN without segments."""
        count = sums["segments"]
        means = [sums[name] / count if count else math.nan for name in self.results]
        return dict(zip(self.results, results(means).unbind(), strict=True))

    def _row(self, key: str, pairs: Pairs) -> Any:
        """Return precision, recall and F-score, summed over segments, as plain numbers."""
        if not pairs.texts:
            return 0.0, 0.0, 0.0
        variant = str(ALLOWED_ROUGE_KEYS[key])
        words = self._words()
        sides: list[list[Any]] = [pairs.texts, pairs.references]
        if variant == "Lsum":
            sides = [[_lines(_sentences(text), words) for text in side] for side in sides]
        elif words is not None:
            sides = [[words(text) for text in side] for side in sides]
        metric = cached_metric(ROUGE, variant=variant, stem=bool(self.use_stemmer))
        if len(sides[0]) == 1:  # many programs score one segment per call
            return metric.value_and_row(sides[0][0], [sides[1][0]])[1][:3]
        texts, references = sides[0], [[reference] for reference in sides[1]]
        rows = metric.stats(texts, references)[:, :3]
        if self.accumulate == "avg":
            return sum_rows(np.add.reduceat(rows, pairs.begins) / pairs.counts[:, np.newaxis]).tolist()
        best = pairs.first_best(rows[:, 2].astype(np.float32))  # torchmetrics' precision decides ties
        return sum_rows(rows[best]).tolist()

    def _words(self) -> Callable[[str], list[Any]] | None:
        """Return the function from text to words that combines the user's functions, or None without any."""
        if not callable(self.normalizer) and not callable(self.tokenizer):
            return None
        return Pipeline(self._split, False, "none", stem=bool(self.use_stemmer)).tokens

    def _split(self, text: str) -> list[str]:
        text = self.normalizer(text) if callable(self.normalizer) else re.sub(r"[^a-z0-9]+", " ", text.lower())
        words = self.tokenizer(text) if callable(self.tokenizer) else re.split(r"\s+", text)
        if self.use_stemmer:  # NLTK's stemmer also lowercases
            words = [word.lower() if len(word) > 3 else word for word in words]
        return [word for word in words if isinstance(word, str) and word]


def _pairs(preds: Any, target: Any) -> Pairs:
    if isinstance(target, str):
        if not isinstance(preds, str) and len(preds) != 1:
            raise InputError(Location("target"), f"is a string, but there are {len(preds)} predictions", "pass a list")
        target = [[target]]
    elif all(isinstance(text, str) for text in target):
        target = [list(target)] if isinstance(preds, str) else [[text] for text in target]
    return Pairs(*grouped([preds] if isinstance(preds, str) else preds, target, truncates=True))


def _lines(sentences: list[str], words: Callable[[str], list[Any]] | None) -> str | list[Any]:
    """Return sentences on separate lines, as text or as the words from the user's functions."""
    if words is None:
        return "\n".join(sentence.replace("\n", " ") for sentence in sentences)
    lines = []
    for sentence in sentences:
        # A line break ends a line, so words that are line breaks need a second one.
        lines += [word if word.strip("\n") else f"{word}\n" for word in words(sentence)]
        lines.append("\n")
    return lines


def _sentences(text: str) -> list[str]:
    import nltk

    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError:
        try:
            nltk.download("punkt_tab", quiet=True, raise_on_error=True)
        except ValueError:
            raise OSError(
                "rougeLsum needs NLTK's data punkt_tab, which cannot be downloaded now: run "
                "python -m nltk.downloader punkt_tab, or leave rougeLsum out of rouge_keys"
            ) from None
    sentences: list[str] = nltk.sent_tokenize(text)
    return sentences


class ROUGEScore(
    SumsMetric,
    scoring=_Scoring,
    order=("use_stemmer", "normalizer", "tokenizer", "accumulate", "rouge_keys"),
):
    """ROUGE-N, ROUGE-L and ROUGE-Lsum: mean precision, recall and F-score over segments, from 0 to 1."""

    higher_is_better: ClassVar[bool] = True

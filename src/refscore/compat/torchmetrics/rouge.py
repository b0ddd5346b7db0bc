"""ROUGE as torchmetrics computes it: like rouge-score, but with NLTK's sentence splitter for Lsum."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import Pairs, grouped
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, result, torch
from refscore.errors import InputError, Location, NotInstalledError, UnknownNameError
from refscore.metrics import ROUGE, sum_rows
from refscore.tokenizers.pipeline import Pipeline

ALLOWED_ROUGE_KEYS: dict[str, int | str] = {f"rouge{n}": n for n in range(1, 10)} | {"rougeL": "L", "rougeLsum": "Lsum"}
ALLOWED_ACCUMULATE_VALUES = ("avg", "best")

_KEYS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_COLUMNS = {"fmeasure": 2, "precision": 0, "recall": 1}


class ROUGEScore(SumsMetric):
    """ROUGE-N, ROUGE-L and ROUGE-Lsum: mean precision, recall and F-score over segments, from 0 to 1.

    Args:
        use_stemmer: Stem words of more than three characters with Porter's rules.
        normalizer: A function from text to text, instead of lowercasing and dropping all but A to Z and digits.
        tokenizer: A function from text to words, instead of splitting at whitespace.
        accumulate: How to combine several references: the "best" F-score, or the "avg" of all.
        rouge_keys: One or a tuple of "rouge1" to "rouge9", "rougeL" and "rougeLsum". The last needs NLTK and its data
            `punkt_tab` to split text into sentences.
        **kwargs: The arguments of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import ROUGEScore
        >>> ROUGEScore(rouge_keys="rougeL")("My name is John", "Is your name John")
        {'rougeL_fmeasure': tensor(0.5000), 'rougeL_precision': tensor(0.5000), 'rougeL_recall': tensor(0.5000)}
    """

    higher_is_better: ClassVar[bool] = True

    def __init__(
        self,
        use_stemmer: bool = False,
        normalizer: Callable[[str], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        accumulate: Literal["avg", "best"] = "best",
        rouge_keys: str | tuple[str, ...] = _KEYS,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._settings = _Settings.checked(rouge_keys, accumulate, use_stemmer, normalizer, tokenizer)
        self.rouge_keys = self._settings.keys
        self.rouge_keys_values = [ALLOWED_ROUGE_KEYS[key] for key in self.rouge_keys]
        self.normalizer = normalizer
        self.tokenizer = tokenizer
        self.accumulate = accumulate
        for name in self._settings.results():
            self._add_sum(name, dtype=torch.float64)
        self._add_sum("segments")

    def _batch(self, preds: Any, target: Any) -> Sums:
        return self._settings.sums(_pairs(preds, target))

    def _score(self, sums: Sums) -> dict[str, Any]:
        means = self._settings.means(sums)
        return dict(zip(means, self._result(list(means.values())).unbind(), strict=True))


def rouge_score(
    preds: str | Sequence[str],
    target: str | Sequence[str] | Sequence[Sequence[str]],
    accumulate: Literal["avg", "best"] = "best",
    use_stemmer: bool = False,
    normalizer: Callable[[str], str] | None = None,
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    rouge_keys: str | tuple[str, ...] = _KEYS,
) -> dict[str, Any]:
    """Return the ROUGE of one or several predictions, each with one or several references, like `ROUGEScore`.

    The other arguments are those of `ROUGEScore`. The result has the means over segments by name, such as
    `rougeL_fmeasure`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import rouge_score
        >>> rouge_score("My name is John", "Is your name John", rouge_keys="rouge1")["rouge1_fmeasure"]
        tensor(0.7500)
    """
    settings = _Settings.checked(rouge_keys, accumulate, use_stemmer, normalizer, tokenizer)
    means = settings.means(settings.sums(_pairs(preds, target)))
    return dict(zip(means, result(list(means.values())).unbind(), strict=True))


def _pairs(preds: Any, target: Any) -> Pairs:
    if isinstance(target, str):
        if not isinstance(preds, str) and len(preds) != 1:
            raise InputError(Location("target"), f"is a string, but there are {len(preds)} predictions", "pass a list")
        target = [[target]]
    elif all(isinstance(text, str) for text in target):
        target = [list(target)] if isinstance(preds, str) else [[text] for text in target]
    return Pairs(*grouped([preds] if isinstance(preds, str) else preds, target))


class _Settings(NamedTuple):
    keys: tuple[str, ...]
    accumulate: str
    stem: bool
    normalizer: Callable[[str], str] | None
    tokenizer: Callable[[str], Sequence[str]] | None

    @classmethod
    def checked(cls, keys: Any, accumulate: Any, stem: Any, normalizer: Any, tokenizer: Any) -> _Settings:
        chosen = keys if isinstance(keys, tuple) else (keys,)
        for key in chosen:
            if key not in ALLOWED_ROUGE_KEYS:
                raise UnknownNameError.suggest("rouge key", key, ALLOWED_ROUGE_KEYS)
        if "rougeLsum" in chosen and find_spec("nltk") is None:
            raise NotInstalledError(
                "rougeLsum needs NLTK to split sentences: pip install 'refscore[sentences]'", name="nltk"
            )
        if accumulate not in ALLOWED_ACCUMULATE_VALUES:
            raise UnknownNameError.suggest("accumulate", accumulate, ALLOWED_ACCUMULATE_VALUES)
        return cls(chosen, accumulate, bool(stem), normalizer, tokenizer)

    def results(self) -> list[str]:
        """Return the names of the results, which are also the names of the states with their sums."""
        return [f"{key}_{name}" for key in self.keys for name in _COLUMNS]

    def sums(self, pairs: Pairs) -> dict[str, Any]:
        rows = (_row(key, self, pairs) for key in self.keys)
        values = [row[column] for row in rows for column in _COLUMNS.values()]
        return {"segments": pairs.segments, **dict(zip(self.results(), values, strict=True))}

    def means(self, sums: Sums) -> dict[str, float]:
        """Return the means by name, NaN without segments."""
        count = sums["segments"]
        return {name: sums[name] / count if count else math.nan for name in self.results()}

    def words(self) -> Callable[[str], list[Any]] | None:
        """Return the function from text to words that combines the user's functions, or None without any."""
        if not callable(self.normalizer) and not callable(self.tokenizer):
            return None
        return Pipeline(self._split, False, "none", stem=self.stem).tokens

    def _split(self, text: str) -> list[str]:
        text = self.normalizer(text) if callable(self.normalizer) else re.sub(r"[^a-z0-9]+", " ", text.lower())
        words = self.tokenizer(text) if callable(self.tokenizer) else re.split(r"\s+", text)
        if self.stem:  # NLTK's stemmer also lowercases
            words = [word.lower() if len(word) > 3 else word for word in words]
        return [word for word in words if isinstance(word, str) and word]


def _row(key: str, settings: _Settings, pairs: Pairs) -> Any:
    """Return precision, recall and F-score, summed over segments, as plain numbers."""
    if not pairs.texts:
        return 0.0, 0.0, 0.0
    variant = str(ALLOWED_ROUGE_KEYS[key])
    words = settings.words()
    sides: list[list[Any]] = [pairs.texts, pairs.references]
    if variant == "Lsum":
        sides = [[_lines(_sentences(text), words) for text in side] for side in sides]
    elif words is not None:
        sides = [[words(text) for text in side] for side in sides]
    metric = cached_metric(ROUGE, variant=variant, stem=settings.stem)
    texts, references = sides[0], [[reference] for reference in sides[1]]
    if pairs.one_each and pairs.segments == 1:
        return metric.value_and_row(texts[0], references[0])[1][:3]
    if pairs.one_each:
        return metric.corpus(texts, references).row[:3].tolist()
    rows = metric.stats(texts, references)[:, :3]
    if settings.accumulate == "avg":
        return sum_rows(np.add.reduceat(rows, pairs.begins) / pairs.counts[:, np.newaxis]).tolist()
    best = pairs.first_best(rows[:, 2].astype(np.float32))  # torchmetrics' precision decides ties
    return sum_rows(rows[best]).tolist()


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

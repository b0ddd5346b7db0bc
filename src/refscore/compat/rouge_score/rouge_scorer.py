"""rouge-score's `rouge_score.rouge_scorer`: ROUGE-1 to ROUGE-9, ROUGE-L and ROUGE-Lsum for texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from refscore.compat.rouge_score.scoring import BaseScorer, Score
from refscore.compat.rouge_score.tokenize import as_text
from refscore.compat.rouge_score.tokenizers import DefaultTokenizer
from refscore.compat.strictness import tolerate
from refscore.errors import InputError, Location, NotInstalledError, SettingError
from refscore.metrics import ROUGE

__all__ = ["RougeScorer"]

_TYPE = re.compile(r"rouge([0-9]|L|Lsum)")


class RougeScorer(BaseScorer):
    """Score predictions against targets.

    Example:
        >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
        >>> scores = scorer.score("The quick brown fox jumps over the dog", "The quick brown dog jumps on the log.")
        >>> scores["rouge1"].precision, scores["rougeL"].recall
        (0.75, 0.625)
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer or DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return a prediction's scores against one reference, by the names in `rouge_types`."""
        return self._score([as_text(target, "target")], as_text(prediction, "prediction"))

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Return a prediction's scores against several references: for each name, the best by F-score."""
        if isinstance(targets, str):
            fix = "pass a list of references, or call score()"
            tolerate("rouge_score", Location("targets"), "is a string", fix, "its characters are the references")
        texts = [as_text(target, "targets", i) for i, target in enumerate(targets)]
        if not texts:
            raise InputError(Location("targets"), "is empty", "pass at least one reference")
        return self._score(texts, as_text(prediction, "prediction"))

    def _score(self, targets: list[str], prediction: str) -> dict[str, Score]:
        is_default = type(self._tokenizer) is DefaultTokenizer
        stem = is_default and self._tokenizer.stems
        scores = {}
        for name in self.rouge_types:
            metric = _metric(name, stem)
            read = self._texts if is_default else self._tokens
            hypothesis, references = read(metric.variant, targets, prediction)
            _, (precision, recall, f, _) = metric.value_and_row(hypothesis, references)
            if f == 0 and metric.order is None and not (self._has_words(hypothesis) and self._has_words(references[0])):
                precision = recall = f = 0  # integers, as in rouge-score
            scores[name] = Score(precision, recall, f)
        return scores

    def _texts(self, variant: str, targets: list[str], prediction: str) -> tuple[Any, list[Any]]:
        if variant != "Lsum" or not self._split_summaries:
            return prediction, targets

        def lines(text: str) -> str:
            return "\n".join(sentence.replace("\n", " ") for sentence in _sentences(text))

        return lines(prediction), [lines(target) for target in targets]

    def _tokens(self, variant: str, targets: list[str], prediction: str) -> tuple[Any, list[Any]]:
        tokenize = self._tokenizer.tokenize
        # A token may be a line break, or not a string, so number the tokens.
        numbers: dict[Any, str] = {}

        def numbered(text: str) -> list[str]:
            return [numbers.setdefault(token, str(len(numbers))) for token in tokenize(text)]

        def lines(text: str) -> list[str]:
            sentences = _sentences(text) if self._split_summaries else text.split("\n")
            return [token for sentence in sentences if sentence for token in (*numbered(sentence), "\n")]

        read = lines if variant == "Lsum" else numbered
        return read(prediction), [read(target) for target in targets]

    def _has_words(self, side: str | list[str]) -> bool:
        return bool(self._tokenizer.tokenize(side)) if isinstance(side, str) else any(token != "\n" for token in side)


@lru_cache(maxsize=64)
def _metric(name: str, stem: bool) -> ROUGE:
    match = _TYPE.fullmatch(name) if isinstance(name, str) else None
    if match is None or match[1] == "0":
        raise SettingError(f"unknown ROUGE type {name!r} (there are: rouge1 to rouge9, rougeL, rougeLsum)")
    return ROUGE(variant=match[1], stem=stem)


def _sentences(text: str) -> list[str]:
    try:
        import nltk
    except ModuleNotFoundError as error:
        if error.name != "nltk":
            raise
        raise NotInstalledError(
            "split_summaries needs NLTK's sentence splitter: pip install 'refscore[sentences]'", name="nltk"
        ) from None
    sentences: list[str] = nltk.sent_tokenize(text)
    return sentences

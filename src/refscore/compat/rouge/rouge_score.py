"""rouge's `rouge.rouge_score`: ROUGE-N and ROUGE-L of lists of sentences, whose words are separated by spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

from refscore.metrics import ROUGE
from refscore.metrics.rouge.subsequences import common_to_any_line

__all__ = ["f_r_p_rouge_n", "multi_rouge_n", "rouge_l_summary_level", "rouge_n"]

Words = Sequence[str]

_FEW_PAIRS = 16


def rouge_n(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    n: int = 2,
    raw_results: bool = False,
    exclusive: bool = True,
) -> dict[str, Any]:
    """Return the F-score, precision and recall of n-grams, or their numbers with `raw_results`."""
    if len(evaluated_sentences) == 0:
        raise ValueError("Hypothesis is empty.")
    if len(reference_sentences) == 0:
        raise ValueError("Reference is empty.")
    counts = _counts(_ngrams(n, evaluated_sentences, exclusive), _ngrams(n, reference_sentences, exclusive))
    return result(*counts, raw_results)


def multi_rouge_n(
    sequences: Sequence[Sequence[str]], scores_ids: Iterable[tuple[int, int]], n: int = 2, exclusive: bool = True
) -> list[dict[str, Any]]:
    """Return the scores of pairs of sequences, given by the positions of hypothesis and reference."""
    ngrams = [_ngrams(n, sequence, exclusive) for sequence in sequences]
    return [f_r_p_rouge_n(*_counts(ngrams[hypothesis], ngrams[reference])) for hypothesis, reference in scores_ids]


def rouge_l_summary_level(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    raw_results: bool = False,
    exclusive: bool = True,
    **_: Any,
) -> dict[str, Any]:
    """Return the scores of common subsequences of each pair of sentences, or their lengths with `raw_results`."""
    if len(evaluated_sentences) == 0 or len(reference_sentences) == 0:
        raise ValueError("Collections must contain at least 1 sentence.")
    lines, targets = ([sentence.split(" ") for sentence in side] for side in (evaluated_sentences, reference_sentences))
    words, target_words = ([*chain(*side)] for side in (lines, targets))
    if exclusive:
        # rouge looks for the subsequences with the sides exchanged, which matters if several are the longest.
        positions = common_to_any_line(targets, lines)
        common = len({line[i] for line, found in zip(lines, positions, strict=True) for i in found})
        return result(len({*words}), len({*target_words}), common, raw_results)
    common = sum(common_lengths([(line, target) for target in targets for line in lines]))
    return result(len(words), len(target_words), common, raw_results)


@cache
def _common_metric() -> ROUGE:
    return ROUGE(variant="L", tokenizer="none", lowercase=False)


def common_lengths(pairs: Sequence[tuple[Words, Words]]) -> list[int]:
    """Return the length of the longest common subsequence of each pair."""
    metric = _common_metric()
    if len(pairs) < _FEW_PAIRS:  # the statistics of many pairs are computed at once, on all cores
        rows = [metric.value_and_row(words, [target])[1] for words, target in pairs]
        return [round(row[0] * len(words)) for row, (words, _) in zip(rows, pairs, strict=True)]
    precisions = metric.stats([words for words, _ in pairs], [[target] for _, target in pairs])[:, 0]
    return [round(precision * len(words)) for precision, (words, _) in zip(precisions.tolist(), pairs, strict=True)]


def f_r_p_rouge_n(evaluated_count: int, reference_count: int, overlapping_count: int) -> dict[str, float]:
    """Return the F-score, precision and recall for numbers of n-grams."""
    precision = overlapping_count / evaluated_count if evaluated_count else 0.0
    recall = overlapping_count / reference_count if reference_count else 0.0
    return {"f": 2.0 * ((precision * recall) / (precision + recall + 1e-8)), "p": precision, "r": recall}


def result(hypothesis: int, reference: int, overlap: int, raw_results: bool) -> dict[str, Any]:
    if raw_results:
        return {"hyp": hypothesis, "ref": reference, "overlap": overlap}
    return f_r_p_rouge_n(hypothesis, reference, overlap)


def _ngrams(n: int, sentences: Sequence[str], exclusive: bool) -> Any:
    assert len(sentences) > 0, "there are no sentences"
    words = " ".join(sentences).split(" ")
    ngrams = zip(*[words[i:] for i in range(n)], strict=False)
    return {*ngrams} if exclusive else Counter(ngrams)


def _counts(ngrams: Any, target: Any) -> tuple[int, int, int]:
    if isinstance(ngrams, set):
        return len(ngrams), len(target), len(ngrams & target)
    return ngrams.total(), target.total(), (ngrams & target).total()

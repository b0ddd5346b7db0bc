"""Calls of the peers that compute ROUGE, each reduced to plain floats so that values can be compared."""

from __future__ import annotations

from typing import Any

from .peers import Pairs, optional

original: Any = optional("rouge_score.rouge_scorer")
in_rust: Any = optional("rouge_score_rs.rouge_scorer")
fast: Any = optional("fast_rouge")


def scorer(module: Any, variant: str, stem: bool) -> Any:
    """A scorer of rouge-score, or of rouge-score-rs, which has the same interface."""
    return None if module is None else module.RougeScorer([variant], use_stemmer=stem)


def score_each(scorer: Any, variant: str, pairs: Pairs) -> list[float]:
    """One call per segment."""
    return [scorer.score(reference, hypothesis)[variant].fmeasure for hypothesis, reference in zip(*pairs, strict=True)]


def score_batch(scorer: Any, variant: str, pairs: Pairs) -> list[float]:
    """One call for all."""
    return [scores[variant].fmeasure for scores in scorer.score_batch(pairs[1], pairs[0])]


def fast_batch(variant: str, pairs: Pairs) -> list[float]:
    """rouge-rust: one call, which computes ROUGE-1, 2 and L together."""
    return list(getattr(fast.score_batch_flat(pairs[1], pairs[0]), f"{variant}_fmeasure"))

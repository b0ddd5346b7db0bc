"""Calls of other tools that compute ROUGE. Each returns plain floats, so values can be compared."""

from __future__ import annotations

from typing import Any

from .peers import Pairs, optional

original: Any = optional("rouge_score.rouge_scorer")
in_rust: Any = optional("rouge_score_rs.rouge_scorer")
fast: Any = optional("fast_rouge")


def scorer(module: Any, variant: str, stem: bool) -> Any:
    """Create a scorer of rouge-score or rouge-score-rs, which have the same interface."""
    return None if module is None else module.RougeScorer([variant], use_stemmer=stem)


def score_each(scorer: Any, variant: str, pairs: Pairs) -> list[float]:
    """Score with one call per segment."""
    return [scorer.score(reference, hypothesis)[variant].fmeasure for hypothesis, reference in zip(*pairs, strict=True)]


def score_batch(scorer: Any, variant: str, pairs: Pairs) -> list[float]:
    """Score all segments in one call."""
    return [scores[variant].fmeasure for scores in scorer.score_batch(pairs[1], pairs[0])]


def fast_batch(variant: str, pairs: Pairs) -> list[float]:
    """Score with rouge-rust in one call, which computes ROUGE-1, 2 and L together."""
    return list(getattr(fast.score_batch_flat(pairs[1], pairs[0]), f"{variant}_fmeasure"))

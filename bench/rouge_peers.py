"""Calls of other tools that compute ROUGE. Each returns plain floats, so values can be compared."""

from __future__ import annotations

from typing import Any

from .peers import Pairs, optional

original: Any = optional("rouge_score.rouge_scorer")
in_rust: Any = optional("rouge_score_rs.rouge_scorer")
fast: Any = optional("fast_rouge")
port: Any = optional("rouge_metric")


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


def port_of_155(variant: str) -> Any:
    """Create a scorer of rouge-metric for "W-1.2", "S*" or "SU4"."""
    if port is None:
        return None
    kinds = {"rouge_w": variant[0] == "W", "rouge_s": variant[:2] not in ("SU", "W-"), "rouge_su": variant[:2] == "SU"}
    skip = int(variant[2:]) if variant[:2] == "SU" else None
    return port.PyRouge(rouge_n=[], rouge_l=False, skip_gap=skip, mode="individual", **kinds)


def score_155(scorer: Any, pairs: Pairs) -> list[float]:
    """Score all segments in one call."""
    results = scorer.evaluate(pairs[0], [[reference] for reference in pairs[1]])
    return [scores["f"] for result in results for scores in result.values()]

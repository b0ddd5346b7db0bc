"""rouge-chinese's `rouge_chinese.rouge_score`: rouge's functions, and ROUGE-L of whole texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refscore.compat.rouge.rouge_score import common_lengths, f_r_p_rouge_n, multi_rouge_n, result, rouge_n

__all__ = ["f_r_p_rouge_n", "multi_rouge_n", "rouge_l_summary_level", "rouge_n"]


def rouge_l_summary_level(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    raw_results: bool = False,
    exclusive: bool | None = None,
    **_: Any,
) -> dict[str, Any]:
    """Return the scores of the longest common subsequence, or its length with `raw_results`."""
    if len(evaluated_sentences) == 0 or len(reference_sentences) == 0:
        raise ValueError("Collections must contain at least 1 sentence.")
    words, target = (" ".join(side).split(" ") for side in (evaluated_sentences, reference_sentences))
    (common,) = common_lengths([(words, target)])
    return result(len(words), len(target), common, raw_results)

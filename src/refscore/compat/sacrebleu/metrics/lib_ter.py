"""sacrebleu's `metrics.lib_ter`: edits between two token sequences."""

from __future__ import annotations

from collections.abc import Sequence

from refscore.metrics import TER

_METRIC = TER()


def translation_edit_rate(words_hyp: Sequence[str], words_ref: Sequence[str]) -> tuple[int, int]:
    """Return how many edits, including moves, turn a hypothesis into a reference, and the reference length."""
    return _METRIC.segment(list(words_hyp), [list(words_ref)]).edits, len(words_ref)

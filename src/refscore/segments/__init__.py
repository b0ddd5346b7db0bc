"""Hypotheses and references: their types, and their conversion to the plain types that kernels accept."""

from refscore.segments.arrays import Padded, as_array, padded, reject_masked, unpadded
from refscore.segments.checks import (
    Kind,
    Segments,
    check,
    check_hypotheses,
    check_pairs,
    check_references,
    check_sides,
    from_streams,
    is_sequence,
)
from refscore.segments.sourced import Sourced, source_first, with_sources, without_sources
from refscore.segments.tokens import (
    MixedTokens,
    MixedTokensError,
    as_list,
    in_hypotheses,
    in_references,
    number_tokens,
    plain_tokens,
    uniform_tokens,
)
from refscore.segments.types import ArrowColumn, Hypotheses, References, Segment, SegmentReferences, Sources, Tokens

__all__ = [
    "ArrowColumn",
    "Hypotheses",
    "Kind",
    "MixedTokens",
    "MixedTokensError",
    "Padded",
    "References",
    "Segment",
    "SegmentReferences",
    "Segments",
    "Sourced",
    "Sources",
    "Tokens",
    "as_array",
    "as_list",
    "check",
    "check_hypotheses",
    "check_pairs",
    "check_references",
    "check_sides",
    "from_streams",
    "in_hypotheses",
    "in_references",
    "is_sequence",
    "number_tokens",
    "padded",
    "plain_tokens",
    "reject_masked",
    "source_first",
    "uniform_tokens",
    "unpadded",
    "with_sources",
    "without_sources",
]

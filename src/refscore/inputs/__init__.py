"""Hypotheses, references and sources: the kinds of input, their types, and their conversion to types that kernels read.

`read_side` turns a value into one of the kinds of `sides`, which have the same interface, `Side`. Code that uses input
asks this interface and does not test for types. Kernels read lists, padded batches and Arrow columns without checks.
Input that they cannot read is checked and converted by `check` and its variants.
"""

from refscore.inputs.arrays import as_array, describe, reject_masked
from refscore.inputs.arrow import Beside, flat, is_column, with_none
from refscore.inputs.checks import (
    Kind,
    check,
    check_hypotheses,
    check_pairs,
    check_references,
    check_sizes,
    from_streams,
    is_sequence,
    nesting,
)
from refscore.inputs.padded import Padded, kernel_form, listed_hypotheses, listed_references, padded
from refscore.inputs.sides import Input, Side, listed, read_side, reusable, with_sources
from refscore.inputs.tokens import (
    MixedTokens,
    MixedTokensError,
    as_list,
    number_tokens,
    plain_tokens,
    uniform_tokens,
)
from refscore.inputs.types import Hypotheses, References, Segment, SegmentReferences, Sources

__all__ = [
    "Beside",
    "Hypotheses",
    "Input",
    "Kind",
    "MixedTokens",
    "MixedTokensError",
    "Padded",
    "References",
    "Segment",
    "SegmentReferences",
    "Side",
    "Sources",
    "as_array",
    "as_list",
    "check",
    "check_hypotheses",
    "check_pairs",
    "check_references",
    "check_sizes",
    "describe",
    "flat",
    "from_streams",
    "is_column",
    "is_sequence",
    "kernel_form",
    "listed",
    "listed_hypotheses",
    "listed_references",
    "nesting",
    "number_tokens",
    "padded",
    "plain_tokens",
    "read_side",
    "reject_masked",
    "reusable",
    "uniform_tokens",
    "with_none",
    "with_sources",
]

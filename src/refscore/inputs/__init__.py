"""Hypotheses, references and sources: the kinds of input, their types, and their conversion to types that kernels read.

`read_side` turns a value into one of the kinds of `sides`, which have the same interface, `Side`. Code that uses input
asks this interface and does not test for types. Kernels read lists, padded batches and Arrow columns without checks.
Input that they cannot read is checked and converted by `check` and its variants.
"""

from refscore.inputs.arrays import as_array as as_array, describe as describe, reject_masked as reject_masked
from refscore.inputs.arrow import Beside as Beside, flat as flat, is_column as is_column, with_none as with_none
from refscore.inputs.checks import (
    InputKind as InputKind,
    check as check,
    check_hypotheses as check_hypotheses,
    check_pairs as check_pairs,
    check_references as check_references,
    check_sizes as check_sizes,
    from_streams as from_streams,
    is_sequence as is_sequence,
    nesting as nesting,
    streams_hint as streams_hint,
)
from refscore.inputs.padding import (
    Padded as Padded,
    kernel_form as kernel_form,
    listed_hypotheses as listed_hypotheses,
    listed_references as listed_references,
    padded as padded,
)
from refscore.inputs.sides import (
    Input as Input,
    Side as Side,
    is_list as is_list,
    is_prepared as is_prepared,
    listed as listed,
    read_side as read_side,
    reusable as reusable,
    with_sources as with_sources,
)
from refscore.inputs.tokens import (
    MixedTokens as MixedTokens,
    MixedTokensError as MixedTokensError,
    as_list as as_list,
    number_tokens as number_tokens,
    plain_tokens as plain_tokens,
    uniform_tokens as uniform_tokens,
)
from refscore.inputs.types import (
    Groups as Groups,
    Hypotheses as Hypotheses,
    Labels as Labels,
    References as References,
    Segment as Segment,
    SegmentGroups as SegmentGroups,
    SegmentReferences as SegmentReferences,
    Sources as Sources,
    Systems as Systems,
)

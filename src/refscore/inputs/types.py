"""The types of hypotheses and references, for editors and type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray  # slow to import

    from refscore.inputs.padding import Padded


class ArrowColumn(Protocol):
    """A column of another library that supports Arrow's C interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the column as an Arrow stream."""


Tokens: TypeAlias = "Sequence[Hashable] | NDArray[np.integer[Any]]"
Segment: TypeAlias = "str | Tokens"
Hypotheses: TypeAlias = "Iterable[Segment] | NDArray[np.integer[Any]] | Padded | ArrowColumn"
SegmentReferences: TypeAlias = "str | Iterable[str | None] | Iterable[Tokens | None]"
References: TypeAlias = "Iterable[SegmentReferences] | NDArray[np.integer[Any]] | Padded | ArrowColumn"
# The source of each segment, or None if there are none.
Sources: TypeAlias = "Hypotheses | None"
# A group of segments, or a batch of groups.
SegmentGroups: TypeAlias = "Iterable[Segment] | Iterable[Iterable[Segment]] | NDArray[np.integer[Any]] | Padded"
# The texts of each system by name; several runs of a system are a list or a dictionary.
Systems: TypeAlias = "Mapping[str, Hypotheses | Mapping[str, Hypotheses] | Sequence[Hypotheses]]"
# A label per segment, and several such labels by the name of a grouping.
Labels: TypeAlias = "Iterable[Hashable]"
Groups: TypeAlias = "Mapping[str, Labels]"

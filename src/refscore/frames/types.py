"""The types of frames, for editors and type checkers. A frame of a library gives a frame of the same library.

They are protocols, because no library needs to be installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

T_co = TypeVar("T_co", covariant=True)


class DataFrame(Protocol):
    """A frame in memory, such as one of pandas, Polars, cuDF or PyArrow."""

    @property
    def columns(self) -> object:
        """The columns."""

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns."""


class LazyFrame(Protocol[T_co]):
    """A query, such as one of Polars."""

    @property
    def columns(self) -> object:
        """The columns."""

    def collect(self) -> T_co:
        """Return the result in memory."""


class Relation(Protocol):
    """A relation of DuckDB."""

    def fetchall(self) -> object:
        """Return all rows."""


class ArrowStream(Protocol):
    """An object with an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as an Arrow stream."""


class BatchReader(Protocol):
    """A reader of record batches of PyArrow."""

    def read_next_batch(self) -> object:
        """Return the next batch."""


class Dataset(Protocol):
    """A dataset of PyArrow."""

    def scanner(self) -> object:
        """Return an object that reads the rows."""


DataFrameT = TypeVar("DataFrameT", bound=DataFrame)
FrameT = TypeVar("FrameT", bound="DataFrame | LazyFrame[object] | BatchReader")
# Data that becomes an Arrow table.
ArrowData: TypeAlias = "Dataset | BatchReader | ArrowStream | Iterable[pa.RecordBatch]"
Frame: TypeAlias = "DataFrame | LazyFrame[object] | Relation | ArrowData"

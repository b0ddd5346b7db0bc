"""Scores: a value with the row it was computed from. Scores behave like numbers."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import Self

    from refscore.metrics.core.row_metric import RowMetric

Rows: TypeAlias = NDArray[Any]
Values: TypeAlias = NDArray[np.float64]
T_co = TypeVar("T_co", covariant=True)


# Attributes of other libraries' scores, and what to use instead.
_OTHER_NAMES = {
    "score": "percent, from 0 to 100, or value, from 0 to 1",
    "fmeasure": "value, from 0 to 1",
    "f1": "value, from 0 to 1",
    **dict.fromkeys(
        ("rouge1", "rouge2", "rougeL", "rougeLsum"), "the metric's name, as in refscore.scores(…, ['rougeL'])"
    ),
    "format": "str(score), or f'{score:.2f}' for the value",
}


def unknown_attribute(instance: object, name: str, other_names: Mapping[str, str]) -> AttributeError:
    message = f"{type(instance).__name__!r} object has no attribute {name!r}"
    hint = f": use {other_names[name]}" if name in other_names else ""
    return AttributeError(message + hint, name=name, obj=instance)  # Python suggests a similar name


class _RowPart(Generic[T_co]):
    def __init__(self, index: int, meaning: str) -> None:
        self._index = index
        self.__doc__ = meaning

    @abstractmethod
    def _read(self, score: Score) -> T_co: ...

    @overload
    def __get__(self, score: None, owner: Any) -> Self: ...
    @overload
    def __get__(self, score: Score, owner: Any) -> T_co: ...
    def __get__(self, score: Score | None, owner: Any) -> Self | T_co:
        return self if score is None else self._read(score)


class RowCount(_RowPart[int]):
    def _read(self, score: Score) -> int:
        return int(score.row[self._index])


class RowNumber(_RowPart[float]):
    def _read(self, score: Score) -> float:
        return float(score.row[self._index])


class RowMean(_RowPart[float]):
    """An attribute of a score: a mean, from a sum and the segment count in its row."""

    def _read(self, score: Score) -> float:
        count = score.row[-1].item()
        return float(score.row[self._index].item() / count) if count else 0.0


class RowCounts(_RowPart[tuple[int, ...]]):
    """An attribute of a score: counts by order, in the columns that `where` returns for the metric."""

    def __init__(self, where: Callable[[Any], slice], meaning: str) -> None:
        super().__init__(0, meaning)
        self._where = where

    def _read(self, score: Score) -> tuple[int, ...]:
        return tuple(int(count) for count in score.row[self._where(score.metric)])


class KernelPart(_RowPart[T_co]):
    def _read(self, score: Score) -> T_co:
        part: T_co = score._kernel_parts()[self._index]
        return part


def _comparison(compare: Callable[[Any, Any], bool]) -> Callable[[Score, object], bool]:
    def method(score: Score, other: object) -> bool:
        number = other.value if isinstance(other, Score) else other
        return compare(score.value, number) if isinstance(number, Real) else NotImplemented

    return method


class Score(ABC):
    """A value with the row it was computed from. Everything else is derived on demand.

    Scores compare, sort, round and format like their values.

    Example:
        >>> import refscore
        >>> score = refscore.BLEU().segment("the cat sat on a mat", "the cat sat on the mat")
        >>> isinstance(score, refscore.metrics.Score), round(score, 4), round(score.percent, 2)
        (True, 0.5373, 53.73)
        >>> score > 0.5, f"{score:.2f}"
        (True, '0.54')
    """

    __slots__ = ("_references", "_row", "metric")

    def __init__(self, metric: Any, row: Rows | tuple[Any, ...], references: tuple[int, int] | None = None) -> None:
        if not isinstance(row, tuple):
            row.setflags(write=False)
        _set_metric(self, metric)
        _set_row(self, row)
        _set_references(self, references)

    metric: RowMetric[Any]
    _row: Rows | tuple[Any, ...]  # an array once `row` is used
    _references: tuple[int, int] | None

    @property
    def row(self) -> Rows:
        """The read-only row, with one number per column."""
        row = self._row
        if isinstance(row, tuple):  # created here, because a score of one segment takes less time than an array
            row = np.array(row, dtype=self.metric.row_type)
            row.setflags(write=False)
            _set_row(self, row)
        return row

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise unknown_attribute(self, name, _OTHER_NAMES)

    @property
    @abstractmethod
    def value(self) -> float:
        """The score, from 0 to 1 for most metrics."""

    parts: ClassVar[tuple[str, ...]] = ()
    """The names of the attributes that `details` returns."""

    parts_text: ClassVar[str] = ""
    """The parts in `str(score)`, with attributes as fields of `str.format`."""

    def _kernel_parts(self) -> tuple[Any, ...]:
        metric: Any = self.metric
        parts: tuple[Any, ...] = metric.kernel.parts(self.row.astype(np.float64))
        return parts

    def details(self) -> dict[str, Any]:
        """Return the components, ready for JSON."""
        values = ((name, getattr(self, name)) for name in self.parts)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values}

    @property
    def percent(self) -> float:
        """The value times 100, as papers print it."""
        return 100 * self.value

    @property
    def signature(self) -> str:
        """The metric's settings as text, with the reference count if it is known."""
        if self._references is None:
            return self.metric.signature
        fewest, most = self._references
        name, bar, rest = self.metric.signature.partition("|")
        return f"{name}|nrefs:{fewest if fewest == most else 'var'}{bar}{rest}"

    @property
    def reference_counts(self) -> tuple[int, int] | None:
        """The range of reference counts per segment, or None if unknown."""
        return self._references

    def to_dict(self) -> dict[str, Any]:
        """Return the score as a dictionary, ready for JSON."""
        return {
            "metric": self.metric.name,
            "value": self.value,
            "percent": self.percent,
            **self.details(),
            "signature": self.signature,
        }

    def _repr_html_(self) -> str:
        from html import escape  # slow to import, and needed only in notebooks

        def shown(value: Any) -> str:
            if isinstance(value, list):
                return " / ".join(map(shown, value))
            return f"{value:.4f}" if isinstance(value, float) else str(value)

        name, wrap = 'style="text-align:left"', 'style="text-align:left;word-break:break-word"'
        cells = "".join(
            f"<tr><th {name}>{escape(key)}</th><td {wrap}>{escape(shown(value))}</td></tr>"
            for key, value in self.to_dict().items()
        )
        return f"<table>{cells}</table>"

    def __str__(self) -> str:
        return f"{self.metric.title} = {round(self.percent, 10):.2f} ({self.parts_text.format(self)})"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __float__(self) -> float:
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    __eq__ = _comparison(operator.eq)
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)

    def __hash__(self) -> int:
        return hash(self.value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a score is immutable: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a score is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.metric, self.row, self._references)

    def __repr__(self) -> str:
        return f"<{self}>"


# Scores are immutable, so __init__ sets its attributes with these functions.
_set_metric, _set_row, _set_references = (vars(Score)[name].__set__ for name in ("metric", "_row", "_references"))


class MeanScore(Score):
    """A mean over segments. Its row has sums over segments, and the segment count as the last column."""

    __slots__ = ()

    value = RowMean(0, "The score, from 0 to 1.")
    segments = RowCount(-1, "The number of segments in the mean.")

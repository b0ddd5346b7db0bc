"""Data frames: segment scores as columns, and corpus scores by group.

The functions accept frames from every library that narwhals knows, such as pandas, Polars and PyArrow, and Arrow
streams such as DuckDB relations. `polars` has scores as expressions, and `duckdb` as SQL functions. The stub
`__init__.pyi` lists the names, which are imported on first use.
"""

from pathlib import Path as _Path

from refscore.errors import requires as _requires
from refscore.lazy_names import LazyNames as _LazyNames

with _requires("refscore.frames", "pandas"):
    import narwhals as _narwhals  # noqa: F401 - every module of this package needs it

_names = _LazyNames(__name__, _Path(__file__).with_suffix(".pyi"))
__all__ = [name for name, module in sorted(_names.items()) if module != __name__]


def __getattr__(name: str) -> object:
    value = globals()[name] = _names.load(name)
    return value


def __dir__() -> list[str]:
    return __all__

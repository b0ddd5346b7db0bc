"""Data frames: segment scores as columns, and corpus scores by group.

The modules `arrow`, `pandas`, `polars` and `duckdb` need the package of the same name. They are imported on first use.
"""

__all__: list[str] = []


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("arrow", "duckdb", "pandas", "polars"):
        return import_module(f"refscore.frames.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

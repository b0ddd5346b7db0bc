"""Data frames: scores of segments as columns, and scores of corpora by groups.

Its modules `arrow`, `pandas`, `polars` and `duckdb` need the package of their name; they are loaded when asked for.
"""

__all__: list[str] = []


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("arrow", "duckdb", "pandas", "polars"):
        return import_module(f"refscore.frames.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

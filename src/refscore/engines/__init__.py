"""Segment scores as columns, and corpus scores by group, on Spark and Ray clusters.

The modules `spark` and `ray` need the package of the same name. They are imported on first use.
"""

__all__: list[str] = []


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("ray", "spark"):
        return import_module(f"refscore.engines.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

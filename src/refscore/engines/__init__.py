"""Engines of many machines: scores of segments as columns, and scores of corpora by groups, on Spark and on Ray.

Its modules `spark` and `ray` need the package of their name; they are loaded when asked for.
"""

__all__: list[str] = []


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("ray", "spark"):
        return import_module(f"refscore.engines.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

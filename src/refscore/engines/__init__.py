"""Segment scores as columns, and corpus scores by group, on Spark and Ray clusters.

The modules `spark` and `ray` need the package of the same name. They are imported on first use.
"""

from refscore.data_warnings import keep_silent as _keep_silent

__all__: list[str] = []

_keep_silent(__name__)  # workers see only parts of the data, and would repeat a warning for each


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("ray", "spark"):
        return import_module(f"refscore.engines.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The metrics. A metric turns segments into rows of statistics, which can be summed, and rows into scores.

Each metric has its own folder. `core` has the code that metrics share. The stub `__init__.pyi` lists the public names,
which are imported on first use, and `shared.pyi` those that only refscore itself uses.
"""

from pathlib import Path as _Path

from refscore.lazy_names import LazyNames as _LazyNames

_folder = _Path(__file__).parent
_public = _LazyNames(
    __name__, *(_folder / f"{stub}.pyi" for stub in ("__init__", "builtin", "special", "scores", "without_references"))
)
_shared = _LazyNames(__name__, _folder / "shared.pyi")
__all__ = [name for name, _ in sorted(_public.items())]


def __getattr__(name: str) -> object:
    value = globals()[name] = (_shared if name in _shared else _public).load(name)
    return value


def __dir__() -> list[str]:
    return __all__

"""refscore: exact, fast, explained scores of generated text against references.

The stub `__init__.pyi` lists all names. They are imported on first use.
"""

from pathlib import Path as _Path

import refscore._interpreter  # noqa: F401 - raises ImportError in a subinterpreter
from refscore._version import __version__ as __version__
from refscore.lazy_names import LazyNames as _LazyNames

_folder = _Path(__file__).parent
# The stubs of metrics. `__all__` lists only the common metrics.
_COMMON, _SPECIAL = ("builtin", "functions"), ("special", "special_functions")
_names = _LazyNames(__name__, _folder / "__init__.pyi", *(_folder / "metrics" / f"{stub}.pyi" for stub in _COMMON))
__all__ = [name for name, module in sorted(_names.items()) if module != __name__ and name[0] != "_"]
_special = _LazyNames(__name__, *(_folder / "metrics" / f"{stub}.pyi" for stub in _SPECIAL))
_names.update(_special)


def __getattr__(name: str) -> object:
    try:
        value = globals()[name] = _names.load(name)
    except AttributeError:
        raise _no_attribute(name) from None
    return value


def _no_attribute(name: str) -> AttributeError:
    import sys

    message = f"module {__name__!r} has no attribute {name!r}"
    kind, _, metric = name.partition("_")
    if kind in ("corpus", "sentence") and metric in ("bleu", "chrf", "ter"):
        return AttributeError(f"{message}: use refscore.{metric}, or refscore.compat.sacrebleu.{name}")
    hint = "" if name.startswith("_") else _hint(name)
    if hint:
        return AttributeError(f"{message}: {hint}")
    return AttributeError(message, name=name, obj=sys.modules[__name__])  # Python suggests a similar name


def _hint(name: str) -> str:
    """Return what to write instead of a name that is a method of metrics, or a metric without a function."""
    from refscore.errors import UnknownNameError
    from refscore.metrics import Metric, parse_listed_name

    if callable(getattr(Metric, name, None)):
        return f"it is a method of metrics, as in refscore.BLEU().{name}(...)"
    try:
        parse_listed_name(name)
    except UnknownNameError:
        return ""
    return f"it is the name of a metric, as in refscore.scores(hypotheses, references, [{name!r}])"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - _special.keys())

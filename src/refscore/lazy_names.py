"""Names of a package that are imported on first use. The stub of the package is the only list of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

_IMPORT = re.compile(r"^from (refscore[\w.]*) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)


class LazyNames(dict[str, str]):
    """The names that stubs list, with the modules that define them.

    Args:
        package: The name of the package, for errors.
        *stubs: Files with lines such as `from refscore.metrics.bleu import BLEU as BLEU`.

    Example:
        >>> import refscore.metrics
        >>> names = LazyNames("refscore.metrics", Path(refscore.metrics.__file__).with_suffix(".pyi"))
        >>> names["Metric"], names.load("Metric") is refscore.metrics.Metric
        ('refscore.metrics.core.metric', True)
    """

    def __init__(self, package: str, *stubs: Path) -> None:
        super().__init__()
        self._package = package
        for stub in stubs:
            for module, several, one in _IMPORT.findall(stub.read_text(encoding="utf-8")):
                names = (entry.partition(" as ")[0].strip() for entry in (several or one).split(","))
                self.update({name: module for name in names if name.isidentifier()})

    def load(self, name: str) -> object:
        """Import a name. Raise an AttributeError if the stubs do not list it."""
        if name not in self:
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        module = self[name]
        return import_module(f"{module}.{name}") if module == self._package else getattr(import_module(module), name)


def lazy_modules(package: str, *names: str) -> Callable[[str], ModuleType]:
    """Return a `__getattr__` for a package that imports modules on first use.

    Example:
        >>> lazy_modules("refscore.rewards", "openrlhf")("openrlhf").__name__
        'refscore.rewards.openrlhf'
    """

    def load(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    return load

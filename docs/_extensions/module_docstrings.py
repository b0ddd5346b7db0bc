"""Document what autodoc misses: code in module docstrings, and the settings in the signatures of dataclasses."""

import dataclasses
import inspect
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.inspect import stringify_signature


def mark_code(_app: Sphinx, what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Insert the reStructuredText marker before each indented block."""
    if what != "module":
        return
    marked: list[str] = []
    for line in lines:
        if line.startswith("    ") and len(marked) > 1 and not marked[-1] and not marked[-2].startswith("    "):
            marked += ["::", ""]
        marked.append(line)
    lines[:] = marked


def show_settings(
    _app: Sphinx, what: str, _name: str, documented: Any, _options: Any, _signature: str | None, _returns: str | None
) -> tuple[str, None] | None:
    """Return the fields of a dataclass as its signature. Otherwise, autodoc shows the arguments of `__new__`."""
    if what != "class" or not dataclasses.is_dataclass(documented):
        return None
    signature = inspect.signature(documented.__init__)
    _, *fields = signature.parameters.values()
    signature = signature.replace(parameters=fields, return_annotation=inspect.Signature.empty)
    return stringify_signature(signature, show_annotation=False), None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the changes for docstrings and signatures when they are read."""
    app.connect("autodoc-process-docstring", mark_code)
    app.connect("autodoc-process-signature", show_settings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Treat indented lines in module docstrings as code."""

from typing import Any

from sphinx.application import Sphinx


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


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the change for docstrings when they are read."""
    app.connect("autodoc-process-docstring", mark_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

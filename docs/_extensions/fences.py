"""Code without the empty line that ends an example of Python's in Markdown."""

import re

from sphinx.application import Sphinx


def without_last_line(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Fences that only close have no language."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Changes pages when they are read."""
    app.connect("source-read", without_last_line)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

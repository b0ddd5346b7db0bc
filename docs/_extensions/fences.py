"""Remove the empty line that ends a Python example in Markdown."""

import re

from sphinx.application import Sphinx


def without_last_line(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Remove an empty line before a closing fence, which is a fence without a language."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the change for pages when they are read."""
    app.connect("source-read", without_last_line)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Change code blocks: remove the empty line that ends a Python example, and let signatures of metrics wrap."""

import re
from typing import Any

from sphinx.application import Sphinx

# Its keys and values in a code block, such as chrf|nrefs:2|…|version:0.1.0.
SIGNATURE = re.compile(r"\b[a-z_-]+(?:\|[^|\s<]+)*\|version:[0-9.]+")


def without_last_line(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Remove an empty line before a closing fence, which is a fence without a language."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)


def mark_signatures(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Put each signature in a code block into an element that wraps."""
    parts = re.split(r"(<pre>.*?</pre>)", context.get("body", ""), flags=re.DOTALL)
    parts[1::2] = [SIGNATURE.sub(r'<span class="signature">\g<0></span>', block) for block in parts[1::2]]
    context["body"] = "".join(parts)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the changes for pages when they are read and written."""
    app.connect("source-read", without_last_line)
    app.connect("html-page-context", mark_signatures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

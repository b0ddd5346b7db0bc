"""The description of the packages: README.md, whose links and pictures are absolute if the repository has an address.

An index shows the description apart from the repository, so relative links lead nowhere there. scikit-build-core calls
`dynamic_metadata`; the address is `Source` of the table `[project.urls]` in pyproject.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# Links and pictures that begin neither with a scheme nor with #.
_RELATIVE = re.compile(r"(!?\[[^\]]*\]\()(?!#|[a-z]+:)([^)\s]+)")


def absolute_links(text: str, source: str, tag: str) -> str:
    """Return Markdown whose relative links lead to a tag of the repository at `source`."""

    def absolute(match: re.Match[str]) -> str:
        view = "raw" if match[1].startswith("!") else "blob"
        return f"{match[1]}{source.rstrip('/')}/{view}/{tag}/{match[2]}"

    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("`") else _RELATIVE.sub(absolute, part) for part in parts)


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field `readme` of the metadata."""
    text = Path("README.md").read_text(encoding="utf-8")
    source = project.get("urls", {}).get("Source")
    if source:
        text = absolute_links(text, source, f"v{project['version']}")
    return {"readme": {"content-type": "text/markdown", "text": text}}

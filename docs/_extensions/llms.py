"""Write `llms.txt`, the contents of the site for language models: each page with its title and first sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import toctree
from sphinx.application import Sphinx


def _first_sentence(document: nodes.document) -> str:
    for paragraph in document.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            return re.split(r"(?<=[.!?])\s", " ".join(paragraph.astext().split()))[0]
    return ""


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the file at the end of a build without errors."""
    if error or app.builder.name != "html":
        return
    env = app.env
    root = env.get_doctree(env.config.root_doc)
    lines = [f"# {env.config.project}", "", f"> {_first_sentence(root)}"]

    def add(tree: Any, depth: int) -> None:
        for _, name in tree["entries"]:
            if name in env.found_docs:
                page = env.get_doctree(name)
                title, address = env.titles[name].astext(), app.builder.get_target_uri(name)
                lines.append(f"{'  ' * depth}- [{title}]({address}): {_first_sentence(page)}")
                for below in page.findall(toctree):
                    add(below, depth + 1)

    for tree in root.findall(toctree):
        lines += ["", f"## {tree['caption'] or 'Pages'}", ""]
        add(tree, 0)
    Path(app.outdir, "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the writer."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}

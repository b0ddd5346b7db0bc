"""Formulas as MathML, made when the site is built: browsers draw it without a script or a font from elsewhere."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def mathml(latex: str, display: str) -> str:
    """A formula as MathML; the converter knows `aligned` by another name."""
    return str(convert(latex.replace("{aligned}", "{align*}"), display=display))


def visit_inline(self: HTML5Translator, node: nodes.Element) -> None:
    """A formula within a line."""
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(self: HTML5Translator, node: nodes.Element) -> None:
    """A formula on lines of its own."""
    self.body.append(f'<div class="formula">{mathml(node.astext(), "block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the renderer, which `html_math_renderer` chooses."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Convert formulas to MathML when the site is built. Browsers render it without scripts or external fonts."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def mathml(latex: str, display: str) -> str:
    """Convert a formula to MathML. The converter does not know `aligned`, but `align*`."""
    return str(convert(latex.replace("{aligned}", "{align*}"), display=display))


def visit_inline(self: HTML5Translator, node: nodes.Element) -> None:
    """Render an inline formula."""
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(self: HTML5Translator, node: nodes.Element) -> None:
    """Render a block formula."""
    self.body.append(f'<div class="formula">{mathml(node.astext(), "block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer, which `html_math_renderer` selects."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

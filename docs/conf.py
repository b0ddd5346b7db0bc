"""Sphinx configuration: `python -m sphinx -W --keep-going -b html docs build/site`.

The build downloads nothing, and the pages load nothing from other servers.
"""

import sys
from pathlib import Path

import refscore

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "refscore"
author = "the refscore authors"
project_copyright = "the refscore authors; Apache-2.0"
version = release = refscore.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "fences",
    "formulas",
    "llms",
    "module_docstrings",
]
exclude_patterns = ["screenshots.py", "_extensions"]

# Pages are plain Markdown, so they also read well in the repository: links point to files, and fences use common
# language names.
myst_heading_anchors = 3
myst_fence_as_directive = {"math"}
highlight_language = "none"
smartquotes_action = "D"
pygments_dark_style = "a11y-dark"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_mock_imports = ["duckdb", "narwhals", "polars", "py4j", "pyarrow", "pyspark", "ray"]
default_role = "code"
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes are one list
add_module_names = False
maximum_signature_line_length = 110
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"refscore {release}"
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "_static" / "search.js")
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00695c", "color-brand-content": "#00695c"},
    "dark_css_variables": {"color-brand-primary": "#4db6ac", "color-brand-content": "#4db6ac"},
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

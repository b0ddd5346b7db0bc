"""The charting library: Vega-Lite, as the package vl-convert-python carries it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from refscore.errors import NotInstalledError


def require_library() -> None:
    """Raises an error where the package is not installed."""
    if find_spec("vl_convert") is None:
        raise NotInstalledError("reports need the package vl-convert-python: pip install 'refscore[report]'")


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and vega-embed as one script, which sets `vegaEmbed`; it is made once in a process."""
    require_library()
    import vl_convert

    library: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return library

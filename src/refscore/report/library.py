"""The charting library: Vega-Lite, as the package vl-convert-python carries it."""

from __future__ import annotations

from functools import cache

from refscore.errors import NotInstalledError


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and vega-embed as one script, which sets `vegaEmbed`; it is made once in a process."""
    try:
        import vl_convert
    except ImportError:
        raise NotInstalledError(
            "reports need the package vl-convert-python: pip install 'refscore[report]'"
        ) from None
    library: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return library

"""The charting library Vega-Lite, in the version that vl-convert-python contains."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from refscore.errors import NotInstalledError


def require_vega() -> None:
    """Raise an error if vl-convert-python is not installed."""
    if find_spec("vl_convert") is None:
        raise NotInstalledError("reports need vl-convert-python: pip install 'refscore[report]'")


@cache
def vega_script() -> str:
    """Return Vega, Vega-Lite and vega-embed as one script, which sets `vegaEmbed`. It is built once per process."""
    require_vega()
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script

"""Segment scores as columns, and corpus scores by group, on Spark and Ray clusters.

The modules `spark` and `ray` need the package with their name. They are imported on first use.
"""

from refscore.data_warnings import keep_silent as _keep_silent
from refscore.lazy_names import lazy_modules as _lazy_modules

__all__: list[str] = []

_keep_silent(__name__)  # workers see only parts of the data, and would repeat a warning for each

__getattr__ = _lazy_modules(__name__, "ray", "spark")

"""torchmetrics' text functions on refscore: scores in one call, without states."""

from refscore.compat.torchmetrics.functional.text import *  # noqa: F403
from refscore.compat.torchmetrics.functional.text import __all__ as __all__

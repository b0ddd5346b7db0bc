"""torchmetrics' text metrics on refscore, with torchmetrics 1.9's names, arguments, defaults and numbers.

`from refscore.compat.torchmetrics.text import BLEUScore` replaces `from torchmetrics.text import BLEUScore`, and
`refscore.compat.torchmetrics.functional.text` replaces `torchmetrics.functional.text`.
`refscore.compat.install("torchmetrics")` replaces all imports at once.

The metrics are torchmetrics' metrics: they work in collections and trackers, move with a module, and are synchronized
between processes. Their states are sums, in int64 for counts and otherwise in float64, so a distributed evaluation
gives a single process' result. Results are computed in double precision and rounded once to the metric's type.
They agree with torchmetrics to its float32 precision.

`RIBESScore` is RIBES, and `RowsScore` wraps any refscore metric. Needs `pip install 'refscore[torch]'`.
"""

from refscore.compat.overrides import needs as _needs, take_missing_names as _take_missing_names

with _needs("torchmetrics", "torch", "torchmetrics", install="'refscore[torch]'"):
    from refscore.compat.torchmetrics import functional, text
    from refscore.compat.torchmetrics.text import *  # noqa: F403
    from refscore.compat.torchmetrics.text import __all__ as _classes

__all__ = [*_classes, "functional", "text"]  # noqa: PLE0604

_take_missing_names(__name__)

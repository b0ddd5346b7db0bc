"""torchmetrics' metrics of text over refscore: the names, arguments, defaults and numbers of torchmetrics 1.9.

`from refscore.compat.torchmetrics.text import BLEUScore` takes the place of `from torchmetrics.text import BLEUScore`,
and `refscore.compat.torchmetrics.functional.text` that of `torchmetrics.functional.text`;
`refscore.compat.install("torchmetrics")` does it for all imports at once. The metrics are torchmetrics' own kind: they
go into collections and trackers, move with a module, and are synchronized among processes. Their states are sums in
int64, or float64 where they are no counts, so that a distributed evaluation gives what one process gives. Results are
computed in double precision and rounded to the metric's type once: they agree with torchmetrics' to its own float32.

`RIBESScore` is RIBES, and `RowsScore` makes one of any metric of refscore's. Needs `pip install 'refscore[torch]'`.
"""

from refscore.compat.torchmetrics import functional, text
from refscore.compat.torchmetrics.text import *  # noqa: F403
from refscore.compat.torchmetrics.text import __all__ as _classes

__all__ = [*_classes, "functional", "text"]  # noqa: PLE0604

"""jiwer on refscore, with jiwer 4.0's names, arguments, defaults and numbers.

`from refscore.compat import jiwer` replaces `import jiwer`. `refscore.compat.install("jiwer")` does it for all code,
without changes. jiwer need not be installed. An output computes its words and alignments on first access.
"""

from refscore.compat.jiwer import alignment, measures, process, transformations, transforms
from refscore.compat.jiwer.alignment import *  # noqa: F403
from refscore.compat.jiwer.measures import *  # noqa: F403
from refscore.compat.jiwer.process import *  # noqa: F403
from refscore.compat.jiwer.transformations import *  # noqa: F403
from refscore.compat.jiwer.transforms import *  # noqa: F403
from refscore.compat.overrides import take_missing_names as _take_missing_names

__all__ = [  # noqa: PLE0604
    *alignment.__all__,
    *measures.__all__,
    *process.__all__,
    *transformations.__all__,
    *transforms.__all__,
    "name",
]

name = "jiwer"

_take_missing_names(__name__)

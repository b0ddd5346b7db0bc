"""pycocoevalcap on refscore, with the names, arguments and numbers of pycocoevalcap 1.2, and without Java.

`from refscore.compat.pycocoevalcap.cider.cider import Cider` replaces the same import from `pycocoevalcap`, and so on
for BLEU, ROUGE and the tokenizer. `refscore.compat.install("pycocoevalcap")` does it for all code, without changes.
pycocoevalcap need not be installed, except for METEOR and SPICE.
"""

from refscore.compat.overrides import take_missing_names as _take_missing_names
from refscore.compat.pycocoevalcap import eval  # noqa: F401 - `take_missing_names` needs all modules

__all__: list[str] = []

_take_missing_names(__name__)

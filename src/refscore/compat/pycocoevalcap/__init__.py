"""pycocoevalcap on refscore, with the names, arguments and numbers of pycocoevalcap 1.2, and without Java.

`from refscore.compat.pycocoevalcap.cider.cider import Cider` replaces the same import from `pycocoevalcap`, and so on
for BLEU, ROUGE and the tokenizer. `refscore.compat.install("pycocoevalcap")` does it for all code, without changes.
pycocoevalcap need not be installed, except for METEOR and SPICE.
"""

__all__: list[str] = []

"""evaluate loads this by its path, `refscore.compat.evaluate.script("wer")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("wer", __name__)

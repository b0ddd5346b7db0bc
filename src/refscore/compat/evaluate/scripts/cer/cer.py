"""evaluate loads this by its path, `refscore.compat.evaluate.script("cer")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("cer", __name__)

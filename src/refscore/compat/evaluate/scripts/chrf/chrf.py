"""evaluate loads this by its path, `refscore.compat.evaluate.script("chrf")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("chrf", __name__)

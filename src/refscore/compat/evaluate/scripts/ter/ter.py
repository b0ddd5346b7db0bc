"""evaluate loads this by its path, `refscore.compat.evaluate.script("ter")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("ter", __name__)

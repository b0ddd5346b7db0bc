"""evaluate loads this by its path, `refscore.compat.evaluate.script("rouge")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("rouge", __name__)

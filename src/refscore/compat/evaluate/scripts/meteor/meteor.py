"""evaluate loads this by its path, `refscore.compat.evaluate.script("meteor")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("meteor", __name__)

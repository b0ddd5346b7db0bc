"""evaluate loads this by its path, `refscore.compat.evaluate.script("nist_mt")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("nist_mt", __name__)

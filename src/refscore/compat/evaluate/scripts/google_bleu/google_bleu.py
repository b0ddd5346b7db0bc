"""evaluate loads this by its path, `refscore.compat.evaluate.script("google_bleu")`."""

from refscore.compat.evaluate.hub import module_class

Module = module_class("google_bleu", __name__)

"""Other implementations of all metrics, one module per metric, each with a list ORIGINALS."""

import importlib
import pkgutil


def originals():
    """Return all originals by module and name, as in `bleu|sacrebleu`."""
    return {
        f"{module.name}|{original.name}": original
        for module in pkgutil.iter_modules(__path__)
        for original in importlib.import_module(f"{__name__}.{module.name}").ORIGINALS
    }

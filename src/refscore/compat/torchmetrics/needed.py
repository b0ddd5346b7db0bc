"""torch and torchmetrics, or the error that says how to get them."""

from __future__ import annotations

from refscore.errors import NotInstalledError

try:
    import torch
    import torchmetrics
except ModuleNotFoundError as error:
    if error.name not in ("torch", "torchmetrics"):  # something that they need themselves
        raise
    raise NotInstalledError(
        "refscore.compat.torchmetrics needs torch and torchmetrics: pip install 'refscore[torch]'", name=error.name
    ) from None

__all__ = ["torch", "torchmetrics"]

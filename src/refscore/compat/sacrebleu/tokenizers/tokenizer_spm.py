"""sacrebleu's SentencePiece tokenizers, with models from its folder."""

from __future__ import annotations

import logging
from contextlib import suppress

from refscore.compat.error_types import UnknownNameKeyError
from refscore.compat.sacrebleu.original import original
from refscore.compat.sacrebleu.tokenizers.tokenizer_base import ExternalTokenizer
from refscore.errors import NotInstalledError
from refscore.tokenizers.models import MODELS

sacrelogger = logging.getLogger("sacrebleu")

SPM_MODELS = {name: {"url": model.address, "signature": model.name} for name, model in MODELS.items()}


class TokenizerSPM(ExternalTokenizer):
    """Split text with a SentencePiece model: "flores101" (formerly "spm"), "flores200" or "spBLEU-1K"."""

    def __init__(self, key: str = "spm") -> None:
        if key not in SPM_MODELS:
            raise UnknownNameKeyError.suggest("model", key, SPM_MODELS)
        self.name = SPM_MODELS[key]["signature"]
        if key == "spm":
            sacrelogger.warning("The tokenizer 'spm' is now called 'flores101'.")
        _download(key)
        super().__init__()


class Flores101Tokenizer(TokenizerSPM):
    """Split text with the Flores-101 model."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """Split text with the Flores-200 model."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801
    """Split text with the spBLEU-1K model."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")


def _download(key: str) -> None:
    model = MODELS[key]
    if not model.path.is_file():
        with suppress(NotInstalledError):  # the error of the tokenizer names the missing file
            original("utils", "downloads of models need").download_file(model.address, str(model.path))

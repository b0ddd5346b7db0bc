"""sacrebleu's tokenizers by SentencePiece models, which are in its folder."""

from __future__ import annotations

import logging
from contextlib import suppress

from refscore.compat.sacrebleu.errors import UnknownTokenizerError
from refscore.compat.sacrebleu.original import original
from refscore.compat.sacrebleu.tokenizers.tokenizer_base import ExternalTokenizer
from refscore.errors import NotInstalledError
from refscore.tokenizers.models import MODELS

sacrelogger = logging.getLogger("sacrebleu")

SPM_MODELS = {name: {"url": model.address, "signature": model.name} for name, model in MODELS.items()}


class TokenizerSPM(ExternalTokenizer):
    """The pieces of a SentencePiece model: "flores101", which was "spm" before, "flores200" or "spBLEU-1K".

    The sacrebleu package, if it is installed, downloads a model that is not in its folder.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM
        >>> TokenizerSPM("flores200")("Hello, world.")  # doctest: +SKIP
        '▁Hello , ▁world .'
    """

    def __init__(self, key: str = "spm") -> None:
        if key not in SPM_MODELS:
            raise UnknownTokenizerError.suggest("model", key, SPM_MODELS)
        self.name = SPM_MODELS[key]["signature"]
        if key == "spm":
            sacrelogger.warning("The tokenizer 'spm' is called 'flores101' now.")
        _download(key)
        super().__init__()


class Flores101Tokenizer(TokenizerSPM):
    """The pieces of the model for Flores-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The pieces of the model for Flores-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801
    """The pieces of spBLEU-1K's model."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")


def _download(key: str) -> None:
    model = MODELS[key]
    if not model.path.is_file():
        with suppress(NotInstalledError):  # the tokenizer itself says which file is missing
            original("utils", "models are downloaded by").download_file(model.address, str(model.path))

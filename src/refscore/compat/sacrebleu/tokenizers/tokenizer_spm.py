"""sacrebleu's tokenizers by SentencePiece models, which it keeps in its folder."""

from __future__ import annotations

import logging

from refscore.compat.sacrebleu.mistakes import UnknownTokenizerError
from refscore.compat.sacrebleu.original import original
from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, needed
from refscore.errors import NotInstalledError
from refscore.tokenizers import tokenize
from refscore.tokenizers.models import MODELS

sacrelogger = logging.getLogger("sacrebleu")

SPM_MODELS = {name: {"url": model.address, "signature": model.name} for name, model in MODELS.items()}


class TokenizerSPM(BaseTokenizer):
    """The pieces of a SentencePiece model.

    A model that is not in sacrebleu's folder is fetched by the sacrebleu package if that is installed.

    Args:
        key: "flores101", "flores200", "spBLEU-1K" or "spm", the former name of the first.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM
        >>> TokenizerSPM("flores200")("Hello, world.")  # doctest: +SKIP
        '▁Hello , ▁world .'
    """

    def __init__(self, key: str = "spm") -> None:
        if key not in SPM_MODELS:
            raise UnknownTokenizerError.of("model", key, SPM_MODELS)
        self.name = SPM_MODELS[key]["signature"]
        if key == "spm":
            sacrelogger.warning("The tokenizer 'spm' is called 'flores101' now.")
        _fetch(key)
        needed(self.name)

    def signature(self) -> str:
        """The tokenizer's name in signatures."""
        return self.name

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        return " ".join(tokenize(line, self.name))


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


def _fetch(key: str) -> None:
    model = MODELS[key]
    if model.path.is_file():
        return
    try:
        theirs = original("utils", "models are fetched by")
    except NotInstalledError:
        return  # the tokenizer itself says which file has to be where
    theirs.download_file(model.address, str(model.path))

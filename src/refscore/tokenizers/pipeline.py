"""The steps from text to tokens, in this order: normalization, lowercasing, tokenizing, stemming."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError, SettingError, UnknownNameError
from refscore.tokenizers import registry
from refscore.tokenizers.base import AnyTokenizer, Tokenizer

Lowercase = bool | Literal["ascii"]
Normalize = Literal["none", "NFC", "NFKC"]

NORMALIZATIONS = ("none", "NFC", "NFKC")


def lower_ascii(text: str) -> str:
    """Lowercase only A to Z, as mteval does."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Pipeline:
    """The settings that process text. They do not change input that is tokens."""

    tokenizer: AnyTokenizer
    lowercase: Lowercase
    normalize: Normalize
    _: KW_ONLY
    references_twice: bool = False
    """Whether native tokenizers tokenize references twice, as sacrebleu's TER does."""
    stem: bool = False
    """Whether tokens of more than three characters are stemmed with Porter's rules for English."""
    lines: bool = False
    """Whether lines of text stay separate. In tokens, the string "\\n" then ends a line."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenizer", registry.resolve(self.tokenizer)[0])
        if not isinstance(self.lowercase, bool) and self.lowercase != "ascii":
            raise SettingError(f"lowercase must be True, False or 'ascii', not {self.lowercase!r}")
        if self.normalize not in NORMALIZATIONS:
            raise UnknownNameError.suggest("normalization", self.normalize, NORMALIZATIONS)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return registry.get(self.tokenizer)

    @cached_property
    def native(self) -> _native.TextRules:
        """The rules for kernels to read the text that `prepare` returns."""
        tokenizer = self._tokenizer.native or _native.Tokenizer.none
        lowercase = {False: _native.Lowercase.none, True: _native.Lowercase.full, "ascii": _native.Lowercase.ascii}
        return _native.TextRules(
            tokenizer,
            lowercase[self.lowercase],
            references_twice=self.references_twice,
            stem=self.stem,
            lines=self.lines,
        )

    @cached_property
    def prepare(self) -> Callable[[str], str | Sequence[Hashable]] | None:
        """The Python function that prepares a text for the kernels; None if they can read it directly."""
        if self._tokenizer.native is None:
            return self._split
        return None if self.normalize == "none" else self.normalize_text

    def prepare_all(self, texts: Sequence[str], threads: int = 0) -> list[Any]:
        """Prepare each text. A Python tokenizer is called once, with equal texts deduplicated."""
        if self._tokenizer.native is not None:
            return [self.normalize_text(text) for text in texts]
        unique = [*dict.fromkeys(texts)]
        sequences = self._split_all([self.normalize_text(text) for text in unique], threads)
        tokens = dict(zip(unique, sequences, strict=True))
        return [tokens[text] for text in texts]

    def prepare_entries(self, entries: Sequence[Sequence[str]], threads: int = 0) -> list[list[Any]]:
        """Prepare the texts of each segment's references."""
        prepared = iter(self.prepare_all([*chain.from_iterable(entries)], threads))
        return [[next(prepared) for _ in entry] for entry in entries]

    def _split(self, text: str) -> list[Hashable]:
        return self._split_all([self.normalize_text(text)], 1)[0]

    def _split_all(self, texts: list[str], threads: int) -> list[list[Hashable]]:
        if not self.lines:
            sequences = self._tokenizer.tokenize_all(texts, threads)
            return [[*map(self._stem, tokens)] for tokens in sequences] if self.stem else sequences
        lines = [text.split("\n") for text in texts]
        words = iter(self._tokenizer.tokenize_all([*chain.from_iterable(lines)], threads))
        return [[token for _ in parts for token in self._line(next(words))] for parts in lines]

    def _line(self, words: list[Hashable]) -> list[Hashable]:
        if not all(isinstance(word, str) for word in words):
            raise InputError(
                None, "the tokenizer returned tokens that are not strings", "ROUGE-Lsum needs strings to separate lines"
            )
        return [*map(self._stem, words), "\n"]

    def _stem(self, token: Hashable) -> Hashable:
        if not self.stem or not isinstance(token, str) or len(token) <= 3:
            return token
        return _native.porter_stem(token, to_lowercase=False)

    def normalize_text(self, text: str) -> str:
        """Return the normalized and lowercased text."""
        if self.normalize != "none":
            text = unicodedata.normalize(self.normalize, text)
        if self.lowercase is False:
            return text
        return text.lower() if self.lowercase is True else lower_ascii(text)

    def tokens(self, text: str, *, is_reference: bool = False) -> list[Hashable]:
        """Return the tokens of a text as the metric counts them."""
        return self.tokens_all([text], is_reference=is_reference)[0]

    def tokens_all(self, texts: Sequence[str], *, is_reference: bool = False) -> list[list[Hashable]]:
        """Return the tokens of each text as the metric counts them."""
        prepared = texts if self.prepare is None else self.prepare_all(texts)
        return [
            list(_native.tokenize(item, self.native, is_reference) if isinstance(item, str) else item)
            for item in prepared
        ]

    def words(self, item: Any, *, is_reference: bool = False) -> list[Hashable]:
        """Return the tokens of one checked hypothesis or reference, which is a text or a token sequence."""
        if isinstance(item, str):
            return self.tokens(item, is_reference=is_reference)
        return item.tolist() if isinstance(item, np.ndarray) else list(item)

    def __str__(self) -> str:
        """Return all settings as text."""
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase]
        flags = {"stem": self.stem, "lines": self.lines}
        return "|".join(
            [
                f"case:{case}|norm:{self.normalize}|tok:{self._tokenizer.name}",
                *(["refs:twice"] if self.references_twice else []),
                *(f"{name}:{'yes' if flag else 'no'}" for name, flag in flags.items()),
            ]
        )

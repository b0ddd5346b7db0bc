"""The steps from text to tokens.

In this order: removing patterns, normalization, lowercasing, removing characters, tokenizing, stemming.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError, SettingError
from refscore.normalizers import Normalizer, registry as normalizers
from refscore.normalizers.base import AnyNormalizer
from refscore.tokenizers import registry
from refscore.tokenizers.base import AnyTokenizer, Tokenizer

Lowercase = bool | Literal["ascii"]


def lower_ascii(text: str) -> str:
    """Lowercase only A to Z, as mteval does."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Pipeline:
    """The settings that process text. They do not change input that is tokens."""

    tokenizer: AnyTokenizer
    lowercase: Lowercase
    normalize: AnyNormalizer
    _: KW_ONLY
    references_twice: bool = False
    """Whether native tokenizers tokenize references twice, as sacrebleu's TER does."""
    stem: bool = False
    """Whether tokens of more than three characters are stemmed with Porter's rules for English."""
    lines: bool = False
    """Whether lines of text stay separate. In tokens, the string "\\n" then ends a line."""
    no_punctuation: bool = False
    """Whether ASCII punctuation is removed before tokenizing."""
    no_digits: bool = False
    """Whether ASCII digits are removed before tokenizing."""
    patterns: tuple[str, ...] = ()
    """Regular expressions that are removed from the original text, one after the other.

    NUL characters at the end are removed after each, as NumPy's arrays of strings do in evaluate."""
    alternatives: bool = False
    """Whether references have alternatives: "{gonna / going to}", "@" for none, "(word)" for an optional word."""
    rewriter: Any = None
    """Rules that rewrite the original text: an object with `apply(text, is_reference=…)` and `digest`, or None."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenizer", registry.resolve(self.tokenizer)[0])
        if not isinstance(self.lowercase, bool) and self.lowercase != "ascii":
            raise SettingError(f"lowercase must be True, False or 'ascii', not {self.lowercase!r}")
        object.__setattr__(self, "normalize", normalizers.resolve(self.normalize)[0])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return registry.get(self.tokenizer)

    @cached_property
    def _normalizer(self) -> Normalizer:
        return normalizers.get(self.normalize)

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
            no_punctuation=self.no_punctuation,
            no_digits=self.no_digits,
            alternatives=self.alternatives,
        )

    @cached_property
    def prepare(self) -> Callable[[str], str | Sequence[Hashable]] | None:
        """The Python function that prepares a text for the kernels; None if they can read it directly."""
        if self._tokenizer.native is None:
            return self._split
        changes_text = self.patterns or self._normalizer.name != "none" or self.rewriter is not None
        return self.normalize_text if changes_text else None

    def prepare_all(self, texts: Sequence[str], threads: int = 0, *, is_reference: bool = False) -> list[Any]:
        """Prepare each text. A Python tokenizer is called once, with equal texts deduplicated."""
        if self.rewriter is not None:
            texts = [self.rewriter.apply(text, is_reference=is_reference) for text in texts]
        return (
            self._prepare_marked(texts, threads) if self.alternatives and is_reference else self._plain(texts, threads)
        )

    def _prepare_marked(self, texts: Sequence[str], threads: int) -> list[Any]:
        """Prepare references with alternatives: the parts between marks, which would not survive normalization."""
        split = [_native.split_markup(text) for text in texts]
        plain = iter(self._plain([part for parts in split for part, is_mark in parts if not is_mark], threads))
        pieces = [[part if is_mark else next(plain) for part, is_mark in parts] for parts in split]
        if self._tokenizer.native is not None:
            return [" ".join(parts) for parts in pieces]
        words = [
            [*chain.from_iterable([part] if isinstance(part, str) else part for part in parts)] for parts in pieces
        ]
        if not all(isinstance(word, str) for word in chain.from_iterable(words)):
            problem = "the tokenizer returned tokens that are not strings"
            raise InputError(None, problem, "references with alternatives need strings")
        return words

    def _plain(self, texts: Sequence[str], threads: int) -> list[Any]:
        if self._tokenizer.native is not None:
            return self._normalize_all(texts)  # the kernels apply the other settings
        unique = [*dict.fromkeys(texts)]
        sequences = self._split_all([*map(self._change_characters, self._normalize_all(unique))], threads)
        tokens = dict(zip(unique, sequences, strict=True))
        return [tokens[text] for text in texts]

    def prepare_entries(self, entries: Sequence[Sequence[str]], threads: int = 0) -> list[list[Any]]:
        """Prepare the texts of each segment's references."""
        prepared = iter(self.prepare_all([*chain.from_iterable(entries)], threads, is_reference=True))
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
        """Return the text as tokenizers get it: normalized, lowercased, and without the removed parts."""
        return self._change_characters(self._normalizer.normalize(self._remove_patterns(text)))

    def _normalize_all(self, texts: Sequence[str]) -> list[str]:
        return self._normalizer.normalize_all([*map(self._remove_patterns, texts)] if self.patterns else texts)

    def _remove_patterns(self, text: str) -> str:
        for pattern in self.patterns:
            text = re.sub(pattern, "", text).rstrip("\0")
        return text

    def _change_characters(self, text: str) -> str:
        if self.lowercase is not False:
            text = text.lower() if self.lowercase is True else lower_ascii(text)
        return text.translate(self._removed) if self._removed else text

    @cached_property
    def _removed(self) -> dict[int, None]:
        characters = (string.punctuation if self.no_punctuation else "") + (string.digits if self.no_digits else "")
        return dict.fromkeys(map(ord, characters))

    def tokens(self, text: str, *, is_reference: bool = False) -> list[Hashable]:
        """Return the tokens of a text as the metric counts them."""
        return self.tokens_all([text], is_reference=is_reference)[0]

    def tokens_all(self, texts: Sequence[str], *, is_reference: bool = False) -> list[list[Hashable]]:
        """Return the tokens of each text as the metric counts them."""
        prepared = texts if self.prepare is None else self.prepare_all(texts, is_reference=is_reference)
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
        digest = "" if self.rewriter is None else self.rewriter.digest
        rare = {
            "alt:nist": self.alternatives,
            f"rules:{digest}": digest,
            "punct:no": self.no_punctuation,
            "digits:no": self.no_digits,
            f"removed:{self.patterns}": self.patterns,
        }
        return "|".join(
            [
                f"case:{case}|norm:{self._normalizer.name}|tok:{self._tokenizer.name}",
                *(["refs:twice"] if self.references_twice else []),
                *(f"{name}:{'yes' if flag else 'no'}" for name, flag in flags.items()),
                *(name for name, value in rare.items() if value),
            ]
        )

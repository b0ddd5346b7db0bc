"""The steps from text to tokens.

In this order: preprocessors, normalization, lowercasing, removing characters, tokenizing, stemming.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError, SettingError
from refscore.inputs import as_list
from refscore.normalizers import Normalizer, registry as normalizers
from refscore.normalizers.base import AnyNormalizer
from refscore.tokenizers import registry
from refscore.tokenizers.base import AnyTokenizer, Tokenizer

Lowercase = bool | Literal["ascii"]
Prepare: TypeAlias = Callable[[Sequence[str]], list[Any]]


def lower_ascii(text: str) -> str:
    """Lowercase only A to Z, as mteval does."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


class Preprocessor:
    """A change in the original text, before all other steps. Subclasses are frozen dataclasses with `__str__`."""

    # The options of `TextRules` with which kernels do the same, empty if they cannot.
    native_options: ClassVar[tuple[str, ...]] = ()

    def prepare(self, texts: Sequence[str], then: Prepare, *, is_reference: bool, returns_tokens: bool) -> list[Any]:
        """Return the texts after this change and `then`, which returns tokens or texts for a native tokenizer."""
        raise NotImplementedError


@dataclass(frozen=True)
class Pipeline:
    """The settings that process text. They do not change input that is tokens."""

    tokenizer: AnyTokenizer
    lowercase: Lowercase
    normalize: AnyNormalizer
    _: KW_ONLY
    references_twice: bool = False
    """Whether native tokenizers tokenize references twice."""
    stem: bool = False
    """Whether tokens of more than three characters are stemmed with Porter's rules for English."""
    lines: bool = False
    """Whether lines of text stay separate. In tokens, the string "\\n" then ends a line."""
    no_punctuation: bool = False
    """Whether ASCII punctuation is removed before tokenizing."""
    no_digits: bool = False
    """Whether ASCII digits are removed before tokenizing."""
    preprocessors: tuple[Preprocessor, ...] = ()
    """Changes of the original text, one after the other."""

    _tokenizer: Tokenizer = field(init=False, repr=False, compare=False)
    _normalizer: Normalizer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tokenizer, self.__dict__["_tokenizer"] = registry.resolve(self.tokenizer)
        normalize, self.__dict__["_normalizer"] = normalizers.resolve(self.normalize)
        self.__dict__.update(tokenizer=tokenizer, normalize=normalize)  # the dataclass is frozen
        if not isinstance(self.lowercase, bool) and self.lowercase != "ascii":
            raise SettingError(f"lowercase must be True, False or 'ascii', not {self.lowercase!r}")

    @cached_property
    def native(self) -> _native.TextRules:
        """The rules for kernels to read the text that `prepare` returns."""
        return _native.TextRules(
            self._tokenizer.native or "none",
            self.lowercase,
            references_twice=self.references_twice,
            stem=self.stem,
            lines=self.lines,
            no_punctuation=self.no_punctuation,
            no_digits=self.no_digits,
            **dict.fromkeys(self._native_options, True),
        )

    @property
    def _native_options(self) -> list[str]:
        return [option for preprocessor in self.preprocessors for option in preprocessor.native_options]

    @property
    def alternatives(self) -> bool:
        """Whether references have alternatives."""
        return "alternatives" in self._native_options

    @cached_property
    def prepare(self) -> Callable[..., list[Any]] | None:
        """`prepare_all`, or None if the kernels can read texts directly."""
        is_plain = self._normalizer.name == "none" and all(each.native_options for each in self.preprocessors)
        return None if is_plain and self._tokenizer.native is not None else self.prepare_all

    def prepare_all(self, texts: Sequence[str], threads: int = 0, *, is_reference: bool = False) -> list[Any]:
        """Prepare each text. A Python tokenizer is called once, with equal texts deduplicated."""
        prepare: Prepare = partial(self._plain, threads=threads)
        returns_tokens = self._tokenizer.native is None
        for preprocessor in reversed(self.preprocessors):
            prepare = partial(
                preprocessor.prepare, then=prepare, is_reference=is_reference, returns_tokens=returns_tokens
            )
        return prepare(texts)

    def _plain(self, texts: Sequence[str], threads: int) -> list[Any]:
        if self._tokenizer.native is not None:
            return self._normalizer.normalize_all(texts)  # the kernels apply the other settings
        unique = [*dict.fromkeys(texts)]
        sequences = self._split_all([*map(self._change_characters, self._normalizer.normalize_all(unique))], threads)
        tokens = dict(zip(unique, sequences, strict=True))
        return [tokens[text] for text in texts]

    def prepare_entries(self, entries: Sequence[Sequence[str]], threads: int = 0) -> list[list[Any]]:
        prepared = iter(self.prepare_all([*chain.from_iterable(entries)], threads, is_reference=True))
        return [[next(prepared) for _ in entry] for entry in entries]

    def _split_all(self, texts: list[str], threads: int) -> list[list[Hashable]]:
        if not self.lines:
            sequences = self._tokenizer.tokenize_all(texts, threads)
            return [[*map(self._stem, tokens)] for tokens in sequences] if self.stem else sequences
        lines = [text.split("\n") for text in texts]
        words = iter(self._tokenizer.tokenize_all([*chain.from_iterable(lines)], threads))
        return [[token for _ in parts for token in self._line(next(words))] for parts in lines]

    def _line(self, words: list[Hashable]) -> list[Hashable]:
        if not all(isinstance(word, str) for word in words):
            raise InputError(None, "the tokenizer returned tokens that are not strings", "separate lines need strings")
        return [*map(self._stem, words), "\n"]

    def _stem(self, token: Hashable) -> Hashable:
        if not self.stem or not isinstance(token, str) or len(token) <= 3:
            return token
        return _native.porter_stem(token, to_lowercase=False)

    def normalize_text(self, text: str) -> str:
        """Return the text as tokenizers get it: normalized, lowercased, and without the removed characters."""
        return self._change_characters(self._normalizer.normalize(text))

    def _change_characters(self, text: str) -> str:
        if self.lowercase is not False:
            text = text.lower() if self.lowercase is True else lower_ascii(text)
        return text.translate(self._removed) if self._removed else text

    @cached_property
    def _removed(self) -> dict[int, None]:
        characters = (string.punctuation if self.no_punctuation else "") + (string.digits if self.no_digits else "")
        return dict.fromkeys(map(ord, characters))

    def tokens(self, text: str, *, is_reference: bool = False) -> list[Hashable]:
        """Return a text's tokens as the metric counts them."""
        return self.tokens_all([text], is_reference=is_reference)[0]

    def tokens_all(self, texts: Sequence[str], *, is_reference: bool = False) -> list[list[Hashable]]:
        return [*self._iterate_tokens(texts, is_reference)]

    def _iterate_tokens(self, texts: Sequence[str], is_reference: bool) -> Iterator[list[Hashable]]:
        for item in texts if self.prepare is None else self.prepare_all(texts, is_reference=is_reference):
            yield list(_native.tokenize(item, self.native, is_reference) if isinstance(item, str) else item)

    def count_tokens(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.fromiter(map(len, self._iterate_tokens(texts, False)), np.int64, len(texts))

    def words(self, item: Any, *, is_reference: bool = False) -> list[Hashable]:
        if isinstance(item, str):
            return self.tokens(item, is_reference=is_reference)
        return as_list(item)

    def __str__(self) -> str:
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase]
        flags = {"stem": self.stem, "lines": self.lines}
        return "|".join(
            [
                f"case:{case}|norm:{self._normalizer.name}|tok:{self._tokenizer.name}",
                *(["refs:twice"] if self.references_twice else []),
                *(f"{name}:{'yes' if flag else 'no'}" for name, flag in flags.items()),
                *map(str, self.preprocessors),
                *(["punct:no"] if self.no_punctuation else []),
                *(["digits:no"] if self.no_digits else []),
            ]
        )

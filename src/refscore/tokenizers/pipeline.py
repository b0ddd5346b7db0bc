"""What happens to text before it is counted: normalization, lowercasing, tokenizing, stemming; in this order."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Literal

import numpy as np

from refscore import _native
from refscore.errors import InputError, SettingError, UnknownNameError
from refscore.tokenizers import registry
from refscore.tokenizers.base import AnyTokenizer, Tokenizer

Lowercase = bool | Literal["ascii"]
Normalize = Literal["none", "NFC", "NFKC"]

NORMALIZATIONS = ("none", "NFC", "NFKC")


def lower_ascii(text: str) -> str:
    """Lowercases A to Z alone, as mteval does.

    >>> lower_ascii("ÀB")
    'Àb'
    """
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Pipeline:
    """Settings that act on text, and do nothing to tokens.

    With `references_twice`, the tokens of a reference are joined and tokenized again; by native tokenizers alone.
    """

    tokenizer: AnyTokenizer
    lowercase: Lowercase
    normalize: Normalize
    _: KW_ONLY
    references_twice: bool = False
    """Whether references are tokenized, and then the joined tokens once more, as sacrebleu's TER does."""
    stem: bool = False
    """Whether tokens of more than three characters are stemmed, by Porter's rules for English."""
    lines: bool = False
    """Whether a line of text is kept apart from the next; in tokens, the string of a line break then ends a line."""

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
        """What the kernels do to text that `prepare` leaves."""
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
        """What has to be done to a text in Python before a kernel can read it; None if nothing has."""
        if self.normalize == "none" and self._tokenizer.native is not None:
            return None
        return self.rewritten if self._tokenizer.native is not None else self._split_in_python

    def prepare_all(self, texts: Sequence[str], threads: int = 0) -> list[Any]:
        """What `prepare` makes of each text; a tokenizer in Python sees equal texts once, and all in one call.

        Args:
            texts: Those of a block.
            threads: How many a tokenizer may use; 0 for all cores.

        >>> Pipeline(str.split, True, "none").prepare_all(["A b", "A b", "c"])
        [['a', 'b'], ['a', 'b'], ['c']]
        """
        if self._tokenizer.native is not None:
            return [self.rewritten(text) for text in texts]
        unique = [*dict.fromkeys(texts)]
        tokens = dict(zip(unique, self._split_all([self.rewritten(text) for text in unique], threads), strict=True))
        return [tokens[text] for text in texts]

    def prepare_entries(self, entries: Sequence[Sequence[str]], threads: int = 0) -> list[list[Any]]:
        """The same of each segment's references.

        >>> Pipeline(str.split, False, "none").prepare_entries([["a b", "c"], ["d"]])
        [[['a', 'b'], ['c']], [['d']]]
        """
        prepared = iter(self.prepare_all([*chain.from_iterable(entries)], threads))
        return [[next(prepared) for _ in entry] for entry in entries]

    def _split_in_python(self, text: str) -> list[Hashable]:
        return self._split_all([self.rewritten(text)], 1)[0]

    def _split_all(self, texts: list[str], threads: int) -> list[list[Hashable]]:
        if not self.lines:
            found = self._tokenizer.tokenize_all(texts, threads)
            return [[*map(self._stemmed, tokens)] for tokens in found] if self.stem else found
        lines = [text.split("\n") for text in texts]
        words = iter(self._tokenizer.tokenize_all([*chain.from_iterable(lines)], threads))
        return [[token for _ in parts for token in self._line(next(words))] for parts in lines]

    def _line(self, words: list[Hashable]) -> list[Hashable]:
        if not all(isinstance(word, str) for word in words):
            raise InputError(None, "the tokenizer returned tokens that are no strings: lines cannot be told apart then")
        return [*map(self._stemmed, words), "\n"]

    def _stemmed(self, token: Hashable) -> Hashable:
        if not self.stem or not isinstance(token, str) or len(token) <= 3:
            return token
        return _native.porter_stem(token, to_lowercase=False)

    @cached_property
    def _steps(self) -> list[Callable[[str], str]]:
        """What is done to a text before it is cut into tokens."""
        steps: list[Callable[[str], str]] = []
        if self.normalize != "none":
            form = self.normalize
            steps.append(lambda text: unicodedata.normalize(form, text))
        if self.lowercase is True:
            steps.append(str.lower)
        elif self.lowercase == "ascii":
            steps.append(lower_ascii)
        return steps

    def rewritten(self, text: str) -> str:
        """The text that is cut into tokens: normalized and lowercased.

        >>> Pipeline("char", True, "NFKC").rewritten("Ａ Ⅳ")
        'a iv'
        """
        for step in self._steps:
            text = step(text)
        return text

    def tokens(self, text: str, *, is_reference: bool = False) -> list[Hashable]:
        """The tokens that are counted for a text.

        >>> Pipeline("13a", True, "none").tokens("Hello, World")
        ['hello', ',', 'world']
        """
        return self.tokens_all([text], is_reference=is_reference)[0]

    def tokens_all(self, texts: Sequence[str], *, is_reference: bool = False) -> list[list[Hashable]]:
        """The tokens that are counted for each text.

        >>> Pipeline("13a", True, "none").tokens_all(["Hello, World", ""])
        [['hello', ',', 'world'], []]
        """
        prepared = texts if self.prepare is None else self.prepare_all(texts)
        return [
            list(_native.tokenize(item, self.native, is_reference) if isinstance(item, str) else item)
            for item in prepared
        ]

    def words(self, item: Any, *, is_reference: bool = False) -> list[Hashable]:
        """The tokens of one checked hypothesis or reference: of text as they are counted, others as they came.

        >>> Pipeline("none", True, "none").words("Hello World"), Pipeline("none", True, "none").words(("Hello", 3))
        (['hello', 'world'], ['Hello', 3])
        """
        if isinstance(item, str):
            return self.tokens(item, is_reference=is_reference)
        return item.tolist() if isinstance(item, np.ndarray) else list(item)

    def signature(self) -> dict[str, str]:
        """The settings as pairs of a signature."""
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase]
        pairs = {"case": case, "norm": self.normalize, "tok": self._tokenizer.name}
        return {**pairs, "refs": "twice"} if self.references_twice else pairs

    def __str__(self) -> str:
        """All settings: those of `signature`, and those that a metric's signature has in words of its own.

        >>> str(Pipeline("rouge", True, "none", stem=True))
        'case:lc|norm:none|tok:rouge|stem:yes|lines:no'
        """
        flags = {"stem": self.stem, "lines": self.lines}
        pairs = {**self.signature(), **{name: "yes" if flag else "no" for name, flag in flags.items()}}
        return "|".join(f"{name}:{value}" for name, value in pairs.items())

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from refscore.errors import InputError

TokenizeFunction = Callable[[str], Sequence[Hashable]]


class Encoder(Protocol):
    """An object of the package tokenizers, tiktoken or sentencepiece, recognized by its class."""

    @property
    def encode(self) -> Callable[..., Any]:
        """The method that these objects share, for type checkers; refscore may not call it."""


# The values of a metric's setting `tokenizer`.
AnyTokenizer: TypeAlias = str | TokenizeFunction | Encoder


@dataclass(frozen=True)
class Tokenizer:
    """A named tokenizer.

    A function that is faster on many texts at once can have a method `batch(texts, threads)`. It returns the tokens of
    each text. `threads` is 0 for all cores.

    Example:
        >>> from refscore import tokenizers
        >>> tokenizers.get("char").tokenize("a b")
        ['a', 'b']
        >>> tokenizers.get("none").summary
        'splits at whitespace only'
    """

    name: str
    function: TokenizeFunction
    native: str | None = None
    summary: str = ""

    def tokenize(self, text: str) -> list[Hashable]:
        """Return a text's tokens."""
        return _check_tokens(self.function(text))

    def __call__(self, text: str) -> list[Hashable]:
        """Return a text's tokens, so a tokenizer can be passed as a function."""
        return self.tokenize(text)

    def tokenize_all(self, texts: Sequence[str], threads: int = 0) -> list[list[Hashable]]:
        """Return each text's tokens, in one call if the function has a method `batch`.

        >>> from refscore import tokenizers
        >>> tokenizers.get("char").tokenize_all(["ab", "c"])
        [['a', 'b'], ['c']]
        """
        batch = getattr(self.function, "batch", None)
        if batch is None or len(texts) < 2:
            return [self.tokenize(text) for text in texts]
        sequences = [_check_tokens(tokens) for tokens in batch(texts, threads)]
        if len(sequences) != len(texts):
            raise InputError(
                None,
                f"the tokenizer's batch() returned {len(sequences)} token sequences for {len(texts)} texts",
                "return one sequence per text",
            )
        return sequences


def _check_tokens(tokens: Any) -> list[Hashable]:
    if isinstance(tokens, list):
        return tokens
    if isinstance(tokens, (str, bytes, Set, Mapping)) or not isinstance(tokens, Iterable):
        shown = f"a {type(tokens).__name__}" if isinstance(tokens, (str, Set, Mapping)) else repr(tokens)
        raise InputError(None, f"the tokenizer returned {shown}", "return a list of tokens")
    return list(tokens)


def well_formed(text: str) -> str:
    """Return the text with U+FFFD instead of lone surrogates, which other packages cannot read."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

"""What a tokenizer is: a name and a function from text to tokens; the built-in ones also run inside the kernels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from refscore import _native
from refscore.errors import InputError

TokenizeFunction = Callable[[str], Sequence[Hashable]]


class Encoder(Protocol):
    """An object of the packages tokenizers, tiktoken or sentencepiece; which of them, its class says."""

    @property
    def encode(self) -> Callable[..., Any]:
        """What they have in common, and callers of refscore need not call."""


# What a metric's setting `tokenizer` takes.
AnyTokenizer: TypeAlias = str | TokenizeFunction | Encoder


@dataclass(frozen=True)
class Tokenizer:
    """A named tokenizer.

    A function that is quicker on many texts at once has a method `batch(texts, threads)`, which gives the tokens of
    each text; `threads` is how many it may use, 0 for all cores.

    Example:
        >>> from refscore import tokenizers
        >>> tokenizers.get("char").tokenize("a b")
        ['a', 'b']
        >>> tokenizers.get("none").summary
        'splits at white space only'
    """

    name: str
    function: TokenizeFunction
    native: _native.Tokenizer | None = None
    summary: str = ""

    def tokenize(self, text: str) -> list[Hashable]:
        """The tokens of a text."""
        return _checked(self.function(text))

    def __call__(self, text: str) -> list[Hashable]:
        """The tokens of a text: a tokenizer is itself a function."""
        return self.tokenize(text)

    def tokenize_all(self, texts: Sequence[str], threads: int = 0) -> list[list[Hashable]]:
        """The tokens of each text; by one call where the function offers it.

        >>> from refscore import tokenizers
        >>> tokenizers.get("char").tokenize_all(["ab", "c"])
        [['a', 'b'], ['c']]
        """
        batch = getattr(self.function, "batch", None)
        if batch is None or len(texts) < 2:
            return [self.tokenize(text) for text in texts]
        found = [_checked(tokens) for tokens in batch(texts, threads)]
        if len(found) != len(texts):
            raise InputError(
                None, f"the tokenizer's batch() returned {len(found)} token sequences for {len(texts)} texts"
            )
        return found


def _checked(tokens: Any) -> list[Hashable]:
    if isinstance(tokens, list):
        return tokens
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Iterable):
        what = "a string" if isinstance(tokens, str) else repr(tokens)
        raise InputError(None, f"the tokenizer returned {what}: it has to return a sequence of tokens")
    return list(tokens)


def well_formed(text: str) -> str:
    r"""The text with U+FFFD for halves of surrogate pairs, which other packages cannot read.

    >>> well_formed("a\ud83d b") == "a\ufffd b", well_formed("é")
    (True, 'é')
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

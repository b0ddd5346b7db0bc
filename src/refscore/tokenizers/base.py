"""What a tokenizer is: a name and a function from text to tokens; the built-in ones also run inside the kernels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from refscore import _native
from refscore.errors import InputError

TokenizeFunction = Callable[[str], Sequence[Hashable]]


@dataclass(frozen=True)
class Tokenizer:
    """A named tokenizer.

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
        tokens = self.function(text)
        if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Iterable):
            what = "a string" if isinstance(tokens, str) else repr(tokens)
            raise InputError(f"the tokenizer returned {what}: it has to return a sequence of tokens")
        return list(tokens)

"""What a tokenizer is: a name and a function from text to tokens; the built-in ones also run inside the kernels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from refscore import _native

TokenizeFunction = Callable[[str], Sequence[Hashable]]


@dataclass(frozen=True)
class Tokenizer:
    """A named tokenizer."""

    name: str
    function: TokenizeFunction
    native: _native.Tokenizer | None = None

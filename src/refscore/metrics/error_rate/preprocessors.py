"""Changes of text before error rates: rewriting by rules, and references with alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

from refscore import _native
from refscore.errors import InputError
from refscore.metrics.error_rate.glm import GLM
from refscore.tokenizers.pipeline import Prepare, Preprocessor


@dataclass(frozen=True)
class Rewriting(Preprocessor):
    """Rewrite spellings by rules."""

    rules: GLM

    def __str__(self) -> str:
        return f"rules:{self.rules.digest}"

    def prepare(self, texts: Sequence[str], then: Prepare, *, is_reference: bool, returns_tokens: bool) -> list[Any]:
        """Rewrite the texts by the rules for their side."""
        return then([self.rules.apply(text, is_reference=is_reference) for text in texts])


@dataclass(frozen=True)
class Alternatives(Preprocessor):
    """Read alternatives in references: "{gonna / going to}", "@" for none, "(word)" for an optional word."""

    native_options: ClassVar[tuple[str, ...]] = ("alternatives",)

    def __str__(self) -> str:
        return "alt:nist"

    def prepare(self, texts: Sequence[str], then: Prepare, *, is_reference: bool, returns_tokens: bool) -> list[Any]:
        """Prepare the parts between marks, because the marks would not survive normalization."""
        if not is_reference:
            return then(texts)
        split = [_native.split_markup(text) for text in texts]
        plain = iter(then([part for parts in split for part, is_mark in parts if not is_mark]))
        pieces = [[part if is_mark else next(plain) for part, is_mark in parts] for parts in split]
        if not returns_tokens:
            return [" ".join(parts) for parts in pieces]
        words = [
            [*chain.from_iterable([part] if isinstance(part, str) else part for part in parts)] for parts in pieces
        ]
        if not all(isinstance(word, str) for word in chain.from_iterable(words)):
            problem = "the tokenizer returned tokens that are not strings"
            raise InputError(None, problem, "references with alternatives need strings")
        return words

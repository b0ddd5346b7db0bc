from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from refscore import _native
from refscore.errors import InputError

NormalizeFunction = Callable[[str], str]
# The values of the setting `normalize`.
AnyNormalizer: TypeAlias = str | NormalizeFunction


@dataclass(frozen=True)
class Normalizer:
    """A named normalizer.

    Example:
        >>> from refscore import normalizers
        >>> normalizers.get("nopunct").normalize("Well, hello!")
        'Well hello'
        >>> normalizers.get("none").summary
        'leaves text unchanged'
    """

    name: str
    function: NormalizeFunction
    native: _native.TextRewriter | None = None
    summary: str = ""

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        normalized = self.function(text)
        if not isinstance(normalized, str):
            raise InputError(None, f"the normalizer returned {normalized!r}", "return a string")
        return normalized

    def __call__(self, text: str) -> str:
        """Return the normalized text, so a normalizer can be passed as a function."""
        return self.normalize(text)

    def normalize_all(self, texts: Sequence[str]) -> list[str]:
        """Return each text normalized, in one call if the normalizer is built in.

        >>> from refscore import normalizers
        >>> normalizers.get("whisper-en").normalize_all(["It's colour", "two hundred and one"])
        ['it is color', '201']
        """
        if self.native is None:
            return [self.normalize(text) for text in texts]
        return self.native.rewrite_all(texts if isinstance(texts, list) else [*texts])

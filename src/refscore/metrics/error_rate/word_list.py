"""A list of words as a setting, such as names or rare words whose error rate is wanted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from refscore.cached import cached_property
from refscore.errors import SettingError, SignatureError
from refscore.metrics.error_rate.glm import read_lines
from refscore.settings import Kind


class WordList:
    """A set of words. Two lists are equal if they have the same words; order and duplicates do not matter.

    Args:
        words: The words. Text settings of the metric, such as lowercase, apply to them too.

    Example:
        >>> import refscore
        >>> words = refscore.WordList(["Ada", "Turing", "Ada"])
        >>> len(words), "Ada" in words
        (2, True)
        >>> refscore.WER(words=words).segment("ada met turing", "Ada met Turing").substitutions
        2
    """

    def __init__(self, words: Iterable[str]) -> None:
        if isinstance(words, str):
            raise SettingError("words must be a list of words, not a string: use WordList.read(path) for a file")
        listed = list(words)
        for i, word in enumerate(listed):
            if not isinstance(word, str):
                raise SettingError(f"words[{i}] must be a string, not {word!r}")
        self._words = tuple(sorted({word.strip() for word in listed} - {""}))
        if not self._words:
            raise SettingError("words is empty: pass at least one word")
        self._known = frozenset(self._words)

    @classmethod
    def read(cls, path: str | Path) -> WordList:
        r"""Return the words of a file, one per line.

        >>> import refscore, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "names.txt")
        >>> _ = path.write_text("Ada\nTuring\n")
        >>> list(refscore.WordList.read(path))
        ['Ada', 'Turing']
        """
        return cls(read_lines(path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._known

    @cached_property
    def digest(self) -> str:
        """A digest of the words: sixteen hexadecimal digits."""
        from hashlib import sha256  # slow to import

        return sha256(json.dumps(self._words).encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return self._words == other._words if isinstance(other, WordList) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._words)

    def __reduce__(self) -> tuple[Any, ...]:
        return WordList, (self._words,)

    def __repr__(self) -> str:
        return f"<{len(self):,} words, {self.digest}>"


class WordListKind(Kind):
    """A list of words. Signatures contain its digest."""

    values = ("a file", "none")

    def check(self, name: str, value: Any) -> WordList | None:
        """Return the list; a path is read."""
        if value is None or isinstance(value, WordList):
            return value
        if isinstance(value, Path):
            return WordList.read(value)
        if isinstance(value, (list, tuple, set, frozenset)):
            return WordList(value)
        raise SettingError(f"{name} must be a list of words, a pathlib.Path or None, not {value!r}")

    def write(self, value: WordList | None) -> str:
        """Return the digest of the list."""
        return "none" if value is None else value.digest

    def read(self, text: str) -> None:
        """Raise an error: signatures contain no words."""
        raise SignatureError(
            f"the signature has only a digest of the list of words ({text}): pass words= and compare the signatures"
        )

    def parse(self, text: str) -> WordList | None:
        """Return the words of a file; None for "none"."""
        return None if text.lower() == "none" else WordList.read(text)

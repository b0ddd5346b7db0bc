from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from refscore.errors import SettingError
from refscore.metrics.error_rate.glm import read_lines
from refscore.settings import Digested, listed_strings


class WordList(Digested):
    """A word list. Two lists are equal if they have the same words; order and duplicates do not matter.

    Args:
        words: The words. The metric's text settings, such as lowercase, apply to them too.

    Example:
        >>> import refscore
        >>> words = refscore.metrics.WordList(["Ada", "Turing", "Ada"])
        >>> len(words), "Ada" in words
        (2, True)
        >>> refscore.WER(words=words).segment("ada met turing", "Ada met Turing").substitutions
        2
    """

    def __init__(self, words: Iterable[str]) -> None:
        if isinstance(words, str):
            raise SettingError("words must be a list of words, not a string: use WordList.read(path) for a file")
        self._words = tuple(sorted({word.strip() for word in listed_strings("words", words)} - {""}))
        if not self._words:
            raise SettingError("words is empty: pass at least one word")
        self._known = frozenset(self._words)

    @classmethod
    def read(cls, path: str | Path) -> WordList:
        r"""Return a file's words, one per line.

        >>> import refscore, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "names.txt")
        >>> _ = path.write_text("Ada\nTuring\n")
        >>> list(refscore.metrics.WordList.read(path))
        ['Ada', 'Turing']
        """
        return cls(read_lines(path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._known

    def to_bytes(self) -> bytes:
        return json.dumps(self._words).encode()

    def __reduce__(self) -> tuple[Any, ...]:
        return WordList, (self._words,)

    def __repr__(self) -> str:
        return f"<{len(self):,} words, {self.digest}>"

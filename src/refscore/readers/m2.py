r"""Read M² files of grammatical error correction: sentences with the edits of one or several annotators."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refscore.errors import InputError, Location
from refscore.readers.reader import Reader, Value, unknown_field

_BLOCK = 4096
_EDIT = re.compile(r"A\s+-?[0-9]+\s+-?[0-9]+\|\|\|(?:.*?\|\|\|){4}\s*(-?[0-9]+)\s*")
_NO_EDIT = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"


class M2Reader(Reader):
    """Read the edits of a file's annotators, as references, or with the field `src` its sentences.

    A sentence begins with a line "S …". Its edits follow, one per line, until an empty line.
    """

    unit = "sentence"

    def _blocks(self) -> Iterator[list[Value]]:
        if self.field not in (None, "src"):
            raise unknown_field(self._source.location(), self.field, ["src"])
        self._lines: list[int] = []
        values: list[Value] = []
        source: str | None = None
        annotators: dict[int, list[str]] = {}

        def finished() -> Value:
            return source if self.field else [" ".join(edits) for edits in annotators.values()] or [_NO_EDIT]

        number = 0
        for block in self._source.lines():
            for line in block:
                number += 1
                if line.startswith("S ") or line == "S":
                    if source is not None:
                        values.append(finished())
                    source, annotators = line[2:].strip(), {}
                    self._lines.append(number)
                elif line.startswith("I ") or not line.strip():
                    continue
                elif source is None:
                    problem = "does not belong to a sentence"
                    raise InputError(self._source.location(number), problem, 'begin each sentence with "S "')
                elif (edit := _EDIT.fullmatch(line)) is None:
                    fix = "write edits as A 1 2|||Prep|||of|||REQUIRED|||-NONE-|||0"
                    raise InputError(self._source.location(number), "is not an edit", fix)
                else:
                    annotators.setdefault(int(edit[1]), []).append(line)
                if len(values) == _BLOCK:
                    yield values
                    values = []
        if source is not None:
            values.append(finished())
        if values:
            yield values

    def location(self, index: int) -> Location:
        return Location(file=self.file, line=self._lines[index], field=self.field)

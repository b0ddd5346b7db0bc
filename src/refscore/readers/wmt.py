"""The files of WMT: test sets and system outputs in XML (since 2021) and in SGML (before).

Both are read whole, since a file holds its columns one after the other.
"""

from __future__ import annotations

import html.entities
import re
from abc import abstractmethod
from collections.abc import Iterator
from xml.parsers import expat

from refscore.errors import InputError
from refscore.readers.base import Reader, Value
from refscore.readers.wmt_content import Content

_ROWS = 8192


class _WMTReader(Reader):
    """A field of a WMT file: src, ref:TRANSLATOR, hyp:SYSTEM, docid or another attribute of the documents.

    The white space of a segment is made single spaces, as sacrebleu does.
    """

    unit = "segment"

    def _blocks(self) -> Iterator[list[Value]]:
        self._content = Content(self.file, self._source.spec)
        self._parse(self._content)
        self._segments = self._content.segments()
        values = self._content.column(self.field, self._segments)
        for start in range(0, len(values), _ROWS):
            yield values[start : start + _ROWS]

    @abstractmethod
    def _parse(self, content: Content) -> None:
        """Hand the tags and texts of the file over to `content`."""

    def place(self, index: int) -> str:
        """The file, the document, the segment and the field."""
        where = f"{self.file}, {self._content.place(self._segments[index])}"
        return where if self.field is None else f"{where}, field {self.field!r}"


class XMLReader(_WMTReader):
    """A field of an XML file. Document type declarations are refused, and with them entities that grow or fetch."""

    def _parse(self, content: Content) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_declaration
        parser.StartElementHandler = content.start
        parser.EndElementHandler = content.end
        parser.CharacterDataHandler = content.text
        try:
            for data in self._source.limited():
                parser.Parse(data, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            where = f"{self.file}, line {error.lineno}, column {error.offset + 1}"
            raise InputError(None, f"{where} is not XML: {expat.ErrorString(error.code)}") from None
        except InputError:
            raise
        except (LookupError, ValueError) as error:  # of an encoding that expat leaves to Python
            raise InputError(None, f"{self.file} cannot be decoded: {error}") from None

    def _refuse_declaration(self, *_: object) -> None:
        raise InputError(
            None, f"{self.file} has a document type declaration (<!DOCTYPE …>), which is refused: remove it"
        )


class SGMLReader(_WMTReader):
    """A field of an SGML file, read as the tools of NIST and WMT do: it need not be well-formed."""

    def _parse(self, content: Content) -> None:
        data = b"".join(self._source.limited())
        text = self._source.decoded(data, len(data))
        place = 0
        while tag := _TAG.search(text, place):
            place = tag.end()
            name = tag[2].lower()
            if tag[1]:
                content.end(name)
                continue
            content.start(name, {key.lower(): _plain("".join(value)) for key, *value in _ATTRIBUTE.findall(tag[3])})
            if name == "seg":
                end = _SEGMENT.search(text, place)
                if end is None or not end[1]:
                    line = text.count("\n", 0, tag.start()) + 1
                    raise InputError(None, f"{self.file}, line {line} begins a segment that has no </seg>")
                content.text(_plain(text[place : end.start()]))
                content.end(name)
                place = end.end()


_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_SEGMENT = re.compile(r"<(/?)seg\b[^<>]*>", re.IGNORECASE)
# A name begins where none goes on: else a long one would be tried from each of its letters.
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")


def _plain(text: str) -> str:
    """The text with its entities replaced; what is no entity, as the sign in R&D, stays."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name:
        return html.entities.html5.get(f"{name};", entity[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return entity[0] if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)

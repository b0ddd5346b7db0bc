"""The files of WMT: test sets and system outputs in XML (since 2021) and in SGML (before).

Both are read whole, since a file holds its columns one after the other.
"""

from __future__ import annotations

import html.entities
import re
from abc import abstractmethod
from collections.abc import Iterator
from xml.parsers import expat

from refscore.errors import InputError, Location
from refscore.readers.reader import Reader, Value
from refscore.readers.wmt_columns import WMTColumns

_ROWS = 8192


class _WMTReader(Reader):
    """A field of a WMT file: src, ref:TRANSLATOR, hyp:SYSTEM, docid or another attribute of the documents.

    White space in a segment becomes single spaces, as in sacrebleu.
    """

    unit = "segment"

    def _blocks(self) -> Iterator[list[Value]]:
        self._columns = WMTColumns(self.file, self._source.spec)
        self._parse(self._columns)
        self._segments = self._columns.segments()
        values = self._columns.values(self.field, self._segments)
        for start in range(0, len(values), _ROWS):
            yield values[start : start + _ROWS]

    @abstractmethod
    def _parse(self, columns: WMTColumns) -> None:
        """Pass the tags and texts of the file to `columns`."""

    def location(self, index: int) -> Location:
        """Return the file, and the field of a segment of a document."""
        return self._columns.location(self._segments[index], self.field)


class XMLReader(_WMTReader):
    """A field of an XML file. Document type declarations, which can define entities that grow or fetch, are refused."""

    def _parse(self, columns: WMTColumns) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_declaration
        parser.StartElementHandler = columns.start
        parser.EndElementHandler = columns.end
        parser.CharacterDataHandler = columns.text
        try:
            for data in self._source.limited():
                parser.Parse(data, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            problem = f"is not XML (column {error.offset + 1}: {expat.ErrorString(error.code)})"
            raise InputError(self._source.location(error.lineno), problem) from None
        except InputError:
            raise
        except (LookupError, ValueError) as error:  # of an encoding that expat leaves to Python
            raise InputError(self._source.location(), f"cannot be decoded: {error}") from None

    def _refuse_declaration(self, *_: object) -> None:
        problem = "has a document type declaration (<!DOCTYPE …>), which is refused"
        raise InputError(self._source.location(), problem, "remove it")


class SGMLReader(_WMTReader):
    """A field of an SGML file, which need not be well-formed, as in the tools of NIST and WMT."""

    def _parse(self, columns: WMTColumns) -> None:
        data = b"".join(self._source.limited())
        text = self._source.decode(data, len(data))
        position = 0
        while tag := _TAG.search(text, position):
            position = tag.end()
            name = tag[2].lower()
            if tag[1]:
                columns.end(name)
                continue
            attributes = {key.lower(): "".join(value) for key, *value in _ATTRIBUTE.findall(tag[3])}
            columns.start(name, {key: _replace_entities(value) for key, value in attributes.items()})
            if name == "seg":
                end = _SEGMENT.search(text, position)
                if end is None or not end[1]:
                    line = text.count("\n", 0, tag.start()) + 1
                    raise InputError(self._source.location(line), "begins a segment that has no </seg>")
                columns.text(_replace_entities(text[position : end.start()]))
                columns.end(name)
                position = end.end()


_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_SEGMENT = re.compile(r"<(/?)seg\b[^<>]*>", re.IGNORECASE)
# The lookbehind keeps matching linear: without it, a long name would be tried from each of its letters.
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")


def _replace_entities(text: str) -> str:
    """Return the text with its entities replaced; other uses of the sign, as in R&D, stay."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name:
        return html.entities.html5.get(f"{name};", entity[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return entity[0] if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)

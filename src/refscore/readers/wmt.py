"""Read WMT's test sets and system outputs, in XML (since 2021) or SGML (before).

Files are read into memory completely, because their columns follow one another.
"""

from __future__ import annotations

import html.entities
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias
from xml.parsers import expat

from refscore.errors import InputError, Location
from refscore.readers.reader import Reader, Value, unknown_field
from refscore.readers.source import Source
from refscore.text_display import visible

_ROWS = 8192


class _WMTReader(Reader):
    """Read a field from a WMT file: src, ref:TRANSLATOR, hyp:SYSTEM, docid or a different document attribute.

    Consecutive whitespace in a segment becomes one space, as in sacrebleu.
    """

    unit = "segment"

    def _blocks(self) -> Iterator[list[Value]]:
        self._columns = _Columns(self._source)
        self._parse(self._columns)
        self._segments = self._columns.segments()
        values = self._columns.values(self.field, self._segments)
        for start in range(0, len(values), _ROWS):
            yield values[start : start + _ROWS]

    @abstractmethod
    def _parse(self, columns: _Columns) -> None:
        """Pass the file's tags and texts to `columns`, in order."""

    def location(self, index: int) -> Location:
        return self._columns.location(self._segments[index], self.field)


class XMLReader(_WMTReader):
    """Read a field from an XML file.

    Document type declarations are an error: they can define entities that expand without limit or load files.
    """

    def _parse(self, columns: _Columns) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_declaration
        parser.StartElementHandler = columns.start
        parser.EndElementHandler = columns.end
        parser.CharacterDataHandler = columns.text
        data = b""
        try:
            for data in self._source.limited():
                parser.Parse(data, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            if error.lineno == 1:  # after line 1, `data` may be a later block
                self._source.check_is_text(data)
            problem = f"is not XML (column {error.offset + 1}: {expat.ErrorString(error.code)})"
            raise InputError(self._source.location(error.lineno), problem) from None
        except InputError:
            raise
        except (LookupError, ValueError) as error:  # raised by Python's decoders, for encodings that expat lacks
            raise InputError(self._source.location(), f"cannot be decoded: {error}") from None

    def _refuse_declaration(self, *_: object) -> None:
        problem = "has a document type declaration (<!DOCTYPE …>), which is not allowed"
        raise InputError(self._source.location(), problem, "remove it")


class SGMLReader(_WMTReader):
    """Read a field from an SGML file. Like NIST's and WMT's tools, accept malformed files."""

    def _parse(self, columns: _Columns) -> None:
        text = self._source.read_text()
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
                    raise InputError(self._source.location(line), "begins a segment without </seg>", "add </seg>")
                columns.text(_replace_entities(text[position : end.start()]))
                columns.end(name)
                position = end.end()


_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_SEGMENT = re.compile(r"<(/?)seg\b[^<>]*>", re.IGNORECASE)
# The lookbehind makes matching linear. Without it, a long name would be tried from each of its letters.
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")


def _replace_entities(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name:
        return html.entities.html5.get(f"{name};", entity[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return entity[0] if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)


# A document is identified by a number or an id, a segment by its document and its id there.
_Document: TypeAlias = "int | str"
_Segment: TypeAlias = "tuple[_Document, str]"

_KINDS = {"src": "src", "ref": "ref", "hyp": "hyp", "srcset": "src", "refset": "ref", "tstset": "hyp"}
_SETS = frozenset({"srcset", "refset", "tstset"})


class _Columns:
    r"""Collect a file's columns from its tags and texts.

    Either each document has its source, references and outputs (`doc` contains `src`, `ref`, `hyp`), or there is one
    set with documents for each (`srcset`, `refset`, `tstset` contain `doc`).
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._columns: dict[str, dict[_Segment, str]] = {}
        self._documents: dict[_Document, Mapping[str, str]] = {}
        self._document_count = 0
        self._has_sets = False
        # The state of the parser:
        self._kind: str | None = None
        self._labels: dict[str, str | None] = {}  # the translator or system by tag
        self._document: _Document = 0
        self._is_skipped = False
        self._id: str | None = None
        self._texts: list[str] | None = None  # the texts of the open segment

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _KINDS:
            self._kind = _KINDS[tag]
            self._labels = {tag: _label(attributes)}
            self._has_sets = self._has_sets or tag in _SETS
        elif tag == "doc":
            self._start_document(attributes)
        elif tag == "seg" and self._kind is not None:
            self._id = attributes.get("id")
            self._texts = []

    def _start_document(self, attributes: Mapping[str, str]) -> None:
        self._document_count += 1
        self._document = self._document_count
        self._is_skipped = self._kind is None and "testsuite" in attributes
        if self._kind is not None:
            # Several sets have the same documents, matched by id. Outside of sets, ids may repeat.
            self._document = attributes.get("docid", self._document_count)
            self._labels["doc"] = _label(attributes)
        if not self._is_skipped:
            self._documents.setdefault(self._document, attributes)

    def text(self, text: str) -> None:
        if self._texts is not None:
            self._texts.append(text)

    def end(self, tag: str) -> None:
        if tag == "seg" and self._texts is not None:
            if not self._is_skipped:
                self._add("".join(self._texts))
            self._texts = None
        elif tag in _KINDS:
            self._kind = None
        elif tag == "doc":
            self._labels.pop("doc", None)
            self._is_skipped = False

    def _add(self, text: str) -> None:
        label = self._labels.get("doc") or next(iter(self._labels.values()))
        name = f"{self._kind}:{label}" if label and self._kind != "src" else str(self._kind)
        column = self._columns.setdefault(name, {})
        if self._id is None:
            location = Location(file=self._source.name, field=f"document {self._title(self._document)}")
            raise InputError(location, "has a segment without an id", 'number the segments, as in <seg id="1">')
        segment = (self._document, self._id)
        if segment in column:
            raise InputError(self.location(segment, name), "occurs twice", "give each segment a unique id")
        column[segment] = " ".join(text.split())

    def segments(self) -> list[_Segment]:
        """Return the segments by document. Skip segments without a reference in documents that have references.

        sacrebleu skips them too, so published scores do not include them.
        """
        ids_by_document: dict[_Document, dict[str, None]] = {}
        for column in self._columns.values():
            for document, name in column:
                ids_by_document.setdefault(document, {})[name] = None
        segments = [(document, name) for document, names in ids_by_document.items() for name in _in_order(names)]
        references = [column for name, column in self._columns.items() if name.split(":")[0] == "ref"]
        if references and not self._has_sets:
            segments = [segment for segment in segments if any(column.get(segment) for column in references)]
        return segments

    def values(self, field: str | None, segments: Sequence[_Segment]) -> list[Value]:
        """Return a field's value for each segment, None for a missing one."""
        if not self._columns:
            fix = "put <seg> inside src, ref or hyp, or inside srcset, refset or tstset"
            raise InputError(self._source.location(), "has no segments", fix)
        if field is not None and field not in self._columns and field in self._attributes():
            return [self._attribute(document, field) for document, _ in segments]
        column = self._columns[self._column_name(field)]
        return [column.get(segment) for segment in segments]

    def location(self, segment: _Segment, field: str | None) -> Location:
        document, name = segment
        place = f"segment {visible(name)} of document {self._title(document)}"
        return Location(file=self._source.name, field=place if field is None else f"{visible(field)} of {place}")

    def _column_name(self, field: str | None) -> str:
        """Return the column name for a field. If a kind has only one column, its label may be omitted."""
        if field in self._columns:
            return field
        candidates = [name for name in self._columns if field in (None, name.split(":")[0])]
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            names = ", ".join(visible(f"{self._source.spec}:{name}") for name in candidates)
            problem = f"has {len(candidates)} fields" if field is None else f"has {len(candidates)} fields {field}"
            raise InputError(self._source.location(), problem, f"name one of {names}")
        raise unknown_field(self._source.location(), str(field), [*self._columns, *self._attributes()])

    def _attributes(self) -> dict[str, None]:
        names = {name: None for attributes in self._documents.values() for name in attributes}
        return {"docid": None, **names}

    def _attribute(self, document: _Document, name: str) -> str | None:
        attributes = self._documents.get(document, {})
        return attributes.get("docid", attributes.get("id")) if name == "docid" else attributes.get(name)

    def _title(self, document: _Document) -> str:
        return visible(self._attribute(document, "docid") or f"number {document}")


def _label(attributes: Mapping[str, str]) -> str | None:
    return next((attributes[name] for name in ("translator", "system", "refid", "sysid") if name in attributes), None)


def _in_order(names: Mapping[str, None]) -> list[str]:
    """Return segment ids in order, sorted numerically if all are numbers."""
    if all(name.isascii() and name.isdigit() and len(name) < 19 for name in names):
        return sorted(names, key=int)
    return list(names)

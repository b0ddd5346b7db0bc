"""The columns of a WMT file, collected from its tags and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from refscore.errors import InputError, Location
from refscore.readers.reader import Value, unknown_field
from refscore.text_display import visible

# A document is a number or an id; a segment has an id within it.
Document: TypeAlias = "int | str"
Segment: TypeAlias = "tuple[Document, str]"

_KINDS = {"src": "src", "ref": "ref", "hyp": "hyp", "srcset": "src", "refset": "ref", "tstset": "hyp"}
_SETS = frozenset({"srcset", "refset", "tstset"})


class WMTColumns:
    r"""The columns of a file over the same segments, from its tags and texts in their order.

    A document holds its source, references and outputs (`doc` around `src`, `ref`, `hyp`), or a set of one of them
    holds documents (`srcset`, `refset`, `tstset` around `doc`).

    Args:
        file: What messages call the file.
        spec: What a user writes for it.
    """

    def __init__(self, file: str, spec: str) -> None:
        self._file = file
        self._spec = spec
        self._columns: dict[str, dict[Segment, str]] = {}
        self._documents: dict[Document, Mapping[str, str]] = {}
        self._document_count = 0
        self._has_sets = False
        # The position in the file:
        self._kind: str | None = None
        self._labels: dict[str, str | None] = {}  # the translator or system, by the tag that names it
        self._document: Document = 0
        self._is_skipped = False
        self._id: str | None = None
        self._texts: list[str] | None = None  # the texts of the open segment

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take a tag that opens."""
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
            # Sets repeat documents, which are matched by their ids; elsewhere ids need not be unique.
            self._document = attributes.get("docid", self._document_count)
            self._labels["doc"] = _label(attributes)
        if not self._is_skipped:
            self._documents.setdefault(self._document, attributes)

    def text(self, text: str) -> None:
        """Take a text; texts outside of segments are ignored."""
        if self._texts is not None:
            self._texts.append(text)

    def end(self, tag: str) -> None:
        """Take a tag that closes."""
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
            location = Location(file=self._file, field=f"document {self._title(self._document)}")
            raise InputError(location, "has a segment without an id")
        segment = (self._document, self._id)
        if segment in column:
            raise InputError(self.location(segment, name), "is there twice")
        column[segment] = " ".join(text.split())

    def segments(self) -> list[Segment]:
        """Return the segments by document, without those that have no reference in a document with references.

        sacrebleu leaves them out as well, so published scores do not count them.
        """
        ids_by_document: dict[Document, dict[str, None]] = {}
        for column in self._columns.values():
            for document, name in column:
                ids_by_document.setdefault(document, {})[name] = None
        segments = [(document, name) for document, names in ids_by_document.items() for name in _in_order(names)]
        references = [column for name, column in self._columns.items() if name.split(":")[0] == "ref"]
        if references and not self._has_sets:
            segments = [segment for segment in segments if any(column.get(segment) for column in references)]
        return segments

    def values(self, field: str | None, segments: Sequence[Segment]) -> list[Value]:
        """Return the values of a field for these segments; None for a segment without one."""
        if not self._columns:
            fix = "put <seg> within src, ref or hyp, or within a set of them"
            raise InputError(Location(file=self._file), "has no segments", fix)
        if field is not None and field not in self._columns and field in self._attributes():
            return [self._attribute(document, field) for document, _ in segments]
        column = self._columns[self._column_name(field)]
        return [column.get(segment) for segment in segments]

    def location(self, segment: Segment, field: str | None) -> Location:
        """Return the location of a field of a segment."""
        document, name = segment
        place = f"segment {visible(name)} of document {self._title(document)}"
        return Location(file=self._file, field=place if field is None else f"{visible(field)} of {place}")

    def _column_name(self, field: str | None) -> str:
        """Return the name of the column; the only column of its kind needs no label."""
        if field in self._columns:
            return field
        candidates = [name for name in self._columns if field in (None, name.split(":")[0])]
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            names = ", ".join(visible(f"{self._spec}:{name}") for name in candidates)
            problem = f"has {len(candidates)} fields" if field is None else f"has {len(candidates)} fields {field}"
            raise InputError(Location(file=self._file), problem, f"name one of {names}")
        raise unknown_field(Location(file=self._file), str(field), [*self._columns, *self._attributes()])

    def _attributes(self) -> dict[str, None]:
        """Return the attributes that documents have, which are fields as well."""
        names = {name: None for attributes in self._documents.values() for name in attributes}
        return {"docid": None, **names}

    def _attribute(self, document: Document, name: str) -> str | None:
        attributes = self._documents.get(document, {})
        return attributes.get("docid", attributes.get("id")) if name == "docid" else attributes.get(name)

    def _title(self, document: Document) -> str:
        return visible(self._attribute(document, "docid") or f"number {document}")


def _label(attributes: Mapping[str, str]) -> str | None:
    return next((attributes[name] for name in ("translator", "system", "refid", "sysid") if name in attributes), None)


def _in_order(names: Mapping[str, None]) -> list[str]:
    """Return the ids of a document's segments, sorted by number if all are numbers."""
    if all(name.isascii() and name.isdigit() and len(name) < 19 for name in names):
        return sorted(names, key=int)
    return list(names)

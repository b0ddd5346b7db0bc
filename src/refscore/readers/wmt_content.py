"""What a WMT file holds: columns over the same segments, gathered from its tags and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from refscore.errors import InputError
from refscore.readers.base import Value, unknown_field
from refscore.text_display import visible

# A document is a number or an id; a segment has an id within it.
Document: TypeAlias = "int | str"
Segment: TypeAlias = "tuple[Document, str]"

_KINDS = {"src": "src", "ref": "ref", "hyp": "hyp", "srcset": "src", "refset": "ref", "tstset": "hyp"}
_SETS = frozenset({"srcset", "refset", "tstset"})


class Content:
    r"""The columns of a file, from its tags and texts in their order.

    A document holds its source, references and outputs (`doc` around `src`, `ref`, `hyp`), or a set of one of them
    holds documents (`srcset`, `refset`, `tstset` around `doc`).

    Args:
        file: What messages call the file.
        spec: What a user writes for it.

    Example:
        >>> content = Content("test.xml", "test.xml")
        >>> for tag, attributes in [("doc", {"id": "news"}), ("ref", {"translator": "A"}), ("seg", {"id": "1"})]:
        ...     content.start(tag, attributes)
        >>> content.text(" a\n cat ")
        >>> for tag in ("seg", "ref", "doc"):
        ...     content.end(tag)
        >>> content.column("ref:A", content.segments()), content.column("docid", content.segments())
        (['a cat'], ['news'])
    """

    def __init__(self, file: str, spec: str) -> None:
        self._file = file
        self._spec = spec
        self._columns: dict[str, dict[Segment, str]] = {}
        self._documents: dict[Document, Mapping[str, str]] = {}
        self._begun = 0  # documents
        self._sets = False
        # Where we are:
        self._kind: str | None = None
        self._labels: dict[str, str | None] = {}  # whose reference or output, by the tag that says so
        self._document: Document = 0
        self._skipped = False
        self._id: str | None = None
        self._texts: list[str] | None = None  # of the segment that is open

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag that opens."""
        if tag in _KINDS:
            self._kind = _KINDS[tag]
            self._labels = {tag: _label(attributes)}
            self._sets = self._sets or tag in _SETS
        elif tag == "doc":
            self._start_document(attributes)
        elif tag == "seg" and self._kind is not None:
            self._id = attributes.get("id")
            self._texts = []

    def _start_document(self, attributes: Mapping[str, str]) -> None:
        self._begun += 1
        self._document = self._begun
        self._skipped = self._kind is None and "testsuite" in attributes
        if self._kind is not None:
            # Sets repeat documents, and their ids hold them together; elsewhere an id is but a name.
            self._document = attributes.get("docid", self._begun)
            self._labels["doc"] = _label(attributes)
        if not self._skipped:
            self._documents.setdefault(self._document, attributes)

    def text(self, text: str) -> None:
        """A text, which counts inside a segment."""
        if self._texts is not None:
            self._texts.append(text)

    def end(self, tag: str) -> None:
        """A tag that closes."""
        if tag == "seg" and self._texts is not None:
            if not self._skipped:
                self._add("".join(self._texts))
            self._texts = None
        elif tag in _KINDS:
            self._kind = None
        elif tag == "doc":
            self._labels.pop("doc", None)
            self._skipped = False

    def _add(self, text: str) -> None:
        label = self._labels.get("doc") or next(iter(self._labels.values()))
        name = f"{self._kind}:{label}" if label and self._kind != "src" else str(self._kind)
        column = self._columns.setdefault(name, {})
        if self._id is None:
            raise InputError(None, f"{self._file}, document {self._title(self._document)} has a segment without an id")
        segment = (self._document, self._id)
        if segment in column:
            raise InputError(None, f"{self._file}, {self.place(segment)} is there twice in {visible(name)}")
        column[segment] = " ".join(text.split())

    def segments(self) -> list[Segment]:
        """The segments, by document; those of a document that holds references are left out if none is theirs.

        The last is what sacrebleu does, and so do published scores.
        """
        found: dict[Document, dict[str, None]] = {}
        for column in self._columns.values():
            for document, name in column:
                found.setdefault(document, {})[name] = None
        segments = [(document, name) for document, names in found.items() for name in _in_order(names)]
        references = [column for name, column in self._columns.items() if name.split(":")[0] == "ref"]
        if references and not self._sets:
            segments = [segment for segment in segments if any(column.get(segment) for column in references)]
        return segments

    def column(self, field: str | None, segments: Sequence[Segment]) -> list[Value]:
        """The values of a field for these segments, None where there is none."""
        if not self._columns:
            raise InputError(
                None, f"{self._file} has no segments: <seg> within src, ref or hyp, or within a set of them"
            )
        if field is not None and field not in self._columns and field in self._attributes():
            return [self._attribute(document, field) for document, _ in segments]
        column = self._columns[self._chosen(field)]
        return [column.get(segment) for segment in segments]

    def place(self, segment: Segment) -> str:
        """A segment in words."""
        document, name = segment
        return f"document {self._title(document)}, segment {visible(name)}"

    def _chosen(self, field: str | None) -> str:
        """The name of the column; one that is the only one of its kind needs no label."""
        if field in self._columns:
            return field
        near = [name for name in self._columns if field in (None, name.split(":")[0])]
        if len(near) == 1:
            return near[0]
        if near:
            names = ", ".join(visible(f"{self._spec}:{name}") for name in near)
            what = "fields" if field is None else f"fields {field}"
            raise InputError(None, f"{self._file} has {len(near)} {what}: name one of {names}")
        raise unknown_field(self._file, str(field), [*self._columns, *self._attributes()])

    def _attributes(self) -> dict[str, None]:
        """The attributes that documents have, which are fields as well."""
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
    """The ids of a document's segments by number if they are numbers, whichever column they came from first."""
    if all(name.isascii() and name.isdigit() and len(name) < 19 for name in names):
        return sorted(names, key=int)
    return list(names)

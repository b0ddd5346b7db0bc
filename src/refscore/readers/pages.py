"""Read the text of pages from optical character recognition: PAGE and ALTO, in XML."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from refscore.errors import InputError
from refscore.readers.nist import Entry, NamedReader
from refscore.readers.source import Source

# Elements within elements. Pages have about 10.
_MOST_LEVELS = 100
_ROOT = re.compile(rb"<(?:[\w.-]+:)?(PcGts|alto)[\s/>]")
_ORDERED = ("OrderedGroup", "OrderedGroupIndexed")
_GROUPS = (*_ORDERED, "UnorderedGroup", "UnorderedGroupIndexed")


class PageReader(NamedReader):
    """Read a page, or a folder with pages, as one segment per page: its regions in reading order, one per line.

    With the field `lines`, the text of a region is that of its lines. Pages in folders are matched by their names.
    """

    unit = "page"
    fields = ("lines",)

    def _read(self) -> list[Entry]:
        if not isinstance(self._source, PageFolder):
            return [Entry(_text_of(self._source, self.field), 1, "")]
        entries = []
        for file in self._source.files:
            with Source(file) as source:
                entries.append(Entry(_text_of(source, self.field), 1, _name(str(file)), str(file)))
        return entries


class PageFolder(Source):
    """A folder with pages, in place of a file."""

    def __init__(self, path: str | Path) -> None:
        self.name = self.spec = str(path)
        try:
            names = sorted(os.listdir(path))
        except OSError as error:
            raise InputError(self.location(), f"cannot be read: {error.strerror}") from None
        self.files = [Path(path, name) for name in names if name.lower().endswith(".xml")]
        if not self.files:
            raise InputError(self.location(), "is a directory without XML files", "name a file, or a folder of pages")

    @property
    def fraction(self) -> float | None:
        return None

    def close(self) -> None:
        """Do nothing: each page is closed after it has been read."""


def _name(file: str) -> str:
    return Path(file).name.partition(".")[0]


def is_page(source: Source) -> bool:
    """Return whether a file begins like a page."""
    return _ROOT.search(source.peek()) is not None


def _text_of(source: Source, field: str | None) -> str:
    root = _parse(source)
    name = _local(root)
    if name == "alto":
        return "\n".join(_alto_lines(root))
    if name != "PcGts":
        fix = "name a file whose root element is PcGts (PAGE) or alto (ALTO)"
        raise InputError(source.location(), f"is not a page: its root element is {name}", fix)
    return "\n".join(text for text in _page_regions(root, source, by_line=field == "lines") if text)


def _parse(source: Source) -> Element:
    """Return the root element. Declarations of document types are errors: entities can expand without limit."""
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    level = 0

    def refuse(*_: object) -> None:
        problem = "has a document type declaration (<!DOCTYPE …>), which is not allowed"
        raise InputError(source.location(parser.CurrentLineNumber), problem, "remove it")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal level
        level += 1
        if level > _MOST_LEVELS:
            problem = f"has elements within more than {_MOST_LEVELS} others"
            raise InputError(source.location(parser.CurrentLineNumber), problem, "check the file")
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal level
        level -= 1
        builder.end(name)

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    try:
        for data in source.limited():
            parser.Parse(data, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        problem = f"is not XML (column {error.offset + 1}: {expat.ErrorString(error.code)})"
        raise InputError(source.location(error.lineno), problem) from None
    except InputError:
        raise
    except (LookupError, ValueError) as error:  # encodings that expat lacks
        raise InputError(source.location(), f"cannot be decoded: {error}") from None
    return builder.close()


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _children(element: Element, name: str) -> Iterator[Element]:
    return (child for child in element if _local(child) == name)


def _all(root: Element, name: str) -> Iterator[Element]:
    return (element for element in root.iter() if _local(element) == name)


def _alto_lines(root: Element) -> Iterator[str]:
    for line in _all(root, "TextLine"):
        yield " ".join(string.get("CONTENT", "") for string in _children(line, "String"))


def _page_regions(root: Element, source: Source, *, by_line: bool) -> Iterator[str]:
    regions: dict[str | None, Element] = {}
    for region in _all(root, "TextRegion"):
        regions.setdefault(region.get("id"), region)
    order = next(_all(root, "ReadingOrder"), None)
    chosen = _all(root, "TextRegion") if order is None else _ordered(order, regions, source)
    for region in chosen:
        if by_line:
            yield "\n".join(map(_unicode, _children(region, "TextLine")))
        else:
            yield _unicode(region)


def _ordered(group: Element, regions: Mapping[str | None, Element], source: Source) -> Iterator[Element]:
    """Yield the text regions of a reading order. Ordered groups have their parts by index."""
    parts = list(group)
    if _local(group) in _ORDERED:
        try:
            parts = sorted((part for part in parts if part.get("index")), key=lambda part: int(part.get("index", "")))
        except ValueError:
            raise InputError(source.location(), "has an index in its reading order that is not a number") from None
    for part in parts:
        if _local(part) in _GROUPS:
            yield from _ordered(part, regions, source)
        elif (region := regions.get(part.get("regionRef"))) is not None:
            yield region


def _unicode(element: Element) -> str:
    """Return the text of a region or line: the transcription with the lowest index or, without any, the surest."""
    found = [*_children(element, "TextEquiv")]
    if not found:
        return ""
    indices = [_number(each, "index") for each in found]
    keys: list[Any] = indices
    if all(map(math.isnan, indices)):
        keys = [-_number(each, "conf") for each in found]
    ranked = [key for key in keys if not math.isnan(key)]
    best = found[keys.index(min(ranked))] if ranked else found[0]
    return next((text.text or "" for text in _children(best, "Unicode")), "")


def _number(element: Element, name: str) -> float:
    try:
        return float(element.get(name, "nan"))
    except ValueError:
        return math.nan

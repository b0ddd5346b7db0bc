"""Read the hypotheses and references of a command together, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any

from refscore.cli.progress import ProgressBar
from refscore.cli.resegment_options import Request
from refscore.cli.resegmented import ResegmentedReaders
from refscore.cli.systems import System
from refscore.errors import InputError, Location
from refscore.evaluation.scoring import Block
from refscore.readers import Reader, open_segments, read_aligned
from refscore.readers.source import STANDARD_INPUT

# The name of the grouping of --by.
BY = "by"


class Inputs:
    """Open files of hypotheses and references. Errors in their first blocks are raised when they are opened.

    `units` and `by` are files with the labels of each segment's unit and group, `source` is a file of source texts.
    Without `file_format`, the formats follow from the files' names. With a `request` for re-segmentation, the lines of
    the systems need not be segments.
    """

    def __init__(
        self,
        systems: Sequence[System],
        references: Sequence[str],
        file_format: str | None = None,
        blank_is_missing: bool = False,
        units: str | None = None,
        source: str | None = None,
        by: str | None = None,
        request: Request | None = None,
    ) -> None:
        others = [file for file in (source, by, units) if file is not None]
        files = [*(system.file for system in systems), *references, *others]
        labels_of_documents = [] if request is None else [*dict.fromkeys(request.files)]
        if sum(map(is_standard_input, [*files, *labels_of_documents])) > 1:
            raise InputError(Location(file=STANDARD_INPUT), "can be read only once", "name a file instead of -")
        self.systems = systems
        self._blank_is_missing = blank_is_missing
        self._stack = ExitStack()
        self._readers: list[Reader] = []
        first_labels = len(files) - sum(file is not None for file in (by, units))
        try:
            for index, file in enumerate(files):
                labels = index >= first_labels
                reader = open_segments(file, format=file_format, labels=labels)
                self._readers.append(self._stack.enter_context(reader))
            self._resegmented = None
            if request is not None:
                self._resegmented = ResegmentedReaders(request, self._readers, len(systems), self._stack)
        except BaseException:
            self._stack.close()
            raise
        self._references = self._readers[len(systems) : len(systems) + len(references)]
        self._has_units = units is not None
        self._has_source = source is not None
        self._by_index = None if by is None else first_labels
        # The settings of the re-segmentation, if there is one.
        self.resegmentation = None if request is None else request.resegmenter.signature
        self.segments = 0
        # The smallest and largest number of references per segment so far.
        self.reference_counts = 0, 0

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def files(self) -> list[str]:
        """The paths of all files, without fields."""
        labels = [] if self._resegmented is None else self._resegmented.label_readers
        return [str(reader.file) for reader in (*self._readers, *labels)]

    @contextmanager
    def errors_located(self, *, begin: int = 0, system: int = 0) -> Iterator[None]:
        """Add the file and line of the segment to errors raised in a `with` block.

        `begin` is the index of the first segment that the metrics score. `system` is the index of the scored system,
        unless the error names one.
        """
        try:
            yield
        except InputError as error:
            if error.location is None or error.location.segment is None:
                raise
            location = error.location.after(begin)
            place = self._place(location, error.location.segment + begin, system)
            raise error.at(at_place(location, place)) from None

    def _place(self, location: Location, segment: int, system: int) -> Location:
        """Return the file and line of a segment."""
        reader = self._reader(location, system)
        if self._resegmented is not None and reader in self._readers[: len(self.systems)]:
            return Location(file=reader.name, field=f"segment {segment + 1} after re-segmentation")
        return reader.location(segment)

    def _reader(self, location: Location, system: int) -> Reader:
        """Return the reader of the file that a location is in."""
        sides = [f"systems[{named.name!r}]" for named in self.systems]  # the sides in errors of `build_report`
        if location.side == "sources":
            return self._readers[len(self.systems) + len(self._references)]
        if location.side == "references":
            # If files have several references per segment, or none, the right file is unknown: name the first.
            each_file_has_one = {*self.reference_counts} == {len(self._references)}
            return self._references[(location.reference or 0) if each_file_has_one else 0]
        return self._readers[sides.index(location.side) if location.side in sides else system]

    def read_all(self, *, quiet: bool) -> Block:
        """Return all segments as one block, and show the progress unless `quiet`."""
        with ProgressBar("reading", "segments", quiet=quiet) as progress:
            blocks = list(self.blocks(progress))
        by_system = zip(*(block.hypotheses for block in blocks), strict=True)
        first = blocks[0]
        return Block(
            [[*chain.from_iterable(parts)] for parts in by_system],
            [entry for block in blocks for entry in block.references],
            [text for block in blocks for text in block.sources] if self._has_source else None,
            [label for block in blocks for label in block.units or ()] if self._has_units else None,
            {name: [label for block in blocks for label in block.groups[name]] for name in first.groups},
            fraction=1.0,
        )

    def blocks(self, progress: ProgressBar | None = None) -> Iterator[Block]:
        """Yield all segments block by block, and show the progress. The files can be read only once."""
        count = len(self.systems)
        end = count + len(self._references)
        for columns in self._columns():
            begin = self.segments
            hypotheses = [
                _check_texts(reader, column, begin, "a hypothesis must be one text")
                for reader, column in zip(self._readers[:count], columns[:count], strict=True)
            ]
            references = self._join_references(columns[count:end], begin)
            source, units, groups = None, None, {}
            if self._has_source:
                source = _check_texts(self._readers[end], columns[end], begin, "a source must be one text")
            # Blank labels would join unrelated segments into one unit or group.
            rule = "every segment needs a label, such as the name of its document"
            if self._has_units:
                units = _check_texts(self._readers[-1], columns[-1], begin, rule, may_be_blank=False)
            if self._by_index is not None:
                reader = self._readers[self._by_index]
                groups = {BY: _check_texts(reader, columns[self._by_index], begin, rule, may_be_blank=False)}
            self.segments += len(columns[0])
            fractions = [reader.fraction for reader in self._readers if reader.fraction is not None]
            fraction = min(fractions, default=None)
            yield Block(hypotheses, references, source, units, groups, begin=begin, fraction=fraction)
            if progress is not None:
                progress.show(self.segments, fraction)

    def _columns(self) -> Iterable[tuple[list[Any], ...]]:
        """Return the values of all files side by side, in blocks; all at once if the systems are re-segmented."""
        if self._resegmented is None:
            return read_aligned(self._readers)
        count = len(self._references)
        return [
            self._resegmented.columns(
                lambda reader, column: _check_texts(reader, column, 0, "a hypothesis must be one text"),
                lambda columns: self._join_references(columns[:count], 0),
            )
        ]

    def _join_references(self, columns: Sequence[list[Any]], begin: int) -> list[Any]:
        """Return the references of each segment. The column of a single file of texts is returned unchanged."""
        is_plain = all({*map(type, column)} == {str} for column in columns)
        if is_plain and not self._blank_is_missing:
            self._note_counts(len(columns), len(columns))
            return columns[0] if len(columns) == 1 else [list(texts) for texts in zip(*columns, strict=True)]
        joined = [[text for value in values for text in self._texts(value)] for values in zip(*columns, strict=True)]
        counts = [*map(len, joined)]
        if 0 in counts:
            location = self._references[0].location(begin + counts.index(0))
            others = " in all reference files" if len(columns) > 1 else ""
            raise InputError(location, f"has no reference{others}", "every segment needs one")
        self._note_counts(min(counts), max(counts))
        return joined

    def _texts(self, value: Any) -> list[str]:
        texts = value if isinstance(value, list) else [value]
        return [text for text in texts if text is not None and not (self._blank_is_missing and not text.strip())]

    def _note_counts(self, fewest: int, most: int) -> None:
        least, largest = self.reference_counts
        self.reference_counts = min(least or fewest, fewest), max(largest, most)


def at_place(location: Location, place: Location) -> Location:
    """Return a location with the file, line and field of `place`."""
    return replace(location, file=place.file, line=place.line, field=place.field)


def is_standard_input(spec: str) -> bool:
    """Return whether an argument means standard input or one of its fields."""
    return spec == "-" or spec.startswith("-:")


def _check_texts(reader: Reader, column: list[Any], begin: int, rule: str, *, may_be_blank: bool = True) -> list[str]:
    if may_be_blank and {*map(type, column)} == {str}:  # the usual case, checked much faster
        return column
    for index, value in enumerate(column):
        if not isinstance(value, str) or not (may_be_blank or value.strip()):
            kind = "a list" if isinstance(value, list) else "missing"
            raise InputError(reader.location(begin + index), f"is {kind}", rule)
    return column

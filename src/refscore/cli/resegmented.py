"""Read systems whose lines are not the segments of the references, and cut them into these segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import Any

from refscore.cli.resegment_options import Request
from refscore.errors import InputError, Location
from refscore.readers import Reader, open_segments, read_aligned


class ResegmentedReaders:
    """The readers of all files, and of the labels of documents. They are read at once, and whole.

    `readers` are those of the systems, then those of files with one value per segment, first the references.
    """

    def __init__(self, request: Request, readers: Sequence[Reader], systems: int, stack: ExitStack) -> None:
        self._request = request
        self._systems, self._others = readers[:systems], readers[systems:]
        opened: dict[str, Reader] = {}
        self.label_readers = []
        for file in request.files:
            if file not in opened:
                opened[file] = stack.enter_context(open_segments(file, labels=True))
                self.label_readers.append(opened[file])
        self._documents = None if request.documents is None else opened[request.documents]
        self._line_documents = [opened[file] for file in request.hypothesis_documents]

    def columns(
        self,
        check_texts: Callable[[Reader, list[Any]], list[str]],
        join_references: Callable[[Sequence[list[Any]]], list[Any]],
    ) -> tuple[list[Any], ...]:
        """Return all values side by side: the segments of each system, and the values of the other files.

        `check_texts` checks a column of texts. `join_references` gets the columns of the other files and returns the
        references of each segment.
        """
        aligned = [*self._others, *([] if self._documents is None else [self._documents])]
        columns: list[list[Any]] = [[*chain.from_iterable(parts)] for parts in zip(*read_aligned(aligned), strict=True)]
        documents = None if self._documents is None else columns.pop()
        references = join_references(columns)
        labels: dict[Reader, list[Any]] = {}
        outputs: list[list[Any]] = []
        for index, reader in enumerate(self._systems):
            lines = check_texts(reader, [*chain.from_iterable(reader)])
            line_labels = None
            if self._line_documents:
                label_reader = self._line_documents[index]
                if label_reader not in labels:
                    labels[label_reader] = [*chain.from_iterable(label_reader)]
                line_labels = labels[label_reader]
            try:
                cut = self._request.resegmenter.cut(
                    lines, references, documents=documents, hypothesis_documents=line_labels
                )
            except InputError as error:
                raise self._located(error, index) from None
            outputs.append(cut.segments)
        return *outputs, *columns

    def _located(self, error: InputError, index: int) -> InputError:
        """Return the error with its file and line, and with the fix for the command line."""
        side, segment = (error.location.side, error.location.segment) if error.location is not None else ("", None)
        reader = self._systems[index]
        if side == "documents" and self._documents is not None:
            reader = self._documents
        elif side == "hypothesis_documents" and self._line_documents:
            reader = self._line_documents[index]
        elif side == "references":
            reader = self._others[0]
        else:
            segment = None
        location = Location(file=reader.name) if segment is None else reader.location(segment)
        fix = None
        if side == "hypothesis" and self._documents is not None and not self._line_documents:
            fix = "write one line per document in order, or name the label of each line with --hypothesis-documents"
        return error.at(location, fix=fix)

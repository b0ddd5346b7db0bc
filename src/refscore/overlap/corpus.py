"""Both sides as batches that the kernels read: from memory, or streamed from files."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from refscore import _native
from refscore.errors import InputError, Location
from refscore.inputs import as_list, check_hypotheses, uniform_tokens
from refscore.progress import Progress
from refscore.readers import open_segments, prefetch
from refscore.readers.formats import parse_spec, split_spec
from refscore.readers.reader import Reader
from refscore.readers.source import STANDARD_INPUT, Source
from refscore.tokenizers.pipeline import Pipeline

T = TypeVar("T")

# Bytes of text per batch. A few megabytes amortize the start of threads, and stay small beside the table of n-grams.
_BYTES = 1 << 23
# Documents per batch from memory. They may be long, so fewer than would fit into a batch of bytes.
_DOCUMENTS = 4096


@dataclass(frozen=True)
class TextBatch:
    """Texts or token sequences in a form for the kernels, their locations, and the bytes read so far."""

    texts: Any
    locate: Callable[[int], Location]
    done: int


class Files:
    r"""Name files to read segments or a corpus from, one text per line or per field. They are streamed.

    `refscore.readers.open_segments` lists the formats: text, TSV, CSV, JSON lines, JSON, Parquet, XML and SGML, also
    compressed. Each line in a text file, or each value in a field, is a document. N-grams do not continue
    from one document to the next. In a corpus, each text in a list is a document, and a missing value is skipped.

    Args:
        *specs: The inputs: `path`, `path:field`, or `-` for standard input.
        format: The format for all files, or for each path. By default it follows from their names.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore import overlap
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     corpus = pathlib.Path(folder, "corpus.jsonl")
        ...     _ = corpus.write_text('{"text": "it was the best of times"}\n')
        ...     found = overlap.find(["best of all", "best of times"], overlap.Files(f"{corpus}:text"), order=3)
        >>> found.contaminated.tolist()
        [False, True]
    """

    def __init__(self, *specs: str | Path, format: str | Mapping[str, str] | None = None) -> None:
        if not specs:
            raise InputError(None, "there are no files", "name at least one")
        for spec in specs:
            parse_spec(spec, format)
        self.specs = specs
        self.format = format

    def size(self) -> int:
        """Return the files' total size in bytes, 0 if a size is unknown."""
        sizes = []
        for spec in self.specs:
            path, _ = split_spec(spec)
            sizes.append(os.path.getsize(path) if path is not None and os.path.isfile(path) else 0)
        return sum(sizes) if all(sizes) else 0

    def batches(self, pipeline: Pipeline, *, is_corpus: bool) -> Generator[TextBatch, None, None]:
        """Yield batches of texts."""
        done = 0
        is_empty = True
        for spec in self.specs:
            path, field, file_format = parse_spec(spec, self.format)
            size = os.path.getsize(path) if path is not None and os.path.isfile(path) else 0
            if file_format == "text" and field is None and pipeline.prepare is None:
                pieces = _lines(path, pipeline)
            else:
                pieces = _values(spec, file_format, is_corpus=is_corpus)
            for texts, locate, fraction in pieces:
                is_empty = False
                yield TextBatch(texts, locate, done + int(size * (fraction or 0)))
            done += size
        if is_empty:  # a part may be, as those of a large corpus are
            path, _ = split_spec(self.specs[0])
            name = STANDARD_INPUT if path is None else str(path)
            raise InputError(Location(file=name), "is empty", "it must have at least one segment")


def check_files(*sides: object) -> None:
    """Raise an error if a file cannot be opened, before any is read."""
    paths = [split_spec(spec)[0] for side in sides if isinstance(side, Files) for spec in side.specs]
    if paths.count(None) > 1:
        raise InputError(Location(file=STANDARD_INPUT), "can be read only once", "name a file instead of -")
    for path in paths:
        if path is not None and (os.path.isfile(path) or not os.path.exists(path)):  # opening a pipe would wait for it
            Source(path).close()


_Piece = tuple[Any, Callable[[int], Location], float | None]


def _lines(path: str | Path | None, pipeline: Pipeline) -> Iterator[_Piece]:
    """Yield lines that the kernels read from a text file's bytes."""
    count = 0
    with Source(path) as source:
        for data in source.line_blocks(_BYTES):
            lines = _native.TextLines(data, pipeline.native, 1)
            if not lines.is_utf8:
                source.decode(data, len(data))  # raises an error with the line
            yield lines, partial(_line_location, source, count + 1), source.fraction
            count += len(lines)


def _values(spec: str | Path, file_format: str, *, is_corpus: bool) -> Iterator[_Piece]:
    with open_segments(spec, format=file_format, may_be_empty=True) as reader:
        for block in reader:
            before = reader.count - len(block)
            indexes, texts = _flattened(block, before, reader, is_corpus=is_corpus)
            yield texts, partial(_value_location, reader, indexes), reader.fraction


def _line_location(source: Source, first: int, index: int) -> Location:
    return source.location(first + index)


def _value_location(reader: Reader, indexes: Sequence[int], index: int) -> Location:
    return reader.location(indexes[index])


def _flattened(block: Sequence[Any], before: int, reader: Reader, *, is_corpus: bool) -> tuple[list[int], list[str]]:
    """Return a block's texts, and the index of each one's value. Lists and missing values need a corpus."""
    if all(isinstance(value, str) for value in block):
        return [*range(before, before + len(block))], [*block]
    indexes, texts = [], []
    for index, value in enumerate(block, before):
        if not is_corpus and not isinstance(value, str):
            problem = "has no text" if value is None else "has a list of texts"
            raise InputError(reader.location(index), problem, "each segment needs one text")
        for text in [value] if isinstance(value, str) else value or []:
            if text is not None:
                indexes.append(index)
                texts.append(text)
    return indexes, texts


def _from_memory(texts: Iterable[Any], side: str) -> Generator[TextBatch, None, None]:
    if isinstance(texts, (str, bytes, dict, set, frozenset)) or not isinstance(texts, Iterable):
        problem = "is a string" if isinstance(texts, str) else f"is a {type(texts).__name__}"
        fix = "pass a list of texts or token sequences, or refscore.overlap.Files to read files"
        raise InputError(Location(side), problem, fix)
    batch: list[Any] = []
    size = count = 0

    def complete() -> TextBatch:
        before = count - len(batch)
        return TextBatch([*batch], lambda index: Location(side, before + index), count)

    for text in texts:
        batch.append(text)
        count += 1
        size += len(text) if isinstance(text, Sized) else 0
        if len(batch) >= _DOCUMENTS or size >= _BYTES:
            yield complete()
            batch.clear()
            size = 0
    if batch:
        yield complete()


def call_in_batches(
    call: Callable[[Any], T],
    texts: Any,
    side: str,
    pipeline: Pipeline,
    threads: int,
    progress: Progress | None = None,
) -> Iterator[T]:
    """Yield a kernel's result for each batch of `texts`, which may be in memory or in files.

    A thread reads the next batch during the call. Errors have the location in the file, or in the argument `side`.
    """
    if isinstance(texts, Files):
        batches, total = texts.batches(pipeline, is_corpus=side == "corpus"), texts.size()
    else:
        batches, total = _from_memory(texts, side), len(texts) if isinstance(texts, Sized) else 0
    # Items in memory may come from a generator of the caller, which runs in the caller's thread.
    source = prefetch(batches) if isinstance(texts, Files) else batches
    with closing(source):
        for batch in source:
            yield _call(call, batch, side, pipeline, threads)
            if progress is not None and total:
                progress(f"reading the {side}", min(batch.done, total), total)


def _call(call: Callable[[Any], T], batch: TextBatch, side: str, pipeline: Pipeline, threads: int) -> T:
    if pipeline.prepare is None:
        try:
            return call(batch.texts)
        except _native.UnsupportedInput:
            pass
    try:
        items, kind = check_hypotheses(batch.texts, side)
        if kind == "text":
            return call(items if pipeline.prepare is None else _plain(pipeline.prepare_all(items, threads)))
        return call(_plain(items))
    except InputError as error:
        if error.location is None or error.location.segment is None:
            raise
        location = batch.locate(error.location.segment)
        raise error.at(location if location.file is not None else _inside(location, error.location)) from None


def _inside(location: Location, inner: Location) -> Location:
    return Location(location.side, location.segment, token=inner.token)


def _plain(items: Any) -> list[Any]:
    """Return token sequences (strings or integers) in a type that the kernels read."""
    sequences = [*items]
    if all(isinstance(item, str) for item in sequences):
        return sequences
    uniform = uniform_tokens([*map(as_list, sequences)])
    if uniform is None:
        raise InputError(None, "tokens must be all strings or all integers", "convert them to strings")
    return uniform

"""Read files with the same segments side by side, and evaluate them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from refscore._version import __version__
from refscore.data_warnings import is_checked, issue
from refscore.errors import Argument, InputError, LimitError, Location, SettingError, relocated
from refscore.evaluation import Evaluation
from refscore.evaluation.prefetch import prefetch
from refscore.evaluation.retained_rows import Retain
from refscore.evaluation.scoring import Block, Key, fitted_metrics
from refscore.metrics import DEFAULT_METRICS, Given, MetricChoices, RowMetric, Rows, metric_titles, parse_row_metrics
from refscore.readers.formats import open_segments, parse_spec
from refscore.readers.manifests import HYPOTHESIS, REFERENCE, begins_like_manifest
from refscore.readers.nist import NamedReader
from refscore.readers.passages import Passages, Timing
from refscore.readers.reader import Reader, Value
from refscore.readers.records import expand_records, join_records, recorded_texts, retained_by_all
from refscore.readers.source import STANDARD_INPUT, Source
from refscore.readers.subtitles import SubtitleReader
from refscore.readers.system_scores import GivenScores, System
from refscore.resegmentation import Resegmenter, align_cues
from refscore.text_display import counted

Progress = Callable[[int, "float | None"], object]

_NO_TIMING = Timing()
_UNPAIRED = "has no counterpart in"
_ONE_HYPOTHESIS = "a hypothesis must be one text"
# Blank labels would join unrelated segments into one unit or group.
_LABEL = "every segment needs a label, such as the name of its document"


def read_aligned(readers: Sequence[Reader]) -> Iterator[tuple[list[Value], ...]]:
    r"""Yield the values of several inputs side by side, in blocks that fit into memory.

    Args:
        readers: The inputs, which must not have been read from.

    Returns:
        An iterator over tuples. Each has one list per reader, all with the same length.

    Raises:
        InputError: If an input has more or fewer values than the first. Raised where the shorter input ends.

    Example:
        >>> import io
        >>> from refscore.readers import open_segments, read_aligned
        >>> system = open_segments("-", stdin=io.BytesIO(b"a cat\na dog\n"))
        >>> reference = open_segments("-", stdin=io.BytesIO(b"the cat\nthe dog\n"))
        >>> list(read_aligned([system, reference]))
        [(['a cat', 'a dog'], ['the cat', 'the dog'])]
    """
    buffers: list[list[Value]] = [[] for _ in readers]
    block_sizes = [0] * len(readers)
    while readers:
        for index, reader in enumerate(readers):
            # Refill a buffer once at most half a block is left: blocks stay large and buffers small.
            if 2 * len(buffers[index]) <= block_sizes[index] and (block := next(reader, None)) is not None:
                block_sizes[index] = len(block)
                buffers[index] = buffers[index] + block if buffers[index] else block
        size = min(map(len, buffers))
        if not size:
            break
        aligned = tuple(buffer[:size] for buffer in buffers)
        buffers = [buffer[size:] for buffer in buffers]
        yield aligned
    if not any(buffers):
        return
    for reader in readers:
        for _ in reader:  # read the rest to count it
            pass
    for reader in readers[1:]:
        if reader.count != readers[0].count:
            raise _mismatch(reader, readers[0])


def _mismatch(reader: Reader, first: Reader) -> InputError:
    longer, shorter = (reader, first) if reader.count > first.count else (first, reader)
    unit = reader.unit if reader.unit == first.unit else "segment"
    return InputError(
        longer.location(shorter.count),
        f"{_UNPAIRED} {shorter.name}",
        f"{reader.name} has {counted(reader.count, reader.unit)} but {first.name} has "
        f"{counted(first.count, first.unit)}; both must have the same segments, {unit} by {unit}",
    )


@dataclass(frozen=True)
class Cuts:
    """How to cut the systems' text into the references' segments.

    Attributes:
        resegmenter: The settings.
        documents: A file with a label per reference: its document.
        hypothesis_documents: Files with a label per line, one file per system, or none.
        align: How to align subtitles with the cues of the references: "times", "words", or "" for other text.
    """

    resegmenter: Resegmenter
    documents: str | None = None
    hypothesis_documents: Sequence[str] = ()
    align: Literal["", "times", "words"] = ""

    @property
    def signature(self) -> str:
        if not self.align:
            return self.resegmenter.signature
        return f"{self.resegmenter.name}|align:{self.align}|version:{__version__}"

    @property
    def files(self) -> list[str]:
        return [*dict.fromkeys([*([] if self.documents is None else [self.documents]), *self.hypothesis_documents])]


def evaluate_files(
    systems: Mapping[str, str | Path | Sequence[str | Path]],
    references: Sequence[str | Path],
    metrics: MetricChoices | None = None,
    *,
    sources: str | Path | None = None,
    scores: Mapping[str, str | Path] | None = None,
    units: str | Path | None = None,
    groups: Mapping[str, str | Path] | None = None,
    format: str | Mapping[str, str] | None = None,
    blank_is_missing: bool = False,
    resegmenter: Resegmenter | None = None,
    retain: Retain = "rows",
    threads: int | None = None,
) -> Evaluation:
    r"""Evaluate files, as `refscore score` does. Only one block and the retained rows are in memory.

    Args:
        systems: Each system's file, by name, or a list of files with several runs. Each file may be `path:field`,
            as for `open_segments`, or a saved evaluation (`.refscore`).
        references: The reference files. With several files, segments have several references.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels. By
            default the metrics of the first saved evaluation, or else BLEU, chrF and TER.
        sources: A file with one source per segment.
        scores: Files with a different program's scores, by the labels of `refscore.Given` metrics. `{system}` in a
            path is replaced by each system's name.
        units: A file with a label per segment: its unit, such as a document.
        groups: Files with a label per segment, by grouping.
        format: The format of all files. By default it follows from their names. A dictionary has the formats of paths.
        blank_is_missing: Whether a blank reference is a missing one.
        resegmenter: First cut each system's text into the references' segments.
        retain: The rows to retain, as for `refscore.evaluate`.
        threads: The number of threads, by default all cores.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import evaluate_files
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     old, reference = pathlib.Path(folder, "old.txt"), pathlib.Path(folder, "ref.txt")
        ...     _ = old.write_text("a cat sat\nit rains\n"), reference.write_text("a cat sat\nit rained\n")
        ...     evaluate_files({"old": old}, [reference], "wer")["old"]["wer"].percent
        20.0
    """
    files = [
        System(name, str(file))
        for name, each in systems.items()
        for file in ([each] if isinstance(each, (str, Path)) else each)
    ]
    files = expand_records(files, [True] * len(files))
    record = next((system.record for system in files if system.record is not None), None)
    choices = metrics or (DEFAULT_METRICS if record is None else record.metrics)
    single = record.segment_metrics if metrics is None and record is not None else None
    chosen = parse_row_metrics(choices)
    given = None
    for label in scores or ():
        if not isinstance(chosen.get(label), Given):
            problem = f"scores has {label!r}, which is not a given score"
            raise SettingError(f"{problem}: add refscore.Given({label!r}) to the metrics")
    if scores:
        kinds = {label: metric for label, metric in chosen.items() if isinstance(metric, Given) and label in scores}
        texts = [system for system in files if system.record is None]
        given = GivenScores.read(kinds, {label: str(path) for label, path in scores.items()}, texts)
    with SegmentFiles(
        files,
        [*map(str, references)],
        sources=None if sources is None else str(sources),
        units=None if units is None else str(units),
        groups={name: str(file) for name, file in (groups or {}).items()},
        format=format,
        blank_is_missing=blank_is_missing,
        may_lack_answers=any(metric.compares_answers for metric in chosen.values()),
        timing=Timing.of_metrics(chosen.values()),
        cuts=None if resegmenter is None else Cuts(resegmenter),
    ) as opened:
        evaluation = opened.evaluate(
            chosen, single or parse_row_metrics(choices, for_segments=True), given=given, retain=retain, threads=threads
        )
    if is_checked():
        issue(evaluation.warnings)
    return evaluation


class SegmentFiles:
    """Open files with the same segments. Errors in their first blocks are raised when they are opened.

    Takes the same arguments as `evaluate_files`. Systems with the same name are runs. A system with a record needs no
    file. With `cuts`, the lines of the systems need not be segments. With `may_lack_answers`, an empty list of
    references is the reference "". If all metrics read `timing`, the segments of subtitles are passages: the cues of
    all files between times when no file has a cue.
    """

    def __init__(
        self,
        systems: Sequence[System],
        references: Sequence[str],
        *,
        sources: str | None = None,
        units: str | None = None,
        groups: Mapping[str, str] | None = None,
        format: str | Mapping[str, str] | None = None,
        blank_is_missing: bool = False,
        may_lack_answers: bool = False,
        timing: Timing = _NO_TIMING,
        cuts: Cuts | None = None,
    ) -> None:
        self._order = systems
        systems = [system for system in systems if system.record is None]
        stm: str | Path | None = None
        texts = []
        files = [*((HYPOTHESIS, system.file) for system in systems), *((REFERENCE, file) for file in references)]
        for default, file in files:
            path, field, chosen = parse_spec(file, format)
            is_manifest = field is None and chosen == "jsonl" and begins_like_manifest(path)
            texts.append(f"{file}:{default}" if is_manifest else file)
            if chosen == "stm" and default == REFERENCE:
                stm = stm or path
        texts += [] if sources is None else [sources]
        labels = [*(groups or {}).values(), *([] if units is None else [units])]
        documents = [] if cuts is None else cuts.files
        from_input = [file for file in (*texts, *labels, *documents) if is_standard_input(file)]
        if len(from_input) > 1 and "-" in from_input:
            fix = "name a file instead of -, or fields of JSON lines, as in -:hyp and -:ref"
            raise InputError(Location(file=STANDARD_INPUT), "can be read only once", fix)
        # Several fields of standard input: read it as a whole.
        whole = b"".join(Source(None).limited()) if len(from_input) > 1 else None

        def opened_file(file: str, **options: Any) -> Reader:
            stdin = None if whole is None else io.BytesIO(whole)
            return stack.enter_context(open_segments(file, stdin=stdin, segments=stm, **options))

        self.systems = systems
        self.cuts = cuts
        self._blank_is_missing = blank_is_missing
        self._if_no_answer = [""] if may_lack_answers else []
        timed = timing.is_read and cuts is None
        with ExitStack() as stack:
            opened = [opened_file(file, format=format, timed=timed) for file in texts]
            labelled = [opened_file(file, format=format, labels=True) for file in labels]
            self._documents = {file: opened_file(file, labels=True) for file in documents}
            # Files whose segments have names have the order of the first of them.
            named = [reader for reader in (*opened, *labelled) if isinstance(reader, NamedReader)]
            for reader in named[1:]:
                reader.reorder(named[0])
            self._readers = [*opened, *labelled]
            self._passages: Passages | None = None
            if subtitles := [reader for reader in opened if isinstance(reader, SubtitleReader)]:
                timing.check(subtitles, is_cut=cuts is not None)
                if timed and any(reader.field == "timed" for reader in subtitles):
                    self._passages = Passages(self._readers)
            self._stack = stack.pop_all()
        self._hypotheses, rest = opened[: len(systems)], opened[len(systems) :]
        self._references, self._sources = rest[: len(references)], None if sources is None else rest[-1]
        self._groups = dict(zip(groups or {}, labelled, strict=False))
        self._units = None if units is None else labelled[-1]
        self.segments = 0
        # The smallest and largest number of references per segment so far.
        self.reference_counts = 0, 0

    def __enter__(self) -> SegmentFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def resegmentation(self) -> str | None:
        return None if self.cuts is None else self.cuts.signature

    @property
    def files(self) -> list[str]:
        return [str(reader.file) for reader in (*self._readers, *self._documents.values())]

    def evaluate(
        self,
        metrics: Mapping[str, RowMetric[Any]],
        segment_metrics: Mapping[str, RowMetric[Any]] | None = None,
        *,
        given: GivenScores | None = None,
        retain: Retain = "rows",
        with_texts: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
        take: Callable[[Evaluation, Mapping[Key, Rows]], object] | None = None,
    ) -> Evaluation:
        """Read all files once and evaluate them block by block.

        All segments are in memory if a metric must see all references first, for views that show texts, or if there
        are `given` scores, which are checked before any scoring. `take` is called for each block with the evaluation
        and the rows by key.
        """
        retain = retained_by_all(self._order, retain)
        if not self.systems:
            joined = self._with_labels(join_records(None, self._order, metrics, retain))
            if take is not None:
                take(joined, _all_rows(joined))
            return joined
        has_records = len(self.systems) < len(self._order)
        blocks: Iterable[Block] = [self._read_texts(progress)] if with_texts else self.blocks()
        needs_fit = any(metric.needs_fit for metric in metrics.values())
        if given is not None or needs_fit:
            blocks = [*blocks]
        chosen = {**metrics, **({} if given is None else given.metrics)}
        fitted = chosen
        if needs_fit:
            with self.errors_located():
                fitted = fitted_metrics(chosen, [entry for block in blocks for entry in block.references])
        given_rows = {} if given is None else given.rows(self.segments)
        evaluation = Evaluation(fitted, [system.name for system in self.systems], retain=retain)
        evaluation.segment_metrics = {
            label: metric if metric != chosen[label] else (segment_metrics or {}).get(label, metric)
            for label, metric in fitted.items()
        }
        evaluation.titles = metric_titles(fitted)
        evaluation.notes["files"] = [system.file for system in self.systems]
        if self.resegmentation is not None:
            evaluation.notes["resegmentation"] = self.resegmentation
        # With more than one thread, read the next block while the last one is scored. Re-segmentation has one block.
        is_stream = self.cuts is None and not isinstance(blocks, list)
        unread = prefetch(blocks) if threads != 1 and is_stream else (block for block in blocks)
        with closing(unread):
            for block in unread:
                part = slice(block.begin, block.begin + block.segments)
                rows = {
                    label: {name: [table[part] for table in tables] for name, tables in by_system.items()}
                    for label, by_system in given_rows.items()
                }
                evaluation.add_block(
                    block.with_digests() if has_records else block,
                    lambda location, run, begin=block.begin: self.locate(location, begin, run),  # type: ignore[misc]
                    rows=rows,
                    threads=threads,
                    take=None if take is None or has_records else partial(take, evaluation),
                )
                if progress is not None:
                    progress(part.stop, block.fraction)
        if with_texts:
            evaluation.texts = block
        if has_records:
            evaluation = join_records(evaluation, self._order, fitted, retain)
            if take is not None:
                take(evaluation, _all_rows(evaluation))
        return evaluation

    def _with_labels(self, evaluation: Evaluation) -> Evaluation:
        """Return an evaluation of records with the labels of the files, after checking their references."""
        if self._readers:
            block = self._read_texts()
            if self.segments != evaluation.segments:
                problem = f"has {counted(self.segments, 'segment')}, but the records have {evaluation.segments}"
                raise InputError(Location(file=self._readers[0].name), problem, "name the file of the same segments")
            digest = block.with_digests().digests
            if self._references and digest is not None and digest.references != evaluation.references_digest:
                problem = f"has the digest {digest.references}, but the records have {evaluation.references_digest}"
                raise InputError(Location(file=self._references[0].name), problem, "name the references of the records")
            evaluation.units = evaluation.units if block.units is None else [*block.units]
            evaluation.groups |= {name: [*labels] for name, labels in block.groups.items()}
        self.segments = evaluation.segments
        return evaluation

    def errors_located(self) -> AbstractContextManager[None]:
        """Return a context that adds the segment's file and line to errors."""
        return relocated(self.locate)

    def locate(self, location: Location, begin: int = 0, system: int = 0) -> Location:
        """Return the location of an error with the segment's file and line.

        `begin` is the index of the first scored segment. `system` is the index of the scored system, unless the error
        names one.
        """
        if location.segment is None:
            return location
        location = location.after(begin)
        return at_place(location, self._place(location, location.segment or 0, system))

    def _place(self, location: Location, segment: int, system: int) -> Location:
        reader = self._reader(location, system)
        if self.cuts is not None and reader in self._hypotheses:
            return Location(file=reader.name, field=f"segment {segment + 1} after re-segmentation")
        return reader.location(segment) if self._passages is None else self._passages.location(reader, segment)

    def _reader(self, location: Location, system: int) -> Reader:
        sides = [f"systems[{named.name!r}]" for named in self.systems]  # the sides in errors of `build_report`
        if location.side == "sources" and self._sources is not None:
            return self._sources
        if location.side == "references":
            # If files have several references per segment, or none, the right file is unknown: name the first.
            each_file_has_one = {*self.reference_counts} == {len(self._references)}
            return self._references[(location.reference or 0) if each_file_has_one else 0]
        return self._hypotheses[sides.index(location.side) if location.side in sides else system]

    def read_all(self, progress: Progress | None = None) -> Block:
        """Return the texts of all systems as one block. Records must have them."""
        block = self._read_texts(progress)
        texts = iter(block.hypotheses)
        sides = [next(texts) if system.record is None else recorded_texts(system) for system in self._order]
        return replace(block, hypotheses=sides)

    def _read_texts(self, progress: Progress | None = None) -> Block:
        blocks = list(self.blocks(progress))
        by_system = zip(*(block.hypotheses for block in blocks), strict=True)
        return Block(
            [[*chain.from_iterable(parts)] for parts in by_system],
            [entry for block in blocks for entry in block.references] if self._references else None,
            None if self._sources is None else [text for block in blocks for text in block.sources],
            None if self._units is None else [label for block in blocks for label in block.units or ()],
            {name: [label for block in blocks for label in block.groups[name]] for name in self._groups},
            fraction=1.0,
        )

    def blocks(self, progress: Progress | None = None) -> Iterator[Block]:
        """Yield all segments block by block. The files can be read only once."""
        for columns in self._aligned_columns() if self.cuts is None else [self._cut_columns(self.cuts)]:
            values = dict(zip(self._readers, columns, strict=True))
            begin, sources, units = self.segments, self._sources, self._units
            check = partial(_check_texts, begin=begin)
            fractions = [each.fraction for each in self._readers]
            fraction = min((each for each in fractions if each is not None), default=None)
            block = Block(
                [check(reader, values[reader], _ONE_HYPOTHESIS) for reader in self._hypotheses],
                self._join_references([values[reader] for reader in self._references], begin)
                if self._references
                else None,
                None if sources is None else check(sources, values[sources], "a source must be one text"),
                None if units is None else check(units, values[units], _LABEL, may_be_blank=False),
                {name: check(each, values[each], _LABEL, may_be_blank=False) for name, each in self._groups.items()},
                begin=begin,
                fraction=fraction,
            )
            self.segments += len(columns[0])
            yield block
            if progress is not None:
                progress(self.segments, fraction)

    def _aligned_columns(self) -> Iterator[tuple[list[Any], ...]]:
        try:
            yield from read_aligned(self._readers) if self._passages is None else [self._passages.columns()]
        except InputError as error:
            if not error.problem.startswith(_UNPAIRED) or all(each.count != 1 for each in self._hypotheses):
                raise
            # One line is a system's whole output.
            fix = *error.parts, ", or cut the text into segments with ", Argument("resegmenter")
            raise error.at(error.location, fix=fix) from None

    def _cut_columns(self, cuts: Cuts) -> tuple[list[Any], ...]:
        others = self._readers[len(self._hypotheses) :]
        documents = None if cuts.documents is None else self._documents[cuts.documents]
        aligned = read_aligned([*others, *([] if documents is None else [documents])])
        columns: list[list[Any]] = [[*chain.from_iterable(parts)] for parts in zip(*aligned, strict=True)]
        document_labels = None if documents is None else columns.pop()
        references = self._join_references(columns[: len(self._references)], 0)
        labels: dict[str, list[Any]] = {}
        outputs: list[list[Any]] = []
        for index, reader in enumerate(self._hypotheses):
            lines = _check_texts(reader, [*chain.from_iterable(reader)], _ONE_HYPOTHESIS)
            line_labels = None
            if cuts.hypothesis_documents:
                file = cuts.hypothesis_documents[index]
                if file not in labels:
                    labels[file] = [*chain.from_iterable(self._documents[file])]
                line_labels = labels[file]
            if cuts.align:
                outputs.append(self._align_cues(reader, lines, references, by_times=cuts.align == "times"))
                continue
            try:
                cut = cuts.resegmenter.cut(
                    lines, references, documents=document_labels, hypothesis_documents=line_labels
                )
            except InputError as error:
                raise self._cut_error(error, cuts, index) from None
            outputs.append(cut.segments)
        return *outputs, *columns

    def _align_cues(self, reader: Reader, cues: list[str], references: list[Any], *, by_times: bool) -> list[str]:
        times: list[Any] = []
        for each in (reader, self._references[0]) if by_times else ():
            if not isinstance(each, SubtitleReader):
                raise InputError(Location(file=each.name), "has no times", "name subtitles in SRT or WebVTT")
            times.append([(start / 10**6, end / 10**6) for start, end in each.times])
        if any(isinstance(entry, list) for entry in references):
            problem = "are several references, and cues are aligned with one"
            raise InputError(Location(file=self._references[0].name), problem, "name a single file with -r")
        own, other = times or (None, None)
        try:
            return align_cues(cues, references, times=own, reference_times=other)
        except InputError as error:
            raise error.at(Location(file=reader.name)) from None

    def _cut_error(self, error: InputError, cuts: Cuts, index: int) -> InputError:
        side, segment = (error.location.side, error.location.segment) if error.location is not None else ("", None)
        reader = self._hypotheses[index]
        if side == "documents" and cuts.documents is not None:
            reader = self._documents[cuts.documents]
        elif side == "hypothesis_documents" and cuts.hypothesis_documents:
            reader = self._documents[cuts.hypothesis_documents[index]]
        elif side == "references":
            reader = self._references[0]
        else:
            segment = None
        location = Location(file=reader.name) if segment is None else reader.location(segment)
        is_limit = isinstance(error, LimitError)
        if side != "hypothesis" or cuts.documents is None or cuts.hypothesis_documents or is_limit:
            return error.at(location)
        fix = "write one line per document in order, or name the label of each line with "
        return error.at(location, fix=(fix, Argument("hypothesis_documents", metric="resegment")))

    def _join_references(self, columns: Sequence[list[Any]], begin: int) -> list[Any]:
        """Return each segment's references. A single column of texts is returned unchanged."""
        if not columns:
            return []
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
        texts = (value or self._if_no_answer) if isinstance(value, list) else [value]
        return [text for text in texts if text is not None and not (self._blank_is_missing and not text.strip())]

    def _note_counts(self, fewest: int, most: int) -> None:
        least, largest = self.reference_counts
        self.reference_counts = min(least or fewest, fewest), max(largest, most)


def _all_rows(evaluation: Evaluation) -> dict[Key, Rows]:
    runs = range(len(evaluation.runs))
    return {(run, label): evaluation.rows_of_run(label, run) for run in runs for label in evaluation.metrics}


def at_place(location: Location, place: Location) -> Location:
    return replace(location, file=place.file, line=place.line, field=place.field)


def is_standard_input(spec: str) -> bool:
    return spec == "-" or spec.startswith("-:")


def _check_texts(
    reader: Reader, column: list[Any], rule: str, *, begin: int = 0, may_be_blank: bool = True
) -> list[str]:
    if may_be_blank and {*map(type, column)} == {str}:  # the usual case, checked much faster
        return column
    for index, value in enumerate(column):
        if not isinstance(value, str) or not (may_be_blank or value.strip()):
            kind = "a list" if isinstance(value, list) else "missing"
            raise InputError(reader.location(begin + index), f"is {kind}", rule)
    return column

"""The hypotheses and references of a command, read together block by block."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from refscore.cli.systems import System
from refscore.cli.test_sets import reference_files
from refscore.errors import InputError
from refscore.readers import FORMATS, Reader, corresponding, open_segments

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Block:
    """Some segments that follow each other: those of each system, and the references of each segment.

    `begin` is the index of the first, `fraction` how much of all files has been read by now, where that is known.
    """

    begin: int
    hypotheses: list[list[str]]
    references: list[Any]
    units: list[Any] | None
    fraction: float | None
    source: list[str] | None = None


class Inputs:
    """Files of hypotheses and of references, opened: mistakes that show at their beginning are found at once.

    Args:
        systems: The files of hypotheses.
        references: The files of references.
        file_format: That of all files; None for the format that their names tell.
        blank_is_missing: Whether an empty reference is none.
        units: A file with the label of the unit that each segment belongs to.
        source: A file of source texts.
    """

    def __init__(
        self,
        systems: Sequence[System],
        references: Sequence[str],
        file_format: str | None = None,
        *,
        blank_is_missing: bool = False,
        units: str | None = None,
        source: str | None = None,
    ) -> None:
        others = [file for file in (source, units) if file is not None]
        files = [*(system.file for system in systems), *references, *others]
        if sum(file == "-" or file.startswith("-:") for file in files) > 1:
            raise InputError(None, "standard input (-) can be read only once")
        self.systems = systems
        self._blank_is_missing = blank_is_missing
        self._stack = ExitStack()
        self._readers: list[Reader] = []
        try:
            for index, file in enumerate(files):
                labels = units is not None and index == len(files) - 1
                reader = open_segments(file, format=file_format, labels=labels)
                self._readers.append(self._stack.enter_context(reader))
        except BaseException:
            self._stack.close()
            raise
        self._references = self._readers[len(systems) : len(systems) + len(references)]
        self._has_units = units is not None
        self._has_source = source is not None
        self.segments = 0
        self._fewest, self._most = 0, 0

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def reference_counts(self) -> tuple[int, int]:
        """The smallest and the largest number of references of a segment so far."""
        return self._fewest, self._most

    @property
    def files(self) -> list[str]:
        """The paths of all files, without fields; - is standard input."""
        return [str(reader.file) for reader in self._readers]

    def place_of_reference(self, segment: int, reference: int) -> str:
        """Where a reference of a segment stands; where that cannot be told, its first one."""
        each_has_one = self._fewest == self._most == len(self._references)
        return self._references[reference if each_has_one else 0].place(segment)

    def place_of_hypothesis(self, system: int, segment: int) -> str:
        """Where a segment of a system stands."""
        return self._readers[system].place(segment)

    def check_apart_from(self, path: Path) -> None:
        """Raises an error if a file that is to be written is one of these."""
        for reader in self._readers:
            with suppress(OSError):
                if path.samefile(reader.file):
                    raise InputError(None, f"{path} is read here, and would be overwritten: name another file")

    def blocks(self) -> Iterator[Block]:
        """All segments, once."""
        count = len(self.systems)
        for columns in corresponding(self._readers):
            begin = self.segments
            hypotheses = [
                self._single(reader, column, begin, "a hypothesis")
                for reader, column in zip(self._readers[:count], columns[:count], strict=True)
            ]
            end = count + len(self._references)
            references = self._joined(columns[count:end], begin)
            source = self._single(self._readers[end], columns[end], begin, "a source") if self._has_source else None
            units = self._labels(columns[-1], begin) if self._has_units else None
            self.segments += len(columns[0])
            fractions = [reader.fraction for reader in self._readers]
            known = [fraction for fraction in fractions if fraction is not None]
            yield Block(begin, hypotheses, references, units, min(known) if known else None, source)

    def _single(self, reader: Reader, column: list[Any], begin: int, what: str) -> list[str]:
        if {*map(type, column)} != {str}:
            index = next(i for i, value in enumerate(column) if not isinstance(value, str))
            kind = "a list" if isinstance(column[index], list) else "missing"
            raise InputError(None, f"{reader.place(begin + index)} is {kind}: {what} is one text")
        return column

    def _labels(self, column: list[Any], begin: int) -> list[str]:
        for index, label in enumerate(column):
            # Segments without a label would become one unit, wherever they stand.
            if not isinstance(label, str) or not label.strip():
                kind = "a list" if isinstance(label, list) else "missing"
                raise InputError(
                    None,
                    f"{self._readers[-1].place(begin + index)}: the label is {kind}, and every segment needs one, such "
                    "as the name of its document",
                )
        return column

    def _joined(self, columns: Sequence[list[Any]], begin: int) -> list[Any]:
        """The references of each segment; where there is one file of texts, its column as it is."""
        plain = all({*map(type, column)} == {str} for column in columns)
        if plain and not self._blank_is_missing:
            self._note_counts(len(columns), len(columns))
            return columns[0] if len(columns) == 1 else [list(texts) for texts in zip(*columns, strict=True)]
        joined = [[text for value in values for text in self._texts(value)] for values in zip(*columns, strict=True)]
        counts = [*map(len, joined)]
        if 0 in counts:
            index = counts.index(0)
            others = " in all reference files" if len(columns) > 1 else ""
            raise InputError(None, f"{self._references[0].place(begin + index)}: the reference is missing{others}")
        self._note_counts(min(counts), max(counts))
        return joined

    def _texts(self, value: Any) -> list[str]:
        texts = value if isinstance(value, list) else [value]
        return [text for text in texts if text is not None and not (self._blank_is_missing and not text.strip())]

    def _note_counts(self, fewest: int, most: int) -> None:
        self._fewest = min(self._fewest or fewest, fewest)
        self._most = max(self._most, most)


@dataclass(frozen=True)
class InputChoice:
    """What the options of a command line say about references and files."""

    references: tuple[str, ...] = ()
    test_set: str | None = None
    languages: str | None = None
    file_format: str | None = None
    blank_is_missing: bool = False

    def files(self) -> list[str]:
        """The reference files: those given, and those of the test set."""
        if self.languages is not None and self.test_set is None:
            # sacrebleu's -lc is read as -l c.
            lowercase = "; to lowercase, write --set bleu.lowercase=yes" if self.languages == "c" else ""
            raise click.UsageError(
                f"-l needs -t with the name of a test set{lowercase}", click.get_current_context(silent=True)
            )
        files = [*self.references]
        if self.test_set == "ok":  # sacrebleu's -tok
            raise click.UsageError(
                "there is no test set 'ok'; for -tok NAME, write --set bleu.tokenizer=NAME",
                click.get_current_context(silent=True),
            )
        if self.test_set is not None:
            files += reference_files(self.test_set, self.languages)
        if not files:
            raise click.UsageError("Missing option '-r': name a file of references, or a test set with -t and -l")
        return files

    def open(self, systems: Sequence[System], units: str | None = None, source: str | None = None) -> Inputs:
        """The files, opened."""
        return Inputs(
            systems,
            self.files(),
            self.file_format,
            blank_is_missing=self.blank_is_missing,
            units=units,
            source=source,
        )


def input_options(command: F) -> F:
    """Adds the options for references and files; the command gets an `InputChoice` as `sources`."""

    @functools.wraps(command)
    def with_sources(
        *arguments: Any,
        references: tuple[str, ...],
        test_set: str | None,
        languages: str | None,
        file_format: str | None,
        blank_reference: str,
        **rest: Any,
    ) -> Any:
        sources = InputChoice(references, test_set, languages, file_format, blank_reference == "missing")
        return command(*arguments, sources=sources, **rest)

    options = [
        click.option(
            "-r",
            "--reference",
            "references",
            metavar="REF",
            multiple=True,
            shell_complete=complete_file,
            help="A file of references, one a line like HYP; -r a.txt -r b.txt for two references. Files: plain text, "
            "also compressed; FILE:FIELD of TSV, CSV, JSON lines, Parquet, WMT XML or SGML; - for stdin.",
        ),
        click.option("-t", "--test-set", metavar="NAME", help="A test set that sacrebleu knows, as in wmt23."),
        click.option("-l", "--languages", metavar="PAIR", help="The language pair of the test set, as in en-de."),
        click.option(
            "--format",
            "file_format",
            type=click.Choice([*FORMATS]),
            help="The format of all files, where their names do not tell it.",
        ),
        click.option(
            "--blank-reference",
            type=click.Choice(["empty", "missing"]),
            default="empty",
            help="What an empty line in a reference file means: a reference without words (the default, as in "
            "sacrebleu), or that there is none.",
        ),
    ]
    wrapped: Any = with_sources
    for option in reversed(options):
        wrapped = option(wrapped)
    made: F = wrapped
    return made


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Lets the shell complete the names of files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]

"""`python -m refscore.compat ribes`: print RIBES with the options and output of the official RIBES.py."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

import click

from refscore.errors import EmptyReferenceError, InputError, Location, RefscoreError
from refscore.metrics import RIBES, sum_rows
from refscore.readers import Reader, open_segments, read_aligned
from refscore.writing import written_whole

_PROGRAM = "python -m refscore.compat ribes"


@click.command(epilog=f"Example: {_PROGRAM} hyp.txt -r ref.txt --sentence")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@click.option(
    "-r",
    "--ref",
    "--reference",
    "references",
    metavar="REF",
    multiple=True,
    required=True,
    help="A file of references, one per line. Repeat -r for several references per segment.",
)
@click.option("-c", "--case", "keep_case", is_flag=True, help="Distinguish upper and lower case.")
@click.option("-s", "--sentence", "sentences", is_flag=True, help="Also print the score of every sentence.")
@click.option("-a", "--alpha", type=float, metavar="NUMBER", help="The exponent of the precision; 0.25 by default.")
@click.option("-b", "--beta", type=float, metavar="NUMBER", help="The exponent of the brevity penalty; 0.1 by default.")
@click.option(
    "-z",
    "--emptyref",
    "skip_empty",
    is_flag=True,
    help="Skip empty references, which are an error by default, and sentences that have no other reference.",
)
@click.option("--preset", default="official", metavar="NAME", help=f"The preset: {', '.join(RIBES.presets)}.")
@click.option("--tokenizer", metavar="NAME", help="The tokenizer; none (split at whitespace) by default.")
@click.option("-o", "--output", "target", metavar="FILE", help="Write to FILE instead of standard output.")
def ribes(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    keep_case: bool,
    sentences: bool,
    skip_empty: bool,
    preset: str,
    target: str | None,
    **settings: Any,
) -> None:
    """Print the RIBES score of each file HYP, which has one sentence per line.

    The output is the same as from the official RIBES.py 1.03.1.
    """
    settings |= {"lowercase": False if keep_case else None, "empty_reference": "skip" if skip_empty else None}
    metric = RIBES.preset(preset, **{name: value for name, value in settings.items() if value is not None})
    with ExitStack() as stack:
        if [*hypotheses, *references].count("-") > 1:
            raise InputError(None, "standard input can be read only once", "name a file instead of -")
        readers = [stack.enter_context(open_segments(file)) for file in (*hypotheses, *references)]
        file = None if target is None else stack.enter_context(_output(Path(target), readers))
        lines = [*_lines(metric, hypotheses, readers, sentences)]
        # File names may not be valid in stdout's encoding, so print their bytes.
        _write(os.fsencode("".join(f"{line}\n" for line in lines)), file)


def _output(path: Path, readers: Sequence[Reader]) -> Any:
    if path.is_file() and any(os.path.exists(reader.file) and path.samefile(reader.file) for reader in readers):
        raise InputError(Location(file=str(path)), "is an input and would be overwritten", "name a different file")
    return written_whole(path)


def _write(data: bytes, file: IO[bytes] | None) -> None:
    if file is not None:
        file.write(data)
    elif sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    else:
        click.echo(data, nl=False)


def _lines(metric: RIBES, files: Sequence[str], readers: Sequence[Reader], sentences: bool) -> Iterator[str]:
    columns = [list(chain(*parts)) for parts in zip(*read_aligned(readers), strict=True)]
    references = _references(columns[len(files) :], readers[len(files) :])
    counts = [*map(len, references)]
    prepared: Any = None
    for file, reader, values in zip(files, readers, columns, strict=False):  # one line per argument, like RIBES.py
        texts = [text for text in values if isinstance(text, str)]
        if len(texts) < len(values):
            first = next(i for i, text in enumerate(values) if not isinstance(text, str))
            raise InputError(reader.location(first), "is not one text", "a hypothesis must be one text")
        try:
            prepared = metric.prepare(references) if prepared is None else prepared
            rows = metric.stats(texts, prepared)
        except InputError as error:
            raise _at_line(error, reader, readers[len(files) :], counts) from None
        settings = f"alpha={metric.alpha:f} beta={metric.beta:f} {file}"
        for index, (value, *_, segments) in enumerate(rows.tolist() if sentences else ()):
            yield f"{value if segments else float('-inf'):.6f} {settings} sentence {index}"
        score = metric.score(sum_rows(rows), references=(min(counts), max(counts)))
        yield f"{score.value:.6f} {settings}"


def _references(columns: Sequence[Sequence[Any]], readers: Sequence[Reader]) -> list[list[str]]:
    """Return the references of each segment. JSON files may have several, or none."""
    groups = []
    for i, values in enumerate(zip(*columns, strict=True)):
        texts = [text for value in values for text in (value if isinstance(value, list) else [value])]
        groups.append([text for text in texts if text is not None])
        if not groups[-1]:
            raise InputError(readers[0].location(i), "has no reference", "every segment needs one")
    return groups


def _at_line(error: InputError, hypotheses: Reader, references: Sequence[Reader], counts: list[int]) -> InputError:
    """Return an error with the line of a file instead of a segment."""
    location = error.location
    if location is None or location.segment is None:
        return error
    reader = hypotheses
    if location.side == "references":  # if files have several references or none, name the first
        reader = references[(location.reference or 0) if {*counts} == {len(references)} else 0]
    place = reader.location(location.segment)
    fix = "add the text, or skip empty references with -z" if isinstance(error, EmptyReferenceError) else None
    return error.at(replace(location, file=place.file, line=place.line, field=place.field), fix=fix)


def main(arguments: list[str]) -> int:
    try:
        ribes.main(arguments, prog_name=_PROGRAM, standalone_mode=False)
        return 0
    except click.UsageError as error:
        message = f"{_PROGRAM}: {error.format_message().removesuffix('.')} (see {_PROGRAM} --help)"
    except RefscoreError as error:
        message = f"{_PROGRAM}: {error}"
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - Python flushes stdout at exit, which would fail again
        if error.errno == errno.EPIPE:  # the reader closed the pipe, as `head` does
            return 1
        message = f"{_PROGRAM}: cannot write the output: {error.strerror or error}"
    # File names may contain line breaks and codes that move the cursor. The message must stay one line.
    print("".join(c if c.isprintable() else ascii(c)[1:-1] for c in message), file=sys.stderr)
    return 2

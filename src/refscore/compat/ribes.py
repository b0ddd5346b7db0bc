"""`python -m refscore.compat ribes`: print RIBES with the options and output of the official RIBES.py."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import click

from refscore.errors import Argument, InputError, Location, RefscoreError, arguments_shown_as
from refscore.evaluation import Evaluation
from refscore.metrics import RIBES
from refscore.readers.files import SegmentFiles
from refscore.readers.system_scores import System
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
        files = stack.enter_context(SegmentFiles([System(file, file) for file in hypotheses], references))
        output = None if target is None else stack.enter_context(_output(Path(target), files.files))
        lines = [*_lines(metric, hypotheses, files.evaluate({"ribes": metric}), sentences)]
        # File names may not be valid in stdout's encoding, so print their bytes.
        _write(os.fsencode("".join(f"{line}\n" for line in lines)), output)


def _output(path: Path, inputs: Sequence[str]) -> Any:
    if path.is_file() and any(os.path.exists(file) and path.samefile(file) for file in inputs):
        raise InputError(Location(file=str(path)), "is an input and would be overwritten", "name a different file")
    return written_whole(path)


def _write(data: bytes, file: IO[bytes] | None) -> None:
    if file is not None:
        file.write(data)
    elif sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    else:
        click.echo(data, nl=False)


def _lines(metric: RIBES, files: Sequence[str], evaluation: Evaluation, sentences: bool) -> Iterator[str]:
    for run, file in enumerate(files):  # one line per argument, like RIBES.py
        rows = evaluation.rows_of_run("ribes", run)
        settings = f"alpha={metric.alpha:f} beta={metric.beta:f} {file}"
        for index, (value, *_, segments) in enumerate(rows.tolist() if sentences else ()):
            yield f"{value if segments else float('-inf'):.6f} {settings} sentence {index}"
        yield f"{evaluation.scores_of_runs([run])[0]['ribes'].value:.6f} {settings}"


def _as_option(argument: Argument) -> str:
    return "-z" if argument.name == "empty_reference" else str(argument)


def main(arguments: list[str]) -> int:
    try:
        ribes.main(arguments, prog_name=_PROGRAM, standalone_mode=False)
        return 0
    except click.UsageError as error:
        message = f"{_PROGRAM}: {error.format_message().removesuffix('.')} (see {_PROGRAM} --help)"
    except RefscoreError as error:
        with arguments_shown_as(_as_option):
            message = f"{_PROGRAM}: {error}"
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - Python flushes stdout at exit, which would fail again
        if error.errno == errno.EPIPE:  # the reader closed the pipe, as `head` does
            return 1
        message = f"{_PROGRAM}: cannot write the output: {error.strerror or error}"
    # File names may contain line breaks and codes that move the cursor. The message must stay one line.
    print("".join(c if c.isprintable() else ascii(c)[1:-1] for c in message), file=sys.stderr)
    return 2

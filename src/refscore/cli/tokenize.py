from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from refscore import normalizers
from refscore.cli.help import command
from refscore.cli.input_options import complete_from, input_format_option
from refscore.cli.option_group import file_argument
from refscore.cli.run_options import RunOptions, run_options
from refscore.errors import InputError, RefscoreError, SettingError
from refscore.readers import open_segments
from refscore.readers.formats import split_spec
from refscore.tables import Column, Result, Table
from refscore.tokenizers import available, get
from refscore.tokenizers.external import FORMS, OFFERS
from refscore.tokenizers.pipeline import Pipeline


@command(epilog="Example: refscore tokenize hyp.txt --tokenizer intl")
@file_argument("inputs", metavar="[FILE]...", nargs=-1)
@click.option("--text", "are_texts", is_flag=True, help="Read all arguments as texts, not as files.")
@click.option(
    "--tokenizer",
    default="13a",
    metavar="NAME",
    shell_complete=complete_from(lambda _: available()),
    help="The tokenizer. --list shows all tokenizers.",
)
@click.option("--lowercase", is_flag=True, help="Lowercase the text first.")
@click.option(
    "--normalize",
    default="none",
    metavar="NAME",
    shell_complete=complete_from(lambda _: normalizers.available()),
    help="The normalizer, applied before the tokenizer. --list shows all normalizers.",
)
@input_format_option
@click.option("--list", "lists", is_flag=True, help="List the tokenizers and normalizers, and exit.")
@run_options("output quiet", "text", "json")
def tokenize(
    inputs: tuple[str, ...],
    are_texts: bool,
    tokenizer: str,
    lowercase: bool,
    normalize: str,
    file_format: str | None,
    lists: bool,
    run: RunOptions,
) -> None:
    """Print the tokens of each segment in FILE, or in standard input, separated by spaces.

    FILE is a text file, also compressed, with one segment per line. FILE:FIELD reads a field of a TSV, CSV, JSON,
    Parquet, XML or SGML file. With --format json, each line is a list of tokens.
    """
    if lists:
        RunOptions().show(_Lists())
        return
    if are_texts and not inputs:
        raise SettingError("--text needs a text, as in: refscore tokenize --text 'It costs 3.50.'")
    for each in () if are_texts else inputs:
        if " " in each and not os.path.exists(split_spec(each)[0] or "."):
            raise SettingError(f"{each!r} is not a file: add --text if it is the text")
    pipeline = Pipeline(tokenizer, lowercase, normalize)
    blocks = [(inputs, 1.0)] if are_texts else _blocks(inputs or ("-",), file_format)
    done = 0
    with run.progress("tokenizing", "segments", quiet=sys.stdout.isatty()) as progress:
        for block, fraction in blocks:
            segments = pipeline.tokens_all(block)
            lines = (
                json.dumps(each, ensure_ascii=False) if run.form == "json" else " ".join(map(str, each))
                for each in segments
            )
            click.echo("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"), nl=False)
            done += len(block)
            progress.show(done, fraction)


def _blocks(specs: Sequence[str], file_format: str | None) -> Iterator[tuple[Sequence[str], float | None]]:
    """Yield blocks of texts, and the fraction of all files read so far, None if unknown."""
    for number, spec in enumerate(specs):
        with open_segments(spec, format=file_format) as reader:
            for block in reader:
                before = reader.count - len(block)
                for index, text in enumerate(block):
                    if not isinstance(text, str):
                        problem = "has no text" if text is None else "has a list of texts"
                        raise InputError(reader.location(before + index), problem, "tokenize needs one text")
                part = reader.fraction
                yield block, None if part is None else (number + part) / len(specs)  # type: ignore[misc]


class _Lists(Result):
    def tables(self, *, digits: int | None = None) -> list[Table]:
        rows = [[name, _summary(get, name), OFFERS[name].needs() if name in OFFERS else ""] for name in available()]
        rows += [[form, summary, f"refscore[{extra}]"] for form, (summary, extra) in FORMS.items()]
        tokenizers = Table("", map(Column, ("tokenizer", "description", "needs")), rows)
        rows = [[name, _summary(normalizers.get, name)] for name in normalizers.available()]
        return [tokenizers, Table("", map(Column, ("normalizer", "description")), rows)]


def _summary(get: Callable[[str], Any], name: str) -> str:
    if name in OFFERS:
        return OFFERS[name].summary
    try:
        summary: str = get(name).summary
        return summary
    except RefscoreError as error:  # raised by an object from another package
        return f"not available: {error}"

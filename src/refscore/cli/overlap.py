from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from refscore.cli.declared_options import setting_option
from refscore.cli.help import command
from refscore.cli.input_options import input_format_option
from refscore.cli.option_group import Size, file_argument, file_option
from refscore.cli.output import check_output, write_file
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.segment_files import check_segment_file, segments_option
from refscore.overlap import PRESETS, Files, NgramFilter, Overlap, OverlapSettings, find
from refscore.tables.model import encode_json

COLUMNS = ("segment", "tokens", "ngrams", "matches", "covered", "contaminated")

# The preset has the defaults.
_option = partial(setting_option, OverlapSettings, default=None)


@command(epilog="Example: refscore overlap test.jsonl:question --corpus corpus/*.jsonl.gz --field text --preset gpt3")
@file_argument("file", metavar="TEST")
@file_argument("inputs", metavar="[CORPUS]...", nargs=-1)
@file_option("--corpus", multiple=True, help="A file of the corpus.")
@click.option("--field", metavar="NAME", help="The field of all files of the corpus, in place of FILE:FIELD.")
@input_format_option
@click.option("--preset", type=click.Choice([*PRESETS]), help="The preset of the settings below; plain by default.")
@_option("order")
@_option("tokenizer", help="The tokenizer of both sides (see refscore tokenize --list).")
@_option("lowercase", help="Lowercase both sides.")
@_option("max_documents")
@_option("measure")
@_option("threshold")
@file_option(
    "--filter",
    "filter_file",
    help="Search a saved filter in place of a corpus.",
)
@click.option("--save-filter", metavar="FILE", help="Put the corpus into a Bloom filter, save it, and search that.")
@click.option("--memory", type=Size(), default="1G", metavar="SIZE", help="The memory of that filter.")
@segments_option
@run_options("table threads quiet")
def overlap(
    file: str,
    inputs: tuple[str, ...],
    corpus: tuple[str, ...],
    field: str | None,
    file_format: str | None,
    filter_file: str | None,
    save_filter: str | None,
    memory: int,
    segment_file: str | None,
    run: RunOptions,
    **settings: Any,
) -> None:
    """Print how much of the segments of TEST occurs in the files of a corpus.

    TEST and the files of the corpus have one text per line. FILE:FIELD reads a field of a TSV, CSV, JSON, Parquet, XML
    or SGML file, and - is standard input. Files may be compressed. They are streamed, and n-grams do not cross lines.

    The search is exact. With --save-filter or --filter, the n-grams of the corpus are in a Bloom filter with a rate of
    false matches, which is printed.
    """
    context = click.get_current_context()
    names = [*corpus, *inputs]
    if bool(names) == (filter_file is not None):
        raise click.UsageError("name the files of the corpus with --corpus, or a saved filter with --filter", context)
    if segment_file is not None:
        segment_format = check_segment_file(segment_file, run.form)
    preset = settings.pop("preset")
    settings = {name: value for name, value in settings.items() if value not in (None, False)}
    segments: Any = Files(file, format=file_format)
    searched: Any = None
    if filter_file is not None:
        searched = NgramFilter.load(filter_file, tokenizer=settings.get("tokenizer"))
    else:
        searched = Files(*(name if field is None else f"{name}:{field}" for name in names), format=file_format)
    with run.progress("reading the corpus", "MiB") as progress:

        def advance(_step: str, done: int, total: int) -> None:
            progress.show(done >> 20, done / total)

        if save_filter is not None:
            check_output(Path(save_filter))
            searched = NgramFilter.build(
                searched, preset or "plain", memory=memory, threads=run.threads, progress=advance, **settings
            )
            searched.save(save_filter)
            preset, settings = None, {}
        found = find(segments, searched, preset, threads=run.threads, progress=advance, **settings)
    if segment_file is not None:
        write_file(segment_file, _segment_lines(found, segment_format))
        if segment_file == "-":
            return
    run.show(found, hints=() if found.settings.judges else ["no segment is judged: set --threshold"])


def _segment_lines(found: Overlap, file_format: str) -> Iterator[str]:
    """Yield lines of TSV, CSV or JSON, one per segment. Segments are counted from 1, like lines."""
    separator = "," if file_format == "csv" else "\t"
    if file_format != "jsonl":
        yield separator.join(COLUMNS) + "\n"
    for number, each in enumerate(found, 1):
        values = {"segment": number, **vars(each)}
        if file_format == "jsonl":
            yield encode_json(values) + "\n"
        else:
            flag = "" if each.contaminated is None else str(int(each.contaminated))
            yield separator.join([*(str(values[name]) for name in COLUMNS[:-1]), flag]) + "\n"

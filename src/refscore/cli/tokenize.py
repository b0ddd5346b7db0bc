"""`refscore tokenize`: text as the tokens that metrics compare."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import click
from click.shell_completion import CompletionItem
from rich.console import Console

from refscore import tokenizers
from refscore.cli.inputs import open_input
from refscore.errors import InputError, RefscoreError
from refscore.tables import Column, Table, render
from refscore.tables.terminal import rich_table
from refscore.tokenizers.pipeline import NORMALIZATIONS, Pipeline


def _names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in tokenizers.available() if name.startswith(incomplete)]


@click.command()
@click.argument("inputs", metavar="[FILE]...", nargs=-1)
@click.option("--text", "are_texts", is_flag=True, help="The arguments are texts, not files.")
@click.option(
    "-t",
    "--tokenizer",
    default="13a",
    metavar="NAME",
    shell_complete=_names,
    help="How text is split; 13a by default. --list shows all.",
)
@click.option("--lowercase", is_flag=True, help="Lowercase the text first.")
@click.option(
    "--normalize",
    type=click.Choice(NORMALIZATIONS),
    default="none",
    help="The Unicode normalization that comes before all else; none by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of tokens for each segment.")
@click.option("--list", "lists", is_flag=True, help="List the tokenizers instead.")
def tokenize(
    inputs: tuple[str, ...],
    are_texts: bool,
    tokenizer: str,
    lowercase: bool,
    normalize: Any,
    as_json: bool,
    lists: bool,
) -> None:
    """Print the tokens of each line of the FILEs, or of standard input, separated by spaces.

    A FILE may also be compressed, or a column such as data.jsonl:hypothesis.
    """
    if lists:
        _print_list()
        return
    tokens_of = Pipeline(tokenizer, lowercase, normalize).tokens
    written = _as_json if as_json else _spaced
    if are_texts and not inputs:
        raise InputError("--text needs a text: refscore tokenize --text 'It costs 3.50.'")
    for block in [inputs] if are_texts else _blocks(inputs or ("-",)):
        click.echo("".join(map(_line(tokens_of, written), block)).encode("utf-8", "surrogatepass"), nl=False)


def _blocks(specs: Iterable[str]) -> Iterator[list[str]]:
    for spec in specs:
        yield from open_input(spec)


def _line(tokens_of: Callable[[str], list[Hashable]], written: Callable[[list[Hashable]], str]) -> Callable[[str], str]:
    return lambda text: written(tokens_of(text)) + "\n"


def _spaced(tokens: list[Hashable]) -> str:
    return " ".join(map(str, tokens))


def _as_json(tokens: list[Hashable]) -> str:
    return json.dumps(tokens, ensure_ascii=False)


def _print_list() -> None:
    table = Table([Column("tokenizer"), Column("what it does")], [[name, _summary(name)] for name in _all()])
    if sys.stdout.isatty():
        Console().print(rich_table(table))
    else:
        click.echo(render(table, "plain"))

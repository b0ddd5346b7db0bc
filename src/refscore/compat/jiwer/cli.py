"""jiwer's command line: `python -m refscore.compat.jiwer.cli -r REFERENCES -h HYPOTHESES`."""

from __future__ import annotations

from pathlib import Path

import click

from refscore.compat.jiwer import alignment, process, transformations
from refscore.errors import InputError, Location

__all__ = ["cli"]


class _BadInput(click.ClickException):
    exit_code = 2


@click.command()
@click.option(
    "-r", "--reference", "reference_file", type=Path, required=True, help="File of references, one sentence per line."
)
@click.option(
    "-h", "--hypothesis", "hypothesis_file", type=Path, required=True, help="File of hypotheses, one sentence per line."
)
@click.option("--cer", "-c", "compute_cer", is_flag=True, help="Score characters instead of words.")
@click.option("--align", "-a", "show_alignment", is_flag=True, help="Show each sentence's alignment and all measures.")
@click.option(
    "--global",
    "-g",
    "global_alignment",
    is_flag=True,
    help="Join all lines first, for files with different line breaks.",
)
def cli(
    reference_file: Path, hypothesis_file: Path, compute_cer: bool, show_alignment: bool, global_alignment: bool
) -> None:
    """Print the word error rate of two files. As in jiwer, lines with fewer than two characters are skipped."""
    try:
        output = _processed(_sentences(reference_file), _sentences(hypothesis_file), compute_cer, global_alignment)
    except InputError as error:
        raise _BadInput(str(error)) from None
    if show_alignment:
        click.echo(alignment.visualize_alignment(output), nl=False)
    else:
        click.echo(output.cer if isinstance(output, process.CharacterOutput) else output.wer)


def _processed(
    references: list[str], hypotheses: list[str], compute_cer: bool, global_alignment: bool
) -> process.WordOutput | process.CharacterOutput:
    if not global_alignment and len(references) != len(hypotheses):
        raise InputError(
            None,
            f"{len(references)} references but {len(hypotheses)} hypotheses",
            "use --global to compare files of different lengths",
        )
    if compute_cer:
        chain = transformations.cer_contiguous if global_alignment else transformations.cer_default
        return process.process_characters(references, hypotheses, chain, chain)
    chain = transformations.wer_contiguous if global_alignment else transformations.wer_default
    return process.process_words(references, hypotheses, chain, chain)


def _sentences(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8") as file:
            stripped = [line.strip() for line in file]
    except OSError as error:
        raise InputError(Location(file=str(path)), "cannot be read", error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise InputError(Location(file=str(path)), "is not UTF-8", error.reason) from None
    return [line for line in stripped if len(line) > 1]


if __name__ == "__main__":
    cli()

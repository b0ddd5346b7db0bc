"""Options of other commands, such as sacrebleu's, and what to write for them."""

from __future__ import annotations

# By options that have the same hint.
_HINTS = {
    "--chrf-beta": "--set chrf.beta=NUMBER",
    "--chrf-word-order": "-m chrf++, or --set chrf.word_order=N",
    "--confidence-n": "--resamples N",
    "--csv --score-only -b": "--output tsv",
    "--input -i": "the file of the system without an option before it",
    "--json -f": "--output json",
    "--language-pair": "-l PAIR",
    "--latex": "--output latex",
    "--lowercase": "--set bleu.lowercase=yes",
    "--markdown": "--output markdown",
    "--metrics": "-m with commas between the names, as in -m bleu,chrf",
    "--out -o": "> FILE at the end of the line",
    "--paired-ar --paired-bs -p": "refscore compare BASELINE SYSTEM... -r REF",
    "--paired-bs-n": "--resamples N of refscore compare",
    "--paired-ar-n": "--trials N of refscore compare",
    "--sentence-level": "--segments - of refscore score",
    "--short": "the drop-in, python -m refscore.compat.sacrebleu",
    "--smooth-method --smoothing": "--set bleu.smoothing=NAME",
    "--smooth-value": "--set bleu.smoothing_value=NUMBER",
    "--tok --tokenize --tokenizer": "--set bleu.tokenizer=NAME",
    "--width -w": "--digits N",
    "-s": "--set bleu.smoothing=NAME; sacrebleu's -sl is --segments - of refscore score",
}
_SCORING = {option: hint for options, hint in _HINTS.items() for option in options.split()}
HINTS_BY_COMMAND = {
    "score": _SCORING,
    "compare": _SCORING,
    "explain": {"--json": "--output json", "--html": "--output html", "-o": "> FILE at the end of the line"},
    "report": {"--output": "-o FILE"},
}


def migration_hint(command: str, option: str) -> str | None:
    """Return what to write for an option that a command does not have; None if nothing is known about it."""
    return HINTS_BY_COMMAND.get(command, {}).get(option)

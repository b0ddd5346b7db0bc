"""Options of other commands, such as sacrebleu's, and what to write for them."""

from __future__ import annotations

_SCORING = {
    "--chrf-beta": "--set chrf.beta=NUMBER",
    "--chrf-word-order": "-m chrf++, or --set chrf.word_order=N",
    "--confidence-n": "--resamples N",
    "--csv": "--output tsv",
    "--input": "the file of the system without an option before it",
    "--json": "--output json",
    "--language-pair": "-l PAIR",
    "--latex": "--output latex",
    "--lowercase": "--set bleu.lowercase=yes",
    "--markdown": "--output markdown",
    "--metrics": "-m with commas between the names, as in -m bleu,chrf",
    "--out": "> FILE at the end of the line",
    "--paired-ar": "refscore compare BASELINE SYSTEM... -r REF",
    "--paired-bs": "refscore compare BASELINE SYSTEM... -r REF",
    "--paired-bs-n": "--resamples N of refscore compare",
    "--paired-ar-n": "--trials N of refscore compare",
    "--score-only": "--output tsv",
    "--sentence-level": "--segments - of refscore score",
    "--short": "the drop-in, python -m refscore.compat.sacrebleu",
    "--smooth-method": "--set bleu.smoothing=NAME",
    "--smooth-value": "--set bleu.smoothing_value=NUMBER",
    "--smoothing": "--set bleu.smoothing=NAME",
    "--tok": "--set bleu.tokenizer=NAME",
    "--tokenize": "--set bleu.tokenizer=NAME",
    "--tokenizer": "--set bleu.tokenizer=NAME",
    "--width": "--digits N",
    "-b": "--output tsv",
    "-f": "--output json",
    "-i": "the file of the system without an option before it",
    "-o": "> FILE at the end of the line",
    "-p": "refscore compare BASELINE SYSTEM... -r REF",
    "-s": "--set bleu.smoothing=NAME; sacrebleu's -sl is --segments - of refscore score",
    "-w": "--digits N",
}
HINTS_BY_COMMAND = {
    "score": _SCORING,
    "compare": _SCORING,
    "explain": {"--json": "--output json", "--html": "--output html", "-o": "> FILE at the end of the line"},
    "report": {"--output": "-o FILE"},
}


def migration_hint(command: str, option: str) -> str | None:
    """Return what to write for an option that a command does not have; None if nothing is known about it."""
    return HINTS_BY_COMMAND.get(command, {}).get(option)

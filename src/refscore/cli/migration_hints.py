"""What to write instead of options of other tools, such as sacrebleu, and of earlier versions of refscore."""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Sequence

import click

from refscore.errors import RefscoreError

_ONE_FORMAT = "the command without it, its output has only one format"

# Hints by option. A command shows the first hint that starts with one of its own options, or with a word.
# {} stands for the value of the option, and {metric} for the metric of -m.
_HINTS: dict[str, tuple[str, ...]] = {
    "--asian-support --ter-asian-support": ("--set ter.tokenizer=tercom-norm-asian",),
    "--chrf-beta": ("--set chrf.beta={}",),
    "--chrf-char-order": ("--set chrf.char_order={}",),
    "--chrf-eps-smoothing": ("--set chrf.smoothing=epsilon",),
    "--chrf-lowercase": ("--set chrf.lowercase=yes",),
    "--chrf-whitespace": ("--set chrf.whitespace=yes",),
    "--chrf-word-order": ("--set chrf.word_order={}",),
    "--ter-case-sensitive": ("--set ter.lowercase=no",),
    "--ter-no-punct": ("--set ter.tokenizer=tercom-nopunct",),
    "--ter-normalized": ("--set ter.tokenizer=tercom-norm",),
    "--base --baseline": ("--baseline {}", "{} as the first system"),
    "--confidence-n": ("--resamples {}",),
    "--csv --score-only -b": ("--format csv", _ONE_FORMAT),
    "--html": ("--format html", "-o {}"),
    "--human --human-scores": ("refscore meta SYSTEM... -r REF --human {}",),
    "--hyp --hyps --hypotheses --hypothesis --input --sys --system -i -sys": ("{} without an option before it",),
    "--json": ("--format json", _ONE_FORMAT),
    "--out-format --output-format -f": ("--format {}",),
    "--language-pair --langpair": ("-l {}",),
    "--latex --tex": ("--format latex", _ONE_FORMAT),
    "--list-metrics": ("refscore metrics",),
    "--lowercase -lc": ("--set {metric}.lowercase=yes", "--lowercase"),
    "--markdown --md": ("--format markdown", _ONE_FORMAT),
    "--normaliser --normalize --normalizer": ("--set {metric}.normalize={}", "--normalize {}"),
    "--metrics": ("-m with commas between the names, as in -m bleu,chrf",),
    "--open": ("refscore serve SYSTEM... -r REF --open",),
    "--out --save": ("-o {}",),
    "--paired-ar -par": ("refscore compare BASELINE SYSTEM... -r REF --test randomization",),
    "--paired-ar-n": ("--trials {}", "refscore compare BASELINE SYSTEM... -r REF --trials {}"),
    "--paired-bs -pbs": ("refscore compare BASELINE SYSTEM... -r REF --test bootstrap",),
    "--paired-bs-n": ("--resamples {}",),
    "--ref --refs --references --target -ref": ("-r {}",),
    "--segment-level --sentence --sentence-level -sl": ("--segments -", "refscore score HYP -r REF --segments -"),
    "--short -sh": ("python -m refscore.compat.sacrebleu",),
    "--smooth --smooth-method --smoothing -s": ("--set bleu.smoothing={}",),
    "--smooth-value -sv": ("--set bleu.smoothing_value={}",),
    "--tok --tokenize --tokenizer -tok": ("--set {metric}.tokenizer={}", "--tokenizer {}"),
    "-t": ("--tokenizer {}",),
    "--tsv": ("--format tsv", _ONE_FORMAT),
    "--width -w": ("--digits {}",),
}
# What others call the commands.
_COMMANDS = {
    "calculate calc corpus eval evaluate evaluation sacrebleu sentence": "score",
    "bootstrap diff pairwise significance significance-test test ttest": "compare",
    "align alignment alignments confusion": "errors",
    "agreement correlate correlation human": "meta",
    "form gui html ui visualise visualize web": "report",
    "check ci regression": "gate",
    "contamination": "overlap",
    "help": "--help",
    "version": "--version",
}
COMMANDS = {word: command for words, command in _COMMANDS.items() for word in words.split()}
HINTS = {option: hints for options, hints in _HINTS.items() for option in options.split()}


def without_command(arguments: Sequence[str]) -> str:
    """Return a hint for arguments that begin with a file or a metric instead of a command, empty for others."""
    from refscore.metrics import parse_listed_name

    first, *rest = arguments
    try:
        parse_listed_name(first)
    except RefscoreError:
        if os.path.exists(first) or any(char in first for char in "./\\="):
            return f": write {_score_command(arguments)}"
        return f": write refscore {shlex.join([COMMANDS[first], *rest])}" if first in COMMANDS else ""
    texts = [argument for argument in rest if not argument.startswith("-")]
    if len(texts) > 1 and any(" " in text for text in texts) and not any(map(os.path.exists, texts)):
        return f", it is a metric: write refscore explain {shlex.join([*texts, '-m', first])}"
    return f", it is a metric: write {_score_command([*rest, '-m', first])}"


def _score_command(arguments: Sequence[str]) -> str:
    """Return the command for the arguments of `score`, of sacrebleu, or of a tool without -r: systems, then references.

    sacrebleu takes files of references first, and lists of files and metrics after -i and -m.
    """
    lists: dict[str, list[str]] = {"": [], "-i": [], "-m": [], "-r": []}
    aliases = {"--input": "-i", "--metric": "-m", "--metrics": "-m", "--reference": "-r", "--references": "-r"}
    others: list[str] = []
    current = lists[""]
    for argument in arguments:
        name = aliases.get(argument, argument)
        if name in lists:
            current = lists[name]
        elif argument.startswith("-") and len(argument) > 1:
            current = others
            others.append(argument)
        else:
            current.append(argument)
    systems, references = lists[""], lists["-r"]
    if lists["-i"]:
        systems, references = lists["-i"], [*references, *systems]
    elif not references and len(systems) > 1:
        *systems, last = systems
        references = [last]
    words = [*systems, *(word for file in references for word in ("-r", file)), *others]
    return "refscore score " + shlex.join([*words, *(["-m", ",".join(lists["-m"])] if lists["-m"] else [])])


def check_options(command: click.Command, context: click.Context, arguments: Sequence[str]) -> None:
    """Raise a usage error with a hint for the first option that `command` lacks but other tools have.

    Call this before click parses the arguments: click would read -tok as -t ok.
    """
    options = {
        spelling: option for option in command.params if isinstance(option, click.Option) for spelling in option.opts
    }
    values = iter([*arguments, ""])
    for argument in values:
        if argument == "--":
            return
        word, equals, value = argument.partition("=")
        if word in options:
            if not equals and not options[word].is_flag:
                next(values, None)
            continue
        for hint in HINTS.get(word, ()):
            first, _, form = hint.partition(" ")
            if not first.startswith("-") or first in options:
                value = value or next(values, "")
                shown = "VALUE" if not value or value.startswith("-") else value
                advice = hint.format(shown, metric=_metric(arguments, command)).replace(" *.", " '*.")
                advice += "'" if "'*." in advice else ""
                choices = getattr(options[first].type, "choices", ()) if first in options else ()
                if choices and form != "{}" and form not in choices:
                    advice = f"{first} {' or '.join(choices)}"
                raise click.UsageError(f"there is no option {word}: write {advice}", context)


def _metric(arguments: Sequence[str], command: click.Command) -> str:
    """Return the name for --set of the metric that the arguments choose: the default one, or * for several."""
    from refscore.metrics import DEFAULT_METRICS

    chosen = [value for option, value in itertools.pairwise(arguments) if option in ("-m", "--metric")]
    names = ",".join(chosen).split(",")
    return (
        "*"
        if len(names) > 1
        else names[0].partition(":")[0] or getattr(command, "default_metric", None) or DEFAULT_METRICS[0]
    )

"""The arguments of sacrebleu's command line."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter

from refscore.compat.sacrebleu.metrics import BLEU, CHRF, METRICS
from refscore.compat.sacrebleu.version import __version__

OUTPUT_FORMATS = ["json", "text", "latex"]


def parser() -> ArgumentParser:
    """What reads them."""
    made = ArgumentParser(
        description="BLEU, chrF and TER with sacrebleu's options and output, computed by refscore.\n\n"
        "    python -m refscore.compat.sacrebleu reference.txt -i hypothesis.txt",
        formatter_class=RawDescriptionHelpFormatter,
    )
    _add_input(made)
    _add_metrics(made)
    _add_tests(made)
    _add_report(made)
    made.add_argument("--version", "-V", action="version", version=f"%(prog)s {__version__}")
    return made


def _add_input(made: ArgumentParser) -> None:
    made.add_argument("--citation", "--cite", action="store_true", help="Print the citation of a test set (-t).")
    made.add_argument("--list", action="store_true", help="List the test sets; with -t, the fields of one.")
    made.add_argument("--test-set", "-t", help="Score against a test set, or several one after the other: A,B.")
    made.add_argument("--language-pair", "-l", dest="langpair", help="Source and target language, such as de-en.")
    made.add_argument("--origlang", "-ol", help="Only sentences first written in a language; non-XX for all others.")
    made.add_argument("--subset", help="Only sentences of documents whose annotation matches this expression.")
    made.add_argument("--download", help="Download a test set.")
    made.add_argument("--echo", nargs="+", help="Print fields of a test set: src, ref, docid …, or all.")
    made.add_argument("--input", "-i", nargs="*", help="Files of hypotheses, one for each system (default: stdin).")
    made.add_argument("refs", nargs="*", default=[], help="Files of references, before -i.")
    made.add_argument(
        "--num-refs", "-nr", type=int, default=1, help="Columns of the file of references (default: %(default)s)."
    )
    made.add_argument("--encoding", "-e", default="utf-8", help="Encoding of all files (default: %(default)s).")


def _add_metrics(made: ArgumentParser) -> None:
    made.add_argument(
        "--metrics",
        "-m",
        choices=[name.lower() for name in METRICS],
        nargs="+",
        default=["bleu"],
        help="The metrics, separated by spaces (default: bleu).",
    )
    made.add_argument("--sentence-level", "-sl", action="store_true", help="Print the score of each sentence.")
    bleu = made.add_argument_group("BLEU")
    bleu.add_argument(
        "--smooth-method",
        "-s",
        choices=BLEU.SMOOTH_DEFAULTS.keys(),
        default="exp",
        dest="bleu_smooth_method",
        help="What stands in for precisions of 0 (default: %(default)s).",
    )
    bleu.add_argument(
        "--smooth-value",
        "-sv",
        type=float,
        dest="bleu_smooth_value",
        help="The number that floor (default: 0.1) and add-k (default: 1) take.",
    )
    bleu.add_argument(
        "--tokenize",
        "-tok",
        choices=BLEU.TOKENIZERS,
        dest="bleu_tokenize",
        help="The tokenizer (default: by the target language, for most 13a).",
    )
    bleu.add_argument("--lowercase", "-lc", action="store_true", dest="bleu_lowercase", help="Ignore case.")
    bleu.add_argument(
        "--force", action="store_true", dest="bleu_force", help="Do not warn about text that looks tokenized."
    )
    chrf = made.add_argument_group("chrF")
    for name, short, default, meaning in (
        ("--chrf-char-order", "-cc", CHRF.CHAR_ORDER, "The longest character n-grams"),
        ("--chrf-word-order", "-cw", CHRF.WORD_ORDER, "The longest word n-grams; 2 for chrF++"),
    ):
        chrf.add_argument(name, short, type=int, default=default, help=f"{meaning} (default: %(default)s).")
    chrf.add_argument(
        "--chrf-beta",
        type=int,
        default=CHRF.BETA,
        help="How many times as much recall counts as precision (default: %(default)s).",
    )
    chrf.add_argument("--chrf-whitespace", action="store_true", help="Count white space among the characters.")
    chrf.add_argument("--chrf-lowercase", action="store_true", help="Ignore case.")
    chrf.add_argument("--chrf-eps-smoothing", action="store_true", help="Average the F-scores of all orders.")
    ter = made.add_argument_group("TER")
    ter.add_argument("--ter-case-sensitive", action="store_true", help="Keep case.")
    ter.add_argument("--ter-asian-support", action="store_true", help="Treat Chinese and similar text as well.")
    ter.add_argument("--ter-no-punct", action="store_true", help="Remove punctuation.")
    ter.add_argument("--ter-normalized", action="store_true", help="Separate punctuation from words.")


def _add_tests(made: ArgumentParser) -> None:
    interval = made.add_argument_group("intervals of one system")
    interval.add_argument("--confidence", "-ci", action="store_true", help="Print intervals, by resampling.")
    interval.add_argument(
        "--confidence-n", "-cin", type=int, default=1000, help="How many resamples (default: %(default)s)."
    )
    paired = made.add_argument_group("paired tests of several systems")
    either = paired.add_mutually_exclusive_group()
    either.add_argument("--paired-ar", "-par", action="store_true", help="Test by approximate randomization.")
    either.add_argument("--paired-bs", "-pbs", action="store_true", help="Test by bootstrap resampling.")
    paired.add_argument(
        "--paired-ar-n", "-parn", type=int, default=10000, help="How many trials (default: %(default)s)."
    )
    paired.add_argument(
        "--paired-bs-n", "-pbsn", type=int, default=1000, help="How many resamples (default: %(default)s)."
    )
    paired.add_argument("--paired-jobs", "-j", type=int, default=1, help="Has no effect: all cores are used.")


def _add_report(made: ArgumentParser) -> None:
    report = made.add_argument_group("output")
    report.add_argument("--quiet", "-q", action="store_true", help="Print no messages.")
    report.add_argument("--short", "-sh", action="store_true", help="Abbreviate signatures.")
    report.add_argument("--score-only", "-b", action="store_true", help="Print the score alone.")
    report.add_argument("--width", "-w", type=int, default=1, help="Digits after the point (default: %(default)s).")
    report.add_argument("--detail", "-d", action="store_true", help="Print scores of subsets of a test set as well.")
    report.add_argument("--no-color", "-nc", action="store_true", help="Use no colours.")
    report.add_argument(
        "--format",
        "-f",
        default="json",
        choices=OUTPUT_FORMATS,
        help="json or text; for several systems text or latex; the environment's SACREBLEU_FORMAT goes before it "
        "(default: %(default)s).",
    )

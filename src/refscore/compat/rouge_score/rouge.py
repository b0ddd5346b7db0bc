"""rouge-score's command line: `python -m refscore.compat.rouge_score.rouge --target_filepattern=… …`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from refscore.compat.rouge_score import io, rouge_scorer, scoring
from refscore.errors import RefscoreError

__all__ = ["main"]

_TRUTH = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


def main(argv: Sequence[str]) -> None:
    """Score files like rouge-score's command. `argv` has the program's name and its arguments."""
    parser = argparse.ArgumentParser(prog="rouge", description="Score files with ROUGE and write the scores as CSV.")
    parser.add_argument("--target_filepattern", required=True, help="files of references")
    parser.add_argument("--prediction_filepattern", required=True, help="files of predictions")
    parser.add_argument("--output_filename", required=True, help="the file to write")
    parser.add_argument("--delimiter", default="\n", help="the end of a record (default: a line break)")
    parser.add_argument(
        "--rouge_types", type=_names, default=["rouge1", "rouge2", "rougeL"], help="separated by commas"
    )
    _add_flag(parser, "use_stemmer", False, "stem words")
    _add_flag(parser, "aggregate", True, "write means with bounds, not the scores of each record")
    _add_flag(parser, "split_summaries", False, "split texts into sentences for rougeLsum")
    options = parser.parse_args(argv[1:])
    scorer = rouge_scorer.RougeScorer(options.rouge_types, options.use_stemmer, options.split_summaries)
    try:
        io.compute_scores_and_write_to_csv(
            options.target_filepattern,
            options.prediction_filepattern,
            options.output_filename,
            scorer,
            scoring.BootstrapAggregator() if options.aggregate else None,
            options.delimiter,
        )
    except (RefscoreError, OSError) as error:
        parser.error(str(error))


def _add_flag(parser: argparse.ArgumentParser, name: str, default: bool, explained: str) -> None:
    """Add a flag with the forms --name, --noname and --name=true."""
    parser.add_argument(f"--{name}", type=_truth, nargs="?", const=True, default=default, help=explained)
    parser.add_argument(f"--no{name}", dest=name, action="store_false", help=argparse.SUPPRESS)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _truth(text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")
    return _TRUTH[text.lower()]


if __name__ == "__main__":
    main(sys.argv)

"""Run the benchmarks with ``python -m bench``. The README in this folder describes them."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from . import data, table
from .tasks import TASKS
from .timing import measure

_DEFAULT_SEGMENTS = 2000


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Time refscore and its peers side by side.")
    parser.add_argument(
        "--hyp", type=Path, metavar="FILE", help="hypotheses, one segment per line, instead of generated text"
    )
    parser.add_argument("--ref", type=Path, metavar="FILE", action="append", default=[], help="references; repeatable")
    parser.add_argument("--segments", type=_positive, metavar="N", help="segments (default: 2000, or all of the files)")
    parser.add_argument("--repeat", type=_positive, default=5, metavar="N", help="rounds (default: 5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generated text (default: 1)")
    parser.add_argument(
        "--task", nargs="+", choices=list(TASKS), metavar="NAME", help=f"only these: {', '.join(TASKS)}"
    )
    parser.add_argument("--json", action="store_true", help="print all samples as JSON instead of a table")
    return parser


def main() -> int:
    """Run the tasks. Return 1 if a value differs from refscore's, otherwise 0."""
    parser = _parser()
    options = parser.parse_args()
    if bool(options.hyp) != bool(options.ref):
        parser.error("--hyp and --ref go together")
    # In this process, the Rust libraries use all cores. rayon reads this variable once, at its first use.
    os.environ.pop("RAYON_NUM_THREADS", None)
    try:
        if options.hyp:
            corpus = data.read(options.hyp, options.ref, options.segments)
        else:
            corpus = data.generate(options.segments or _DEFAULT_SEGMENTS, options.seed)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    outcomes: list[table.Outcome] = []
    for name in options.task or TASKS:
        if name.endswith("-many") and corpus.reference_count == 1:
            print(f"{name}: skipped, it needs more than one --ref", file=sys.stderr)
            continue
        print(f"{name} …", file=sys.stderr)
        task = TASKS[name](corpus, options.seed)
        outcomes.append((task, measure(task, options.repeat)))
    if options.json:
        table.dump(corpus, outcomes, options.repeat, options.seed)
    else:
        table.show(corpus, outcomes, options.repeat)
    return 1 if table.warn(outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())

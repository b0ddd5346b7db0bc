"""Count the calls between files of refscore that each operation makes: `python -m bench.calls [NAME …]`.

Each operation runs twice in one process, on two or three generated systems of 100 segments. The second run is counted,
so imports and caches are not. A call counts if its caller and the called function are in different files of refscore.
Functions without a file, which dataclasses generate, do not count. The numbers depend on the code, and in some
operations on the number of systems, but not on the machine. `--functions` and `--pairs` print the most frequent
functions and pairs of files.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import refscore
from bench.data import generate

_PACKAGE = os.path.dirname(refscore.__file__) + os.sep
_SEGMENTS = 100

Operation = Callable[[], object]
Call = tuple[str, str, str]  # the file of the caller, and the file and name of the function


def count_calls(operation: Operation) -> Counter[Call]:
    """Return the calls between files in the second run of an operation."""
    operation()
    calls: Counter[Call] = Counter()

    def trace(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_back is not None:
            caller, called = frame.f_back.f_code.co_filename, frame.f_code.co_filename
            if caller != called and caller.startswith(_PACKAGE) and called.startswith(_PACKAGE):
                name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)  # co_qualname: Python 3.11
                calls[caller.removeprefix(_PACKAGE), called.removeprefix(_PACKAGE), name] += 1

    sys.setprofile(trace)
    try:
        operation()
    finally:
        sys.setprofile(None)
    return calls


def command(line: str) -> Operation:
    """Return a function that runs a command in this process and discards its output."""
    from refscore.cli import main

    def run() -> None:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            try:
                main(line.split())
            except SystemExit as status:
                if status.code:
                    raise RuntimeError(f"refscore {line}: {output.getvalue()}") from None

    return run


def operations(folder: Path) -> dict[str, Operation]:
    """Write the files of the operations into the folder, and return the operations by name."""
    corpus = generate(_SEGMENTS, 1)
    references = corpus.first_references()
    shares = {"old": 0, "new": 20, "best": 40}
    texts = {name: [*references[:equal], *corpus.hypotheses[equal:]] for name, equal in shares.items()}

    def write(path: str, lines: list[str]) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    write("ref.txt", references)
    write("set/references/en-de.refA.txt", references)
    for name, system in texts.items():
        write(f"{name}.txt", system)
        write(f"set/system-outputs/en-de/{name}.txt", system)
        write(f"{name}.comet", [str(len(segment) % 10 / 10) for segment in system])
    ratings = [f"{name}\t{len(segment) % 7}" for name, system in texts.items() for segment in system]
    write("set/human-scores/en-de.mqm.seg.score", ratings)

    files = f"old={folder}/old.txt new={folder}/new.txt -r {folder}/ref.txt"
    given = f"{files} --given comet={folder}/{{system}}.comet"
    rate = f"{folder}/set -m"
    systems = {name: texts[name] for name in ("old", "new")}
    return {
        "score": command(f"score {folder}/old.txt -r {folder}/ref.txt"),
        "score -m bleu": command(f"score {folder}/old.txt -r {folder}/ref.txt -m bleu"),
        "compare": command(f"compare {files}"),
        "compare -m bleu": command(f"compare {files} -m bleu"),
        "compare --given": command(f"compare {given}"),
        "compare --given -m bleu": command(f"compare {given} -m bleu"),
        "compare --given -m none": command(f"compare {given} -m none"),
        "meta FOLDER -m bleu": command(f"meta {rate} bleu"),
        "meta FOLDER -m bleu,chrf": command(f"meta {rate} bleu,chrf"),
        "refscore.bleu": lambda: refscore.bleu(corpus.hypotheses, references),
        "refscore.scores": lambda: refscore.scores(corpus.hypotheses, references),
        "refscore.scores, one metric": lambda: refscore.scores(corpus.hypotheses, references, "bleu"),
        "refscore.compare": lambda: refscore.compare(systems, references),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.calls", description=(__doc__ or "").split(":")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="the operations; all by default")
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="print the N most frequent functions")
    parser.add_argument("--pairs", type=int, default=0, metavar="N", help="print the N most frequent pairs of files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        known = operations(Path(folder))
        if unknown := [name for name in options.names if name not in known]:
            parser.error(f"unknown: {', '.join(unknown)}. Operations: {', '.join(known)}")
        for name in options.names or known:
            calls = count_calls(known[name])
            print(f"{calls.total():6,}  {name}")
            for length, listed in ((2, options.pairs), (3, options.functions)):
                groups: Counter[tuple[str, ...]] = Counter()
                for call, count in calls.items():
                    groups[call[:length]] += count
                for group, count in groups.most_common(listed):
                    print(f"{count:14,}  {' > '.join(group[:2])}{''.join(f': {last}' for last in group[2:])}")


if __name__ == "__main__":
    main()

"""Search a test set in a corpus: ``python -m bench.overlap --segments 1000000 --mib 1000``.

Generates a test set and a corpus of lines (`--folder` keeps them), with words by a Zipf distribution. One line in a
hundred contains a segment. Then new processes search the 13-grams: `refscore overlap` with one thread and with all
cores, and a saved Bloom filter. The peers are a set of tuples in Python and, if lm_eval is installed, the functions of
lm-evaluation-harness. They search a part of the corpus (`--peer-mib`), and refscore the same part, because they take
hours for all of it.

Each row shows seconds, CPU seconds, and the peak memory in MiB. Rows of the same part must agree on the number of
contaminated segments.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench import machine
from refscore.tables import Column, Table

_WORDS = 200_000
_LENGTH = 26  # words per line, on average
_ORDER = 13


def make_files(folder: Path, segments: int, mib: int, seed: int = 1) -> None:
    """Write test.txt and corpus.txt."""
    random = np.random.default_rng(seed)
    letters = random.integers(97, 123, (_WORDS, 9), dtype=np.uint8)
    # Frequent words are short, so a token has about 6 bytes with its space.
    sizes = np.clip(2 + np.log10(np.arange(1, _WORDS + 1)) * 1.2, 2, 9).astype(int)
    words = [bytes(letters[i, : sizes[i]]).decode() for i in range(_WORDS)]
    weights = np.cumsum(1 / np.arange(2.7, _WORDS + 2.7))
    test_set: list[str] = []

    def lines(count: int) -> list[str]:
        lengths = random.integers(_LENGTH // 2, _LENGTH + _LENGTH // 2 + 1, count)
        drawn = np.searchsorted(weights, random.random(int(lengths.sum())) * weights[-1])
        chosen = [words[index] for index in drawn.tolist()]
        ends = np.cumsum(lengths).tolist()
        return [" ".join(chosen[begin:end]) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]

    while len(test_set) < segments:
        test_set += lines(min(50_000, segments - len(test_set)))
    (folder / "test.txt").write_text("".join(f"{line}\n" for line in test_set))
    written = 0
    with (folder / "corpus.txt").open("w") as file:
        while written < mib << 20:
            block = lines(50_000)
            for index in range(0, len(block), 100):
                block[index] += f" {test_set[int(random.integers(segments))]}"
            text = "".join(f"{line}\n" for line in block)
            file.write(text)
            written += len(text)


def with_sets(segments: list[str], corpus: Path) -> int:
    """Return the number of contaminated segments, by a dictionary of tuples and a loop over the corpus."""
    owners: dict[tuple[str, ...], list[int]] = {}
    for index, segment in enumerate(segments):
        tokens = segment.split()
        for i in range(len(tokens) - _ORDER + 1):
            owners.setdefault(tuple(tokens[i : i + _ORDER]), []).append(index)
    found: set[int] = set()
    with corpus.open() as file:
        for line in file:
            tokens = line.split()
            for i in range(len(tokens) - _ORDER + 1):
                found.update(owners.get(tuple(tokens[i : i + _ORDER]), ()))
    return len(found)


def with_lm_eval(segments: list[str], corpus: Path) -> int:
    """Return the same with the functions of lm-evaluation-harness."""
    package = importlib.util.find_spec("lm_eval")
    assert package is not None and package.submodule_search_locations
    file = Path(package.submodule_search_locations[0], "decontamination", "janitor.py")
    spec = importlib.util.spec_from_file_location("janitor", file)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    janitor = module.Janitor()
    owners: dict[str, list[int]] = {}
    for index, segment in enumerate(segments):
        for ngram in module.word_ngrams(janitor.normalize_string(segment), _ORDER):
            owners.setdefault(ngram, []).append(index)
    found: set[int] = set()
    with corpus.open() as lines:
        for line in lines:
            for ngram in module.word_ngrams(janitor.normalize_string(line), _ORDER):
                found.update(owners.get(ngram, ()))
    return len(found)


def child(way: str, folder: str, corpus: str, threads: int) -> None:
    """Run the measured process. Prints contaminated segments, seconds, CPU seconds and peak memory in MiB."""
    from refscore.overlap import Files, NgramFilter, find

    begin = time.perf_counter()
    test_set, searched = Path(folder, "test.txt"), Path(folder, corpus)
    count = threads or None
    if way in ("plain", "lm-eval"):
        contaminated = int(find(Files(test_set), Files(searched), way, threads=count).contaminated.sum())
    elif way == "build":
        built = NgramFilter.build(Files(searched), memory=searched.stat().st_size // 3, threads=count)
        built.save(Path(folder, "filter"))
        contaminated = -1
    elif way == "ask":
        contaminated = int(
            find(Files(test_set), NgramFilter.load(Path(folder, "filter")), threads=count).contaminated.sum()
        )
    else:
        segments = test_set.read_text().splitlines()
        contaminated = (with_sets if way == "sets" else with_lm_eval)(segments, searched)
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = time.perf_counter() - begin
    print(json.dumps([contaminated, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))


def run(way: str, folder: Path, corpus: str, threads: int) -> list[float]:
    """Return the figures of a process."""
    command = [sys.executable, "-m", "bench.overlap", "--child", way, str(folder), corpus, str(threads)]
    printed = subprocess.run(command, capture_output=True, check=True).stdout
    figures: list[float] = json.loads(printed.splitlines()[-1])  # lm_eval prints warnings first
    return figures


def main() -> int:
    """Run the benchmark and print a table."""
    if sys.argv[1:2] == ["--child"]:
        way, folder_name, corpus, threads = sys.argv[2:]
        child(way, folder_name, corpus, int(threads))
        return 0
    parser = argparse.ArgumentParser(prog="python -m bench.overlap", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--segments", type=int, default=100_000, metavar="N", help="segments (default: 100000)")
    parser.add_argument("--mib", type=int, default=100, metavar="N", help="MiB of the corpus (default: 100)")
    parser.add_argument("--peer-mib", type=int, default=10, metavar="N", help="MiB for peers, 0 for none (default: 10)")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="for the generated files, which are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        if not (folder / "corpus.txt").exists():
            make_files(folder, options.segments, options.mib)
        with (folder / "corpus.txt").open("rb") as file:
            (folder / "part.txt").write_bytes(b"".join(file.readlines(max(1, options.peer_mib) << 20)))
        print(machine.line(), flush=True)
        ways = [
            ("refscore, 1 thread", "plain", "corpus.txt", 1),
            ("refscore, all cores", "plain", "corpus.txt", 0),
            ("filter: build and save, all cores", "build", "corpus.txt", 0),
            ("filter: load and search, all cores", "ask", "corpus.txt", 0),
        ]
        if options.peer_mib:
            ways += [("refscore, 1 thread", "plain", "part.txt", 1), ("set of tuples", "sets", "part.txt", 1)]
            if importlib.util.find_spec("lm_eval") is not None:
                ways += [
                    ("refscore lm-eval, 1 thread", "lm-eval", "part.txt", 1),
                    ("lm_eval", "janitor", "part.txt", 1),
                ]
        rows: list[list[str]] = []
        found: dict[str, set[float]] = {}
        own = 0.0
        for title, way, corpus, count in ways:
            contaminated, seconds, used, memory = run(way, folder, corpus, count)
            is_peer = way in ("sets", "janitor")
            own = own if is_peer else used
            size = (folder / corpus).stat().st_size >> 20
            ratio = f"{used / own:.1f}×" if is_peer else ""
            cells = [f"{size:,}", f"{seconds:.1f}", f"{used:.1f}", f"{memory:,.0f}", ratio]
            rows.append([title, *cells, "" if contaminated < 0 else f"{contaminated:,.0f}"])
            if way in ("plain", "sets", "lm-eval", "janitor"):
                found.setdefault(corpus, set()).add(contaminated)
        names = ("MiB", "s", "CPU s", "memory, MiB", "CPU ratio", "contaminated")
        columns = [Column("way"), *(Column(name, "right") for name in names)]
        segments = sum(1 for _ in (folder / "test.txt").open())
        print(Table(f"{_ORDER}-grams of {segments:,} segments in a corpus", columns, rows))
        print(f"load after the run: {machine.describe()['load']}")
    if any(len(each) > 1 for each in found.values()):
        print("MISMATCH: the numbers of contaminated segments differ", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Many segments streamed from Parquet: `python -m bench.scale --segments 10000000`.

Makes a file of made-up text (`--file` says where; it is kept), then scores it in new processes: batches of Arrow
columns through an Accumulator, and the command `refscore stats`, with one thread and with two; and two processes with
half of the file each, whose statistics are merged. A row each: seconds, seconds of processor time, segments per second,
and MiB of memory above an interpreter that does nothing. All ways must come to the same row.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.data import generate
from refscore import Accumulator
from refscore.readers import parquet_batches

_BASE = 100_000
_GROUP = 100_000
_IDLE = "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"


def make_file(path: Path, segments: int, seed: int = 1) -> None:
    """A Parquet file with columns hyp and ref: made-up segments, drawn again and again with a number of their own."""
    import pyarrow
    import pyarrow.compute
    import pyarrow.parquet

    corpus = generate(min(_BASE, segments), seed)
    base = pyarrow.table({"hyp": corpus.hypotheses, "ref": corpus.first_references()})
    random = np.random.default_rng(seed)
    schema = pyarrow.schema({"hyp": pyarrow.string(), "ref": pyarrow.string()})
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd", use_dictionary=False) as writer:
        for begin in range(0, segments, _GROUP):
            count = min(_GROUP, segments - begin)
            drawn = base.take(pyarrow.array(random.integers(0, base.num_rows, count)))
            numbers = pyarrow.array(np.arange(begin, begin + count)).cast(pyarrow.string())
            columns = [pyarrow.compute.binary_join_element_wise(drawn[name], numbers, " ") for name in ("hyp", "ref")]
            writer.write_table(pyarrow.table([column.combine_chunks() for column in columns], schema=schema))


def peak_mib() -> float:
    """The most memory that this process has had; Linux only."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024


def child(way: str, metrics: str, path: str, target: str, threads: int, part: int, parts: int) -> None:
    """What a process does that is measured; prints seconds, processor seconds and the peak of its memory in MiB."""
    begin, used = time.perf_counter(), time.process_time()
    if way == "command":
        from refscore.cli import main

        try:
            columns = [f"{path}:hyp", "-r", f"{path}:ref"]
            main(["stats", *columns, "-m", metrics, "-o", target, "--threads", str(threads), "--save-every", "3600"])
        except SystemExit as end:
            if end.code:
                raise
    elif way == "arrow":
        sums = Accumulator(metrics.split(","))
        sums.consume(parquet_batches(path, "hyp", "ref", part=(part, parts)), threads=threads)
        sums.save(target)
    elif way == "read":
        for _ in parquet_batches(path, "hyp", "ref"):
            pass
    print(json.dumps([time.perf_counter() - begin, time.process_time() - used, peak_mib()]))


def run(way: str, metrics: str, path: Path, targets: list[Path], threads: int) -> list[list[float]]:
    """The figures of processes that run at the same time, one for each target."""
    command = [sys.executable, "-m", "bench.scale", "--child", way, metrics, str(path)]
    started = [
        subprocess.Popen([*command, str(target), str(threads), str(part), str(len(targets))], stdout=subprocess.PIPE)
        for part, target in enumerate(targets)
    ]
    figures = [json.loads(process.communicate()[0]) for process in started]
    if any(process.returncode for process in started):
        raise SystemExit(f"{way} failed")
    return figures


def main() -> None:
    """Measures and prints."""
    if sys.argv[1:2] == ["--child"]:
        way, metrics, source, saved, threads, part, parts = sys.argv[2:]
        child(way, metrics, source, saved, int(threads), int(part), int(parts))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description="Score many segments from Parquet.")
    parser.add_argument("--segments", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--metrics", default="bleu", metavar="NAME,…")
    parser.add_argument("--file", type=Path, metavar="FILE", help="where the made-up segments are, or are to be kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "segments.parquet"
        if not path.exists():
            make_file(path, options.segments)
        targets = [Path(folder) / f"{part}.refstats" for part in range(2)]
        idle = float(subprocess.run([sys.executable, "-c", _IDLE], capture_output=True, check=True).stdout) / 1024
        print(f"{options.metrics}, {path.stat().st_size / 2**20:,.0f} MiB of Parquet, interpreter {idle:.0f} MiB")
        print(f"{'way':26} {'seconds':>8} {'cpu s':>8} {'segments/s':>12} {'MiB above':>10}")
        rows: dict[str, Any] = {}
        for name, way, count, thread_count in [
            ("reading alone", "read", 1, 1),
            ("Arrow, 1 thread", "arrow", 1, 1),
            ("Arrow, 2 threads", "arrow", 1, 2),
            ("Arrow, 2 processes", "arrow", 2, 1),
            ("refscore stats, 1 thread", "command", 1, 1),
            ("refscore stats, 2 threads", "command", 1, 2),
        ]:
            figures = run(way, options.metrics, path, targets[:count], thread_count)
            seconds, used = max(own[0] for own in figures), sum(own[1] for own in figures)
            if way != "read":
                sums = Accumulator.load(targets[0])
                for target in targets[1:count]:
                    sums.merge(Accumulator.load(target))
                rows[name] = [score.row.tolist() for score in sums.scores().values()]
                segments = sums.segments
            else:
                segments = options.segments
            above = max(own[2] for own in figures) - idle
            print(f"{name:26} {seconds:8.1f} {used:8.1f} {segments / seconds:12,.0f} {above:10.0f}", flush=True)
        whole = next(iter(rows.values()))
        if any(
            not np.allclose(own, other, rtol=1e-12, atol=0)
            for row in rows.values()
            for own, other in zip(row, whole, strict=True)
        ):
            raise SystemExit("the ways do not come to the same rows")


if __name__ == "__main__":
    main()

"""Stream many segments from Parquet: `python -m bench.scale --segments 10000000`.

Generates a file (`--file` sets the path and keeps it), then scores it in new processes: an Evaluation over Arrow
batches and the command `refscore stats`, each with one and two threads, and two processes with half of the file each.
Each row shows seconds, CPU seconds, segments per second, and MiB of memory above an idle interpreter. All rows of
statistics must agree.
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
from refscore import Evaluation
from refscore.readers import parquet_batches

_BASE = 100_000  # distinct generated segments; more are drawn from these
_GROUP = 100_000  # segments per row group of the Parquet file
_IDLE = "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"


def make_file(path: Path, segments: int, seed: int = 1) -> None:
    """Write a Parquet file with columns hyp and ref: generated segments, drawn repeatedly with unique numbers."""
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
    """Return the peak memory of this process; Linux only."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024


def child(way: str, metrics: str, path: str, target: str, threads: int, part: int, parts: int) -> None:
    """Run the measured process. Prints seconds, CPU seconds and peak memory in MiB."""
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
        sums = Evaluation(metrics.split(","))
        sums.consume(parquet_batches(path, "hyp", "ref", part=(part, parts)), threads=threads)
        sums.save(target)
    elif way == "read":
        for _ in parquet_batches(path, "hyp", "ref"):
            pass
    print(json.dumps([time.perf_counter() - begin, time.process_time() - used, peak_mib()]))


def run(way: str, metrics: str, path: Path, targets: list[Path], threads: int) -> list[list[float]]:
    """Return the figures of concurrent processes, one per target."""
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
    """Measure all methods and print the table."""
    if sys.argv[1:2] == ["--child"]:
        way, metrics, source, saved, threads, part, parts = sys.argv[2:]
        child(way, metrics, source, saved, int(threads), int(part), int(parts))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description="Score many segments from Parquet.")
    parser.add_argument("--segments", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--metrics", default="bleu", metavar="NAME,…")
    parser.add_argument("--file", type=Path, metavar="FILE", help="the generated file; created if it does not exist")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "segments.parquet"
        if not path.exists():
            make_file(path, options.segments)
        targets = [Path(folder) / f"{part}.refscore" for part in range(2)]
        idle = float(subprocess.run([sys.executable, "-c", _IDLE], capture_output=True, check=True).stdout) / 1024
        print(f"{options.metrics}, {path.stat().st_size / 2**20:,.0f} MiB of Parquet, interpreter {idle:.0f} MiB")
        print(f"{'way':26} {'seconds':>8} {'cpu s':>8} {'segments/s':>12} {'MiB above':>10}")
        rows: dict[str, Any] = {}
        for name, way, count, thread_count in [
            ("reading only", "read", 1, 1),
            ("Arrow, 1 thread", "arrow", 1, 1),
            ("Arrow, 2 threads", "arrow", 1, 2),
            ("Arrow, 2 processes", "arrow", 2, 1),
            ("refscore stats, 1 thread", "command", 1, 1),
            ("refscore stats, 2 threads", "command", 1, 2),
        ]:
            figures = run(way, options.metrics, path, targets[:count], thread_count)
            seconds, used = max(own[0] for own in figures), sum(own[1] for own in figures)
            if way != "read":
                sums = Evaluation.load(targets[0])
                for target in targets[1:count]:
                    sums.merge(Evaluation.load(target))
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
            raise SystemExit("the rows of statistics differ")


if __name__ == "__main__":
    main()

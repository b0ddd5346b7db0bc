"""Compare engines with one process on the same Parquet file: `python -m bench.engines --segments 1000000`.

Generates a file (`--file` sets the path and keeps it), then scores it in new processes: an Evaluation with one and two
threads, and Spark and Ray on this machine with one and two cores. Each row shows:

- the seconds until the engine has started, and the seconds of the first job and of a repetition
- for the repetition: the CPU seconds of all processes, and the segments per second
- the ratios of its seconds and CPU seconds to those of one process with the same number of threads

Engines that are not installed are omitted. All scores must agree. Linux only.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.scale import make_file
from refscore import Evaluation
from refscore.readers import parquet_batches


def start(way: str, cores: int) -> None:
    """Start an engine on this machine with a number of cores."""
    if way == "spark":
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "ERROR",
        }
        builder = SparkSession.builder.master(f"local[{cores}]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        builder.getOrCreate()
    elif way == "ray":
        import ray

        ray.init(num_cpus=cores, object_store_memory=200 << 20, include_dashboard=False, log_to_driver=False)


def job(way: str, metrics: list[str], path: str, cores: int) -> dict[str, float]:
    """Return the scores of the file."""
    if way == "process":
        sums = Evaluation(metrics)
        sums.consume(parquet_batches(path, "hyp", "ref"), threads=cores)
        return {label: score.value for label, score in sums.scores().items()}
    engine = importlib.import_module(f"refscore.engines.{way}")
    (found,) = engine.corpus(engine.read(path), "hyp", "ref", metrics).to_pylist()
    return {label: found[label] for label in metrics}


def processor_seconds() -> float:
    """Return the CPU seconds of this process and its descendants."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # the process has ended
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    found = [os.getpid()]
    for process in found:
        found += [own for own, parent in parents.items() if parent == process]
    return sum(used[process] for process in found)


def child(way: str, metrics: str, path: str, cores: int) -> None:
    """Run the measured process. Prints the seconds of the start, of two jobs and of the CPU, and the scores."""
    warnings.simplefilter("ignore")
    moments = [time.perf_counter()]
    start(way, cores)
    moments.append(time.perf_counter())
    for _ in range(2):
        used = processor_seconds()
        scores = job(way, metrics.split(","), path, cores)
        moments.append(time.perf_counter())
    used = processor_seconds() - used
    print(json.dumps([[*(after - before for before, after in pairwise(moments)), used], scores]))


def measured(way: str, metrics: str, path: Path, cores: int) -> tuple[list[float], dict[str, float]]:
    """Return the figures of a new process."""
    command = [sys.executable, "-m", "bench.engines", "--child", way, metrics, str(path), str(cores)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(f"{way} failed:\n{made.stderr}")
    seconds, scores = json.loads(made.stdout.strip().splitlines()[-1])
    return seconds, scores


def main() -> None:
    """Measure all engines and print the table."""
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.engines", description="Score by engines and by one process.")
    parser.add_argument("--segments", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--metrics", default="bleu", metavar="NAME,…")
    parser.add_argument("--file", type=Path, metavar="FILE", help="the generated file; created if it does not exist")
    options = parser.parse_args()
    ways = ["process", *(way for way in ("spark", "ray") if importlib.util.find_spec(way.replace("spark", "pyspark")))]
    with tempfile.TemporaryDirectory() as folder:
        path = (options.file or Path(folder) / "segments.parquet").absolute()
        if not path.exists():
            make_file(path, options.segments)
        print(f"{options.metrics}, {options.segments:,} segments, {path.stat().st_size / 2**20:,.0f} MiB of Parquet")
        titles = f"{'start':>7} {'first':>7} {'again':>7} {'cpu s':>7} {'segments/s':>12} {'again ×':>8} {'cpu ×':>7}"
        print(f"{'way':18} {titles}")
        alone: dict[int, tuple[float, float]] = {}
        wanted: dict[str, Any] = {}
        for way in ways:
            for cores in (1, 2):
                (starting, first, again, used), scores = measured(way, options.metrics, path, cores)
                seconds, processor = alone.setdefault(cores, (again, used))
                wanted = wanted or scores
                name = f"{way}, {cores} core{'s' if cores > 1 else ''}"
                figures = f"{starting:7.1f} {first:7.1f} {again:7.1f} {used:7.1f} {options.segments / again:12,.0f}"
                print(f"{name:18} {figures} {again / seconds:8.1f} {used / processor:7.1f}", flush=True)
                if any(abs(scores[label] - value) > 1e-12 for label, value in wanted.items()):
                    raise SystemExit("the scores of the engines differ")


if __name__ == "__main__":
    main()

"""Build and run the fuzz targets, and print the results: `python native/fuzz/run.py --seconds 60`.

All targets share the time, with `--jobs` processes at once. Inputs with new coverage are added to the corpus, where
the next run continues. Failing inputs are written to the crashes folder. The exit status is 1 after a crash, and 3
without a clang that has libFuzzer. On a machine without a compiler, `--binaries FOLDER` runs programs that were built
elsewhere: copy the programs, this file and make_seeds.py. Only the standard library is needed.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import make_seeds

HERE = Path(__file__).resolve().parent
MOST_CRASHES = 20  # per process; with more, probably every input fails
LONGEST_INPUT = 1000  # bytes; enough for several segments of more than 64 tokens
LIMITS = ["-timeout=25", "-rss_limit_mb=2048", f"-max_len={LONGEST_INPUT}"]  # seconds and MiB per input
# Targets with threads do not measure coverage (see CMakeLists.txt).
UNCOUNTED = ["-use_value_profile=1", "-keep_seed=1"]
# A data race ends the process, like every other fault.
ENVIRONMENT = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1"}


@dataclass
class Result:
    """The combined result of all processes of one target."""

    target: str
    executions: int = 0
    seconds: float = 0.0
    coverage: int = 0
    features: int = 0
    corpus: int = 0
    crashes: list[dict[str, str]] = field(default_factory=list)


def find_compiler() -> str | None:
    """Find a clang that can link a fuzz target. Its runtimes are separate packages on some systems."""
    program = 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
    for name in ("clang++", *(f"clang++-{version}" for version in range(30, 13, -1))):
        path = shutil.which(name)
        if path is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = [path, "-fsanitize=fuzzer,address", "-x", "c++", "-", "-o", f"{folder}/program"]
            if subprocess.run(command, input=program.encode(), capture_output=True, check=False).returncode == 0:
                return path
    return None


def build(folder: Path, compiler: str, jobs: int) -> None:
    """Build all targets."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    setup = ["cmake", "-S", str(HERE), "-B", str(folder), f"-DCMAKE_CXX_COMPILER={compiler}", *generator]
    subprocess.run(setup, stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["cmake", "--build", str(folder), "--parallel", str(jobs)], stdout=sys.stderr, check=True)


def reason_of(output: str) -> str:
    """Return in one line why a process ended: the failed check, or the sanitizer's summary."""
    for pattern in (r"^\S+: runtime error: .+$", r"^SUMMARY: \w+Sanitizer: .+$", r"^\S+:\d+: .+$", r"^SUMMARY: .+$"):
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            return re.sub(r"^\S*/", "", found.group(0))
    return output.strip().splitlines()[-1] if output.strip() else "no output"


def fuzz(program: Path, folders: dict[str, Path], seconds: float, result: Result, lock: threading.Lock) -> None:
    """Run processes until the time is over, starting a new one after each crash."""
    corpus, crashes = folders["corpus"] / program.name, folders["crashes"] / program.name
    crashes.mkdir(parents=True, exist_ok=True)
    inputs = [str(corpus), *(str(path) for path in [HERE / "regressions" / program.name] if path.is_dir())]
    end = time.monotonic() + seconds
    for _ in range(MOST_CRASHES):
        left = int(end - time.monotonic())
        if left < 1:
            return
        begin = time.monotonic()
        command = [
            str(program),
            *inputs,
            f"-max_total_time={left}",
            f"-artifact_prefix={crashes}/",
            "-print_final_stats=1",
            *LIMITS,
            *(UNCOUNTED if program.name.startswith("fuzz_threads_") else []),
        ]
        process = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env=ENVIRONMENT
        )
        output = process.stdout.decode("utf-8", "replace")
        with lock:
            result.seconds += time.monotonic() - begin
            counts = re.findall(r"^stat::number_of_executed_units: (\d+)", output, re.MULTILINE) or re.findall(
                r"^#(\d+)", output, re.MULTILINE
            )
            result.executions += int(counts[-1]) if counts else 0
            for coverage, features in re.findall(r"cov: (\d+) ft: (\d+)", output):
                result.coverage = max(result.coverage, int(coverage))
                result.features = max(result.features, int(features))
            if process.returncode != 0:
                written = re.findall(r"Test unit written to (\S+)", output)
                path = Path(written[-1]) if written else None
                result.crashes.append({"input": path.name if path else "", "reason": reason_of(output)})
                log = crashes / (f"{path.name}.log" if path else f"process-{len(result.crashes)}.log")
                log.write_text(output[-20_000:], encoding="utf-8")
                print(f"{program.name}: {result.crashes[-1]['reason']} ({path or log})", file=sys.stderr, flush=True)


def run(programs: list[Path], folders: dict[str, Path], seconds: float, jobs: int) -> list[Result]:
    """Run the targets, sharing the time among them."""
    results = {program.name: Result(program.name) for program in programs}
    lock = threading.Lock()
    each = max(1, -(-jobs // len(programs)))  # processes per target
    tasks = [program for _ in range(each) for program in programs]
    turns = -(-len(tasks) // jobs)
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [
            pool.submit(fuzz, program, folders, seconds / turns, results[program.name], lock) for program in tasks
        ]
        for task in waiting:
            task.result()
    for result in results.values():
        result.corpus = sum(1 for _ in (folders["corpus"] / result.target).iterdir())
    return list(results.values())


def table(results: list[Result]) -> str:
    """Format the results as a table."""
    titles = ("executions", "per second", "coverage", "features", "corpus", "crashes")
    lines = [f"{'target':22}" + "".join(f"{title:>13}" for title in titles)]
    for one in results:
        rate = round(one.executions / one.seconds) if one.seconds else 0
        numbers = (one.executions, rate, one.coverage, one.features, one.corpus, len(one.crashes))
        lines.append(f"{one.target:22}" + "".join(f"{number:13,}" for number in numbers))
    hours = sum(one.seconds for one in results) / 3600
    executions, crashes = sum(one.executions for one in results), sum(len(one.crashes) for one in results)
    lines.append(f"{executions:,} executions in {hours:.2f} hours of one core, {crashes} crashes")
    return "\n".join(lines)


def main() -> int:
    """Parse the options, run the targets and print the table."""
    parser = argparse.ArgumentParser(description="Run the fuzz targets.")
    parser.add_argument("--binaries", type=Path, help="folder of programs that are already built")
    parser.add_argument("--seconds", type=float, default=60, help="total duration (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes (%(default)s)")
    parser.add_argument("--target", action="append", help="only this target, e.g. fuzz_bleu; can be repeated")
    parser.add_argument("--corpus", type=Path, help="inputs to continue from (BINARIES/corpus)")
    parser.add_argument("--crashes", type=Path, help="folder for failing inputs (BINARIES/crashes)")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    options = parser.parse_args()
    binaries = (options.binaries or HERE.parent.parent / "build" / "fuzz").resolve()
    if options.binaries is None:
        compiler = find_compiler()
        if compiler is None:
            print("the fuzz targets need clang with libFuzzer and the sanitizers", file=sys.stderr)
            return 3
        build(binaries, compiler, options.jobs)
    programs = sorted(
        path for path in binaries.glob("fuzz_*") if path.is_file() and not path.suffix and os.access(path, os.X_OK)
    )
    if options.target:
        names = {name if name.startswith("fuzz_") else f"fuzz_{name}" for name in options.target}
        programs = [program for program in programs if program.name in names]
    if not programs:
        parser.error(f"no fuzz targets in {binaries}: build them first (native/fuzz/CMakeLists.txt)")
    folders = {
        "corpus": (options.corpus or binaries / "corpus").resolve(),
        "crashes": (options.crashes or binaries / "crashes").resolve(),
    }
    make_seeds.write_seeds(folders["corpus"])
    for program in programs:
        (folders["corpus"] / program.name).mkdir(parents=True, exist_ok=True)
    results = run(programs, folders, options.seconds, options.jobs)
    print(table(results))
    if options.json:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=2) + "\n", encoding="utf-8")
    return 1 if any(result.crashes for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Run the quick tests in difficult environments: `python tests/environments.py [NAME …] [-- PYTEST-ARGUMENTS]`.

Several names are combined in one run. Without names, the tests run once in each environment.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOBODY = 65534
MEMORY = 2 * 2**30


@dataclass
class Run:
    """A run of the tests, which the environments below change."""

    folder: Path
    processes: str = "auto"
    directory: Path = ROOT
    options: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    identity: dict[str, Any] = field(default_factory=dict)
    # Entered around the whole run, with the number of the process.
    around: list[Callable[[int], contextlib.AbstractContextManager[None]]] = field(default_factory=list)


def background(run: Run) -> None:
    """Ignore signals, as a shell does for a program in the background or under nohup."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):  # the new process inherits this
        signal.signal(number, signal.SIG_IGN)


def user(run: Run) -> None:
    """Use an ordinary user that may write neither to the checkout nor to its home."""
    run.directory = run.folder / "checkout"
    ignored = shutil.ignore_patterns(".git", ".venv", ".nox", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, run.directory, ignore=ignored, symlinks=True)
    home, temporary = run.folder / "home", run.folder / "temporary"
    home.mkdir()
    temporary.mkdir()
    run.variables.update(HOME=str(home), TMPDIR=str(temporary))
    for path in (home, run.directory, *run.directory.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.geteuid() != 0:
        return
    run.folder.chmod(0o755)
    identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([sys.executable, "-c", ""], check=True, cwd="/", **identity)
    except (OSError, subprocess.SubprocessError):
        print(f"other users cannot run {sys.executable}, so the tests run as root", flush=True)
    else:
        run.identity = identity
        os.chown(temporary, NOBODY, NOBODY)  # only then: pages crash if Chromium's temporary folder is another user's


def locale(run: Run) -> None:
    """Use the C locale, a time zone that differs from UTC by 5:45 hours, and fixed hashes of strings."""
    for name in [name for name in run.variables if name.startswith("LC_")]:
        del run.variables[name]
    run.variables.update(LANG="C", TZ="Asia/Kathmandu", PYTHONHASHSEED="0")


def hashes(run: Run) -> None:
    """Use other hashes of strings in each process."""
    run.variables["PYTHONHASHSEED"] = "random"


def shuffled(run: Run) -> None:
    """Run the tests in random order."""
    run.options.append(f"--shuffle={int.from_bytes(os.urandom(4), 'big')}")


def alone(run: Run) -> None:
    """Use one process."""
    run.processes = "0"


def load(run: Run) -> None:
    """Keep all cores busy with twice as many processes."""

    @contextlib.contextmanager
    def busy(process: int) -> Iterator[None]:
        count = 2 * (os.cpu_count() or 1)
        programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
        try:
            yield
        finally:
            for program in programs:
                program.kill()
                program.wait()

    run.around.append(busy)


def memory(run: Run) -> None:
    """Stop the run if its processes together use more than 2 GiB."""

    @contextlib.contextmanager
    def watched(process: int) -> Iterator[None]:
        finished, peak = threading.Event(), 0

        def watch() -> None:
            nonlocal peak
            while not finished.wait(0.2):
                peak = max(peak, used_memory(process))
                if peak > MEMORY:
                    os.killpg(process, signal.SIGKILL)
                    return

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield
        finally:
            finished.set()
            watcher.join()
            print(f"memory of all processes: {peak / 2**20:.0f} MiB at most", flush=True)

    run.around.append(watched)


def used_memory(group: int) -> int:
    """Return the bytes that the processes of this process group use; shared pages are divided among them."""
    total = 0
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if os.getpgid(int(folder.name)) == group:
                lines = (folder / "smaps_rollup").read_text().splitlines()
                total += next(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total


ENVIRONMENTS = {change.__name__: change for change in (background, user, locale, hashes, shuffled, alone, load, memory)}


def run_tests(names: list[str], options: list[str]) -> int:
    """Run the tests in these environments at once. Return the exit status."""
    with tempfile.TemporaryDirectory(prefix="refscore-") as folder, contextlib.ExitStack() as stack:
        run = Run(Path(folder))
        for name in names:
            ENVIRONMENTS[name](run)
        command = [sys.executable, "-m", "pytest", "-q", "-n", run.processes, *run.options, *options]
        print(f"{', '.join(names)}: {' '.join(command)}", flush=True)
        process = subprocess.Popen(
            command, cwd=run.directory, env=run.variables, restore_signals=False, start_new_session=True, **run.identity
        )
        try:
            for context in run.around:
                stack.enter_context(context(process.pid))
            return process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def main(arguments: list[str]) -> int:
    separator = arguments.index("--") if "--" in arguments else len(arguments)
    names, options = arguments[:separator], arguments[separator + 1 :]
    if unknown := set(names) - ENVIRONMENTS.keys():
        print(f"there is no environment {sorted(unknown)}; there are {', '.join(ENVIRONMENTS)}", file=sys.stderr)
        return 2
    if names:
        return run_tests(names, options)
    # In new processes, because signals stay ignored.
    programs = [[sys.executable, __file__, name, "--", *options] for name in ENVIRONMENTS]
    failed = [program[2] for program in programs if subprocess.run(program, check=False).returncode]
    print(f"failed in: {', '.join(failed)}" if failed else "passed in all environments")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

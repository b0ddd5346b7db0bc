"""Run the scoring code of published programs with original libraries and drop-ins. Prints values and times.

`python -m bench.clients [NAME …]` creates an environment for each client in `build/clients`, with the packages that
its scoring imports, in the versions of `requirements/NAME.txt`. The scoring uses no network. The exit status is 1 if a
value differs or a client could not be run.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, NamedTuple

import refscore

_FOLDER = Path(__file__).parent
# The drop-ins of each client.
CLIENTS = {
    "lm_eval": ("sacrebleu", "rouge_score", "lm_eval"),
    "mbrs": ("sacrebleu",),
    "helm": ("nltk", "rouge_score", "jiwer"),
    "ragas": ("sacrebleu", "rouge_score"),
    "lighteval": ("sacrebleu", "rouge_score", "nltk"),
    "joeynmt": ("sacrebleu",),
    "simuleval": ("sacrebleu",),
}
_NO_NETWORK = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9"),
    **dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE"), "1"),
}


class NotRunError(Exception):
    """Raised if a client cannot be installed or run. The message contains the reason."""


class Row(NamedTuple):
    """One line of the table: a call of a client, or the reason why there is none."""

    client: str
    call: str
    values: str
    original: str = ""
    drop_in: str = ""
    ratio: str = ""


def run(command: list[str], **environment: str) -> str:
    """Return the output of a command."""
    environment = {**os.environ, **environment}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if line.strip()] or [f"status {result.returncode}"]
        raise NotRunError(lines[-1].strip())
    return result.stdout


def install(client: str, folder: Path) -> str:
    """Return the Python of a client's environment, which is created unless it already has these packages."""
    requirements = _FOLDER / "requirements" / f"{client}.txt"
    python = folder / client / ("Scripts" if os.name == "nt" else "bin") / "python"
    marker = folder / client / "installed.txt"
    pins = requirements.read_text()
    if not marker.exists() or marker.read_text() != pins:
        print(f"{client}: installing …", file=sys.stderr)
        venv.create(folder / client, clear=True, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        # The requirements of torch differ between its builds.
        torch = [line for line in pins.splitlines() if line.startswith("torch==")]
        if torch:
            run([*pip, *torch])
        run([*pip, "--no-deps", "-r", str(requirements)])
        marker.write_text(pins)
    return str(python)


def measure(client: str, python: str, folder: Path, options: argparse.Namespace, libraries: tuple[str, ...]) -> Any:
    """Return the values and seconds of a client's calls, with drop-ins instead of libraries."""
    path = folder / "path"  # contains only refscore, not the other installed packages
    path.mkdir(exist_ok=True)
    link = path / "refscore"
    link.unlink(missing_ok=True)
    link.symlink_to(Path(refscore.__file__).parent, target_is_directory=True)
    command = [python, str(_FOLDER / "calls.py"), client, str(options.segments), str(options.rounds), *libraries]
    return json.loads(run(command, PYTHONPATH=str(path), HF_HOME=str(folder / "hf"), **_NO_NETWORK).splitlines()[-1])


def difference(one: Any, other: Any) -> float:
    """Return the largest relative difference between two results, or infinity if their shapes differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((difference(one[key], other[key]) for key in one), default=0.0)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max(map(difference, one, other), default=0.0)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return 0.0 if one == other else abs(one - other) / max(abs(one), abs(other))
    return 0.0 if one == other else math.inf


def rows(client: str, folder: Path, options: argparse.Namespace) -> list[Row]:
    """Return the lines of one client."""
    title = f"{client} {version(client)}"
    try:
        python = install(client, folder)
        print(f"{client}: running …", file=sys.stderr)
        originals = measure(client, python, folder, options, ())
        drop_ins = measure(client, python, folder, options, CLIENTS[client])
    except NotRunError as error:
        return [Row(title, "", f"not run: {error}")]
    lines = []
    for call, (value, seconds) in originals.items():
        other, other_seconds = drop_ins[call]
        relative = difference(value, other)
        values = "identical" if relative == 0 else f"differ by {relative:.1e}"
        times = f"{1e3 * seconds:.2f}", f"{1e3 * other_seconds:.2f}", f"{seconds / other_seconds:.1f}×"
        lines.append(Row(title, call, values, *times))
    return lines


def version(client: str) -> str:
    """Return the version of a client, which is the first of its pins."""
    return (_FOLDER / "requirements" / f"{client}.txt").read_text().split()[0].partition("==")[2]


def main() -> int:
    """Print the table. Return 1 if a value differs or a client was not run, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.clients", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(CLIENTS)}")
    parser.add_argument("--segments", type=int, default=200, metavar="N", help="generated segments (default: 200)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="calls; the fastest counts (default: 3)")
    parser.add_argument("--folder", type=Path, default=Path("build/clients"), help="for environments (build/clients)")
    options = parser.parse_args()
    unknown = set(options.names) - set(CLIENTS)
    if unknown:
        parser.error(f"unknown client {', '.join(sorted(unknown))}: choose from {', '.join(CLIENTS)}")
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    print("| client | call | values | original, ms | drop-in, ms | ratio |\n|---|---|---|---:|---:|---:|")
    is_equal = True
    for client in options.names or CLIENTS:
        for row in rows(client, folder, options):
            print(f"| {' | '.join(row)} |", flush=True)
            is_equal &= row.values == "identical"
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())

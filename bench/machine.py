"""Where figures come from: processor, cores, compiler, commit and versions."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

import numpy as np

from refscore import _native

_ROOT = Path(__file__).parents[1]


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text().splitlines() if cpus.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _commit() -> str:
    """Return the commit of the source; source archives have the file `commit` instead of a repository."""
    if (_ROOT / "commit").exists():
        return (_ROOT / "commit").read_text().strip()
    command = ["git", "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=_ROOT).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def describe() -> dict[str, str | int]:
    """Return what a figure depends on besides the code."""
    return {
        "processor": _processor(),
        "cores": _native.usable_cores(),
        "system": platform.platform(),
        "compiler": _native.compiler,
        "commit": _commit(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0,
    }


def line() -> str:
    """Return the same in one line."""
    found = describe()
    return (
        f"{found['processor']}, {found['cores']} cores, load {found['load']}; {found['compiler']}, "
        f"commit {found['commit']}; Python {found['python']}, NumPy {found['numpy']}"
    )

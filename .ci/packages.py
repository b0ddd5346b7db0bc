"""Build the source package and a wheel from it without network, twice in different folders, and compare the bytes.

    python .ci/packages.py             write both files to dist
    python .ci/packages.py --once      build them once, without comparing

Requires build, scikit-build-core, nanobind, CMake and Ninja.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# 2020-01-01: any fixed time in the past makes builds reproducible.
FIXED = {"SOURCE_DATE_EPOCH": "1577836800", "PIP_NO_INDEX": "1"}

# The conda recipe runs it from the source package.
SMOKE_TEST = ("tests/smoke.py", "examples/hypotheses.txt", "examples/references.0.txt", "examples/references.1.txt")


def build(source: Path, kind: str, out: Path) -> Path:
    """Build one package of the tree at `source`."""
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", str(out), str(source)]
    subprocess.run([*without_network(), *command], check=True, env=os.environ | FIXED, stdout=subprocess.DEVNULL)
    return next(out.glob("*.tar.gz" if kind == "sdist" else "*.whl"))


@cache
def without_network() -> list[str]:
    """Return a command prefix that disables the network, if the system allows it."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        try:
            subprocess.run([*command, "true"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return command
    print("this system has no network namespaces: only pip is kept offline")
    return []


def once(folder: Path) -> tuple[Path, Path]:
    """Build the source package of the tree, and a wheel from the unpacked source package."""
    sdist = build(ROOT, "sdist", folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(folder)
    return sdist, build(folder / sdist.name.removesuffix(".tar.gz"), "wheel", folder)


def check_contents(sdist: Path, wheel: Path) -> None:
    """Fail if a package contains an unexpected file or lacks an expected one."""
    with tarfile.open(sdist) as archive:
        in_sdist = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = set(archive.namelist())
    for name in ("LICENSE", "README.md", "native/refscore/ngrams/bleu.cpp", "src/refscore/py.typed", *SMOKE_TEST):
        assert name in in_sdist, f"{name} is not in {sdist.name}"
    for name in ("refscore/py.typed", "refscore/_native.pyi"):
        assert name in in_wheel, f"{name} is not in {wheel.name}"
    compiled = {name for name in in_sdist | in_wheel if name.endswith((".so", ".pyd", ".pyc", ".o"))}
    assert len(compiled) == 1, f"compiled files: {sorted(compiled)}"
    outside = {name for name in in_wheel if not name.startswith("refscore")}
    assert not outside, f"{wheel.name} would install {sorted(outside)}"


def build_packages(*, twice: bool = True) -> tuple[Path, Path]:
    """Write the source package and the wheel to dist. If they are built twice, both builds must be identical."""
    target = ROOT / "dist"
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory(prefix="another-length-") as second:
        packages = once(Path(first))
        check_contents(*packages)
        for one, other in zip(packages, once(Path(second)) if twice else packages, strict=True):
            assert sha256(one) == sha256(other), f"{one.name}: two builds differ"
            shutil.copy(one, target)
            print(sha256(one), one.stat().st_size, one.name)
        sdist, wheel = (target / package.name for package in packages)
        return sdist, wheel


def sha256(path: Path) -> str:
    """Return the SHA-256 digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    build_packages(twice=sys.argv[1:] != ["--once"])

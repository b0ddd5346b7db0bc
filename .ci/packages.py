"""Builds the source package and a wheel from it, without network, twice in different folders: the same bytes each time.

    python .ci/packages.py             dist gets the two files
    python .ci/packages.py --once      builds them once, and compares nothing

build, scikit-build-core, nanobind, CMake and Ninja have to be installed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# 2020-01-01: any fixed time before which no file was written.
FIXED = {"SOURCE_DATE_EPOCH": "1577836800", "PIP_NO_INDEX": "1"}


def build(source: Path, kind: str, out: Path) -> Path:
    """One package of the tree at `source`."""
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", str(out), str(source)]
    subprocess.run([*without_network(), *command], check=True, env=os.environ | FIXED, stdout=subprocess.DEVNULL)
    return next(out.glob("*.tar.gz" if kind == "sdist" else "*.whl"))


def without_network() -> list[str]:
    """What runs a command where no network is, if this system lets us."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        try:
            subprocess.run([*command, "true"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return command
    print("no network namespaces here: only pip is kept from the network")
    return []


def once(folder: Path) -> tuple[Path, Path]:
    """The tree's source package, and the wheel that is built from what it unpacks to."""
    sdist = build(ROOT, "sdist", folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(folder)
    return sdist, build(folder / sdist.name.removesuffix(".tar.gz"), "wheel", folder)


def check_contents(sdist: Path, wheel: Path) -> None:
    """Stops at a file that should not be in a package, and at one that is missing."""
    with tarfile.open(sdist) as archive:
        in_sdist = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = set(archive.namelist())
    for name in ("LICENSE", "README.md", "native/refscore/bleu.cpp", "tests/smoke.py", "src/refscore/py.typed"):
        assert name in in_sdist, f"{name} is not in {sdist.name}"
    for name in ("refscore/py.typed", "refscore/_native.pyi"):
        assert name in in_wheel, f"{name} is not in {wheel.name}"
    compiled = {name for name in in_sdist | in_wheel if name.endswith((".so", ".pyd", ".pyc", ".o"))}
    assert len(compiled) == 1, f"compiled files: {sorted(compiled)}"
    outside = {name for name in in_wheel if not name.startswith("refscore")}
    assert not outside, f"{wheel.name} would install {sorted(outside)}"


def main() -> None:
    """Builds, compares, keeps."""
    target = ROOT / "dist"
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory(prefix="another-length-") as second:
        packages = once(Path(first))
        check_contents(*packages)
        again = packages if sys.argv[1:] == ["--once"] else once(Path(second))
        for one, other in zip(packages, again, strict=True):
            digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, other)}
            assert len(digests) == 1, f"{one.name}: two builds differ"
            target.mkdir(exist_ok=True)
            shutil.copy(one, target)
            print(digests.pop(), one.stat().st_size, one.name)


if __name__ == "__main__":
    main()

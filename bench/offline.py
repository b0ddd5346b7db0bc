"""Build and measure refscore on a machine without network: `python3 offline.py source.tar wheels results`.

The machine needs Python with pip and headers, and a C++ compiler. Create archive and wheels elsewhere:

    git archive --prefix=refscore/ -o source.tar HEAD
    pip download -d wheels numpy pyarrow scikit-build-core nanobind cmake ninja

For a different Python or system, `pip download` needs `--only-binary=:all:` with `--python-version` and `--platform`.
The tables of threads and lengths are printed and written to the folder `results`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

_PROGRAMS = {"threads": ["--threads", "1,2,4,8,16"], "lengths": []}


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack a source archive, and write the commit that git has stored in it."""
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
        commit = tar.pax_headers.get("comment", "unknown")
    (source,) = folder.iterdir()
    (source / "commit").write_text(f"{commit}\n")
    return source


def main() -> None:
    """Build refscore in a temporary folder, and run the programs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archive", type=Path, help="source archive from `git archive`")
    parser.add_argument("wheels", type=Path, help="folder of wheels")
    parser.add_argument("results", type=Path, help="folder for the tables")
    arguments = parser.parse_args()
    arguments.results.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        source, packages = unpack(arguments.archive, Path(name, "source")), str(Path(name, "packages"))
        environment = {**os.environ, "PYTHONPATH": packages}
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", f"--find-links={arguments.wheels.resolve()}"]
        pip += ["--target", packages, "--no-warn-conflicts"]
        found = [wheel for wheel in ("numpy", "pyarrow") if list(arguments.wheels.glob(f"{wheel}-*"))]
        subprocess.run([*pip, *found, "scikit-build-core", "nanobind", "cmake", "ninja"], check=True)
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", str(source)], check=True, env=environment)
        for program, options in _PROGRAMS.items():
            print(f"\n{program}", flush=True)
            command = [sys.executable, "-m", f"bench.{program}", *options]
            with (
                open(arguments.results / f"{program}.txt", "w", encoding="utf-8") as file,
                subprocess.Popen(command, cwd=source, env=environment, stdout=subprocess.PIPE, text=True) as run,
            ):
                for text in run.stdout or ():
                    print(text, end="", flush=True)
                    file.write(text)
            if run.returncode != 0:
                sys.exit(run.returncode)


if __name__ == "__main__":
    main()

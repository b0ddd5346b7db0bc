"""Check everything that a release needs, up to the upload, without network.

    python .ci/release.py              check, and list what remains to do before a release
    python .ci/release.py --final      fail if anything remains to do
    python .ci/release.py --once       build the packages once, without comparing two builds

Requires refscore's dependencies, twine, readme-renderer[md], and the requirements of packages.py.
"""

from __future__ import annotations

import argparse
import email.message
import email.parser
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from packages import FIXED, ROOT, build_packages, sha256, without_network

sys.path.insert(0, str(ROOT / "packaging"))
from description import absolute_links

RECIPE = "packaging/conda/recipe.yaml"
NO_DIGEST = "0" * 64
UNRELEASED = "not released yet"


def read(name: str) -> str:
    """Return the text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def version_and_date(read: Callable[[str], str] = read) -> tuple[str, str]:
    """Return the version of refscore and its date, which a release edits in `_version.py`."""
    names = dict(re.findall(r'^(\w+) = "(.+)"$', read("src/refscore/_version.py"), re.MULTILINE))
    return names["__version__"], names["RELEASED"]


def disagreements(read: Callable[[str], str] = read) -> Iterator[str]:
    """Yield each place whose version or date differs from those in `_version.py`."""
    version, date = version_and_date(read)
    year, month, _ = date.split("-")
    for name, field, expected in (
        ("CITATION.cff", "version", [version, version]),
        ("CITATION.cff", "date-released", [date, date]),
        ("CITATION.cff", "year", [year]),
        ("CITATION.cff", "month", [str(int(month))]),
        (RECIPE, "version", [f'"{version}"', "${{ version }}"]),
    ):
        found = re.findall(rf"^ *{field}: (.+)$", read(name), re.MULTILINE)
        if found != expected:
            yield f"{name} has {field} {' and '.join(found) or 'nowhere'}, not {' and '.join(expected)}"
    if newest_heading(read) not in (f"{version}, {date}", f"{version}, {UNRELEASED}"):
        yield f"CHANGELOG.md begins with `## {newest_heading(read)}`, not with `## {version}, {date}`"


def source(read: Callable[[str], str] = read) -> str | None:
    """Return the address of the repository, `Source` of the table `[project.urls]`."""
    found = re.search(r'^\[project\.urls\]$[^[]*?^Source = "(.+)"$', read("pyproject.toml"), re.MULTILINE)
    return found[1] if found else None


def newest_heading(read: Callable[[str], str] = read) -> str:
    """Return the heading of the newest version in the changelog."""
    return read("CHANGELOG.md").partition("\n## ")[2].partition("\n")[0]


def remaining_work() -> Iterator[str]:
    """Yield what a person must do before a release."""
    version, date = version_and_date()
    if source() is None:
        yield "pyproject.toml has no address of the repository: add [project.urls] with Source, for links in the README"
    if newest_heading().endswith(UNRELEASED):
        yield f"CHANGELOG.md says that {version} is not released yet: change its heading to `## {version}, {date}`"
    try:
        changes = subprocess.check_output(["git", "status", "--porcelain"], cwd=ROOT, text=True).splitlines()
    except (OSError, subprocess.CalledProcessError) as error:
        yield f"the working tree must be clean, which git could not tell: {error}"
    else:
        if changes:
            yield f"the working tree has {len(changes)} changed or new files: commit or remove them (git status)"


def check_metadata(sdist: Path, wheel: Path) -> None:
    """Fail if a package has a different version or description than the repository, or PyPI would not accept it."""
    from readme_renderer import markdown  # of twine; the tests of this file do without it

    version, _ = version_and_date()
    # PyPI's renderer. twine check renders only reStructuredText.
    address = source()
    expected = absolute_links(read("README.md"), address, f"v{version}") if address else read("README.md")
    assert markdown.render(expected), "README.md does not render: pip install 'readme-renderer[md]'"
    for path, metadata in ((sdist, sdist_metadata(sdist)), (wheel, wheel_metadata(wheel))):
        assert metadata["Version"] == version, f"{path.name} has version {metadata['Version']}, not {version}"
        assert metadata["Description-Content-Type"] == "text/markdown", f"{path.name}: the README is not Markdown"
        body = metadata.get_payload()
        assert body == expected, f"{path.name}: the description is not README.md"
    run(sys.executable, "-m", "twine", "check", "--strict", str(sdist), str(wheel))


def sdist_metadata(sdist: Path) -> email.message.Message:
    """Return the metadata of a source package."""
    with tarfile.open(sdist) as archive:
        file = archive.extractfile(f"{sdist.name.removesuffix('.tar.gz')}/PKG-INFO")
        assert file is not None
        return email.parser.Parser().parsestr(file.read().decode())


def wheel_metadata(wheel: Path) -> email.message.Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.parser.Parser().parsestr(archive.read(name).decode())


def check_installation(wheel: Path) -> None:
    """Install the wheel in a fresh environment and run the smoke test there.

    The packages that refscore requires come from the current environment, so no network is needed.
    """
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        python = str(Path(folder, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python"))))
        run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", str(wheel))
        # Paths in a .pth file come last, so the wheel's refscore hides one that is installed there.
        path = "import sysconfig; print(sysconfig.get_path('purelib'))"
        packages = run(python, "-c", path, capture_output=True).stdout.strip()
        Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
        imported = run(python, "-c", "import refscore; print(refscore.__file__)", cwd=folder, capture_output=True)
        assert imported.stdout.startswith(packages), f"the environment imports {imported.stdout}"
        run(python, str(ROOT / "tests" / "smoke.py"), cwd=folder)


def run(*command: str, cwd: str | None = None, capture_output: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command without network. It must succeed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | FIXED
    return subprocess.run(
        [*without_network(), *command], check=True, text=True, env=environment, cwd=cwd, capture_output=capture_output
    )


def write_recipe(sdist: Path) -> Path:
    """Write the conda recipe with the digest of the source package."""
    path = ROOT / "build" / "conda" / "recipe.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    template = read(RECIPE)
    assert template.count(NO_DIGEST) == 1, f"{RECIPE} must have one placeholder for the digest"
    path.write_text(template.replace(NO_DIGEST, sha256(sdist)), encoding="utf-8")
    return path


def main() -> None:
    """Run all checks, and print the commands that publish the release."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--final", action="store_true", help="fail if anything remains to do before the release")
    parser.add_argument("--once", action="store_true", help="build the packages once, without comparing two builds")
    options = parser.parse_args()

    problems, remaining = list(disagreements()), list(remaining_work())
    if problems or (options.final and remaining):
        sys.exit("\n".join(f"not ready: {problem}" for problem in [*problems, *remaining]))
    sdist, wheel = build_packages(twice=not options.once)
    check_metadata(sdist, wheel)
    check_installation(wheel)
    recipe = write_recipe(sdist)
    version, _ = version_and_date()
    for work in remaining:
        print(f"to do: {work}")
    print(f"""
To release refscore {version}, run:

    nox -s release -- --final
    git tag -a v{version} -m "refscore {version}"
    git push origin v{version}

The tag starts .github/workflows/wheels.yml, which builds, tests and uploads all packages. To do that by hand:

    python -m cibuildwheel --output-dir wheelhouse
    python -m twine upload {sdist.relative_to(ROOT)} wheelhouse/refscore-{version}-*.whl

Then submit {recipe.relative_to(ROOT)} to conda-forge.""")


if __name__ == "__main__":
    main()

"""Several files agree about the package: version, Python versions, extras and sessions."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import refscore

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Extras for contributors. Every other extra is a feature for users.
DEVELOPMENT = {"bench", "coverage", "dev", "docs", "originals", "test"}
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]

# Files of the repository that the source package omits.
in_repository = pytest.mark.skipif(not (ROOT / ".github").exists(), reason="source package without .github")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_that_of_the_source() -> None:
    assert "version" in PROJECT["project"]["dynamic"]
    assert f'__version__ = "{refscore.__version__}"' in text("src/refscore/_version.py")


def test_pythons() -> None:
    prefix = "Programming Language :: Python :: 3."
    classifiers = [name for name in PROJECT["project"]["classifiers"] if name.startswith(prefix)]
    assert [name.rpartition(" ")[2] for name in classifiers] == PYTHONS
    assert PROJECT["project"]["requires-python"] == f">={PYTHONS[0]}"
    wheels = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert wheels == [f"cp{python.replace('.', '')}-*" for python in PYTHONS]
    assert f"@nox.session(python={str(PYTHONS).replace(chr(39), chr(34))})" in text("noxfile.py")
    assert PROJECT["tool"]["mypy"]["python_version"] == PYTHONS[0]
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{PYTHONS[0].replace('.', '')}"


@in_repository
def test_workflows_run_on_the_pythons() -> None:
    assert f"python: {str(PYTHONS).replace(chr(39), chr(34))}" in text(".github/workflows/tests.yml")


@in_repository
def test_workflows_and_ci_run_sessions_that_exist() -> None:
    sessions = set(re.findall(r"^@nox\.session.*\ndef (\w+)", text("noxfile.py"), re.MULTILINE))
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    asked = {name for path in workflows for name in re.findall(r"nox -s (\w+)", path.read_text(encoding="utf-8"))}
    in_ci = re.findall(r"^nox_sessions ([\w ]+)", text(".ci/run"), re.MULTILINE)
    asked.update(name for names in in_ci for name in names.split())
    assert asked
    assert asked <= sessions
    files = re.findall(r"tests/[\w/*]+\.py", text(".ci/run"))
    assert [pattern for pattern in files if not list(ROOT.glob(pattern))] == []


def requirements(section: str) -> list[str]:
    """Return the packages in a section of the conda recipe, without those for cross-compiling."""
    listed = re.search(rf"^  {section}:\n((?:    .*\n)+)", text("packaging/conda/recipe.yaml"), re.MULTILINE)
    assert listed is not None
    return re.findall(r"^    - (?!if:)(.+)$", listed[1], re.MULTILINE)


def test_the_conda_recipe_has_the_requirements_of_the_package() -> None:
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f'match(python, "<{oldest}")' in text("packaging/conda/recipe.yaml")
    assert requirements("build") == ['${{ compiler("cxx") }}', '${{ stdlib("c") }}', "cmake", "ninja"]
    assert requirements("host") == ["python", "pip", *map(conda_form, PROJECT["build-system"]["requires"])]
    assert requirements("run") == ["python", *map(conda_form, PROJECT["project"]["dependencies"])]


def conda_form(requirement: str) -> str:
    """Write `numpy>=1.24` as `numpy >=1.24`."""
    return re.sub(r"(?=[<>=!~])", " ", requirement, count=1)


def test_the_conda_recipe_describes_the_package() -> None:
    recipe = text("packaging/conda/recipe.yaml")
    assert f'summary: "{PROJECT["project"]["description"]}"' in recipe
    assert f"license: {PROJECT['project']['license']}\n" in recipe
    assert [f"license_file: {name}\n" in recipe for name in PROJECT["project"]["license-files"]] == [True]
    for name in ("tests/smoke.py", "examples/"):
        assert f"- {name}\n" in recipe and (ROOT / name).exists()


def test_all_has_every_feature_and_nothing_for_development() -> None:
    (group,) = PROJECT["project"]["optional-dependencies"]["all"]
    listed = re.fullmatch(r"refscore\[(.+)\]", group)
    assert listed is not None
    features = {*PROJECT["project"]["optional-dependencies"]} - DEVELOPMENT - {"all"}
    assert listed[1].split(",") == sorted(features)
    # A feature may not bring the packages of development with it.
    packages = [package for name in features for package in PROJECT["project"]["optional-dependencies"][name]]
    assert [package for package in packages if package.startswith("refscore")] == []


def test_the_install_page_lists_every_extra() -> None:
    page = text("docs/howto/install.md")
    listed = dict(re.findall(r"^\| `(\w+)` \| (.*?) \| .* \|$", page, re.MULTILINE))
    extras = {
        name: ", ".join(re.split(r"[\[<>=;]", package)[0] for package in packages)
        for name, packages in PROJECT["project"]["optional-dependencies"].items()
    }
    not_features = DEVELOPMENT | {"all"}
    assert listed == {name: packages for name, packages in extras.items() if name not in not_features}
    assert [name for name in not_features if f"`{name}`" not in page] == []

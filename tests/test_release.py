"""The checks before a release: places that name the version agree, and `--final` refuses an unfinished release."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VERSION = "src/refscore/_version.py"
pytestmark = pytest.mark.skipif(not (ROOT / ".ci").exists(), reason="source package without .ci")


@pytest.fixture
def release(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    yield importlib.import_module("release")
    for name in ("release", "packages"):
        sys.modules.pop(name, None)


def edited(release, name, old, new):
    """Return a reader of the repository's files in which one file is edited."""
    assert re.search(old, release.read(name), re.MULTILINE)
    return lambda path: re.sub(old, new, release.read(path), flags=re.MULTILINE) if path == name else release.read(path)


def test_all_places_have_one_version_and_date(release):
    assert list(release.disagreements()) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "reported"),
    [
        (VERSION, r"^__version__ = .*", '__version__ = "7.8.9"', "CITATION.cff recipe.yaml CHANGELOG.md"),
        (VERSION, r"^RELEASED = .*", 'RELEASED = "2031-02-03"', "date-released year month"),
        ("CITATION.cff", r"^version: .*", "version: 7.8.9", "7.8.9"),
        ("CITATION.cff", r"^  version: .*", "  version: 7.8.9", "7.8.9"),
        ("CITATION.cff", r"^  date-released: .*", "  date-released: 2031-02-03", "2031-02-03"),
        ("CITATION.cff", r"^date-released: .*\n", "", "date-released"),
        ("CITATION.cff", r"^  year: .*", "  year: 2031", "2031"),
        ("packaging/conda/recipe.yaml", r'^  version: ".*', '  version: "7.8.9"', "7.8.9"),
        ("CHANGELOG.md", r"\A((?:.*\n)*?)## .*", r"\1## 7.8.9, not released yet", "7.8.9"),
        ("CHANGELOG.md", r"\A((?:.*\n)*?)## (\S+),.*", r"\1## \2, 2031-02-03", "2031-02-03"),
    ],
)  # fmt: skip
def test_a_place_that_disagrees_is_named(release, name, old, new, reported):
    problems = "\n".join(release.disagreements(edited(release, name, old, new)))
    assert [word for word in reported.split() if word not in problems] == []


def test_a_dated_heading_is_accepted(release):
    version, date = release.version_and_date()
    dated = edited(release, "CHANGELOG.md", r"\A((?:.*\n)*?)## .*", rf"\1## {version}, {date}")
    assert release.newest_heading(dated) == f"{version}, {date}"
    assert list(release.disagreements(dated)) == []


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_final_release_needs_a_clean_tree_and_a_date(release, monkeypatch, tmp_path, capsys):
    """Nothing is built before these checks."""
    for name in ("CHANGELOG.md", "CITATION.cff", "packaging/conda/recipe.yaml", VERSION):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(release.read(name), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nSource = "https://example.org"\n', encoding="utf-8")
    version, date = release.version_and_date()
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(f"# Changelog\n\n## {version}, not released yet\n", encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "build_packages", lambda twice: pytest.fail("built"))
    monkeypatch.setattr("sys.argv", ["release.py", "--final"])

    def refusals():
        with pytest.raises(SystemExit) as refused:
            release.main()
        return str(refused.value.code).splitlines()

    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    unreleased, dirty = refusals()
    assert f"`## {version}, {date}`" in unreleased
    assert "changed or new files" in dirty
    git("add", ".")
    git("commit", "-m", "a")
    assert refusals() == [unreleased]
    changelog.write_text(f"# Changelog\n\n## {version}, {date}\n", encoding="utf-8")
    (dirty,) = refusals()
    assert "1 changed or new files" in dirty
    git("commit", "-am", "b")
    monkeypatch.setattr(release, "build_packages", lambda twice: sys.exit("built"))
    assert refusals() == ["built"]


def test_the_recipe_gets_the_digest_of_the_source_package(release, monkeypatch, tmp_path):
    sdist = tmp_path / "a.tar.gz"
    sdist.write_bytes(b"abc")
    template = release.read(release.RECIPE)
    monkeypatch.setattr(release, "read", lambda name: template)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    written = release.write_recipe(sdist).read_text(encoding="utf-8")
    # FIPS 180-2, B.1
    assert 'sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"\n' in written
    assert release.NO_DIGEST not in written


def test_links_of_the_description_are_absolute(release):
    text = "[a](docs/a.md#b) ![c](d.png) [e](#f) [g](https://h.example/) `[i](j)`\n```md\n[k](l)\n```\n"
    assert release.absolute_links(text, "https://example.org/refscore/", "v1") == (
        "[a](https://example.org/refscore/blob/v1/docs/a.md#b) ![c](https://example.org/refscore/raw/v1/d.png) "
        "[e](#f) [g](https://h.example/) `[i](j)`\n```md\n[k](l)\n```\n"
    )


def test_the_address_of_the_repository(release):
    urls = '[project.urls]\nHomepage = "https://example.org"\nSource = "https://example.org/source"\n\n[project.opt'
    assert release.source(edited(release, "pyproject.toml", r"^\[project\.opt", urls)) == "https://example.org/source"
    assert release.source(lambda path: "[project]\n\n[tool.x]\nSource = 1\n") is None

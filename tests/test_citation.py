"""CITATION.cff and `refscore.citation.bibtex()` name the same work, and its abstract lists the metrics of today."""

import re
from pathlib import Path

import refscore
from refscore._version import RELEASED
from refscore.metrics import METRICS
from tests.children import printed_by

ROOT = Path(__file__).parent.parent
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def fields(indent: str) -> dict[str, str]:
    """Return the keys at one level of indentation with their values, which may continue on indented lines."""
    pairs = re.findall(rf"^{indent}([\w-]+):((?: .*)?(?:\n{indent}  .*)*)", CITATION, re.MULTILINE)
    assert len({key for key, _ in pairs}) == len(pairs)
    return {key: " ".join(value.split()).removeprefix(">- ").strip('"') for key, value in pairs}


WORK = fields("")
PREFERRED = fields("  ")  # no other key has keys inside


def test_required_fields() -> None:
    """The format requires some fields; these are the ones that refscore uses."""
    assert WORK["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "abstract"} <= WORK.keys()
    assert CITATION.count("\npreferred-citation:\n") == 1
    assert WORK["type"] == "software"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", WORK["date-released"])


def test_the_preferred_citation_is_the_same_work() -> None:
    assert {"type", "title", "authors", "version", "date-released"} <= PREFERRED.keys()
    of_the_date = {"year": str(int(RELEASED[:4])), "month": str(int(RELEASED[5:7]))}
    assert {**WORK, **of_the_date, **PREFERRED} == {**WORK, **of_the_date}


def test_bibtex() -> None:
    entry = refscore.citation.bibtex()
    assert entry.startswith("@misc{refscore,\n") and entry.endswith("\n}")
    assert entry.count("{") == entry.count("}")
    pairs = dict(re.findall(r"^  (\w+) = (.+),$", entry, re.MULTILINE))
    values = {key: value.replace("{", "").replace("}", "") for key, value in pairs.items()}
    assert values["title"] == WORK["title"]
    assert values["author"] == WORK["authors"].removeprefix("- name: ")
    assert values["year"] == WORK["date-released"][:4]
    assert values["howpublished"].split() == ["Software,", "version", WORK["version"]]
    month = int(WORK["date-released"][5:7])
    assert values["month"] == "janfebmaraprmayjunjulaugsepoctnovdec"[3 * month - 3 : 3 * month]


def test_the_abstract_lists_the_metrics_of_the_readme() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    listed = re.search(r"Its metrics are .+?\.", readme)
    assert listed is not None
    assert listed[0] in WORK["abstract"]
    for name, kind in METRICS.items():
        if kind.__module__.startswith("refscore."):
            named = rf"\b({name.replace('_', ' ')}|{kind.display_name})\b"
            assert re.search(named, listed[0], re.IGNORECASE), name


def test_importing_refscore_does_not_import_the_citation() -> None:
    code = "import sys, refscore; print('refscore.citation' in sys.modules)"
    assert printed_by("-c", code).strip() == "False"

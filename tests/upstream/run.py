"""Run the tests of other libraries with the library and with refscore's drop-in, and print both counts.

The exit status is 1 if a test passes with the original, fails with the drop-in, and is not in a suite's `allowed`. The
tests are downloaded, not copied into this project. The source packages on PyPI contain those of jiwer, NLTK and
rouge-score (without its data). torchmetrics' tests come from GitHub, or from a checkout given by `--checkout`. Suites
that cannot be obtained are listed as not run. The examples in torchmetrics' docstrings, which are in its wheel, always
run.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "upstream"
TORCHMETRICS = "https://codeload.github.com/Lightning-AI/torchmetrics/tar.gz/refs/tags/v1.9.0"
TORCHMETRICS_METRICS = (
    *("bleu", "cer", "chrf", "edit", "eed", "mer", "rouge", "sacre_bleu", "squad", "ter", "wer", "wil", "wip"),
)

WORDING = "tests the words of an error message"


class NotAvailableError(Exception):
    """Raised if the tests of a suite cannot be obtained."""


@dataclass(frozen=True)
class Suite:
    """The tests of a library.

    Attributes:
        name: The name in the table.
        library: The name for `refscore.compat.install`.
        prepare: A function from the given checkouts to the folder in which the tests run.
        tests: Arguments for pytest, relative to the folder.
        on_path: Whether the folder contains the library itself.
        allowed: Tests that may fail with the drop-in, and why.
        environment: Variables that the tests read.
    """

    name: str
    library: str
    prepare: Callable[[dict[str, Path]], Path]
    tests: tuple[str, ...]
    on_path: bool = False
    allowed: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)


def source_package(name: str, version: str) -> Path:
    """Download a source package from PyPI, unless it already exists, and return the folder with its files."""
    folder = FOLDER / f"{name}-{version}"
    if not folder.exists():
        options = f"download -q --no-deps --no-binary :all: {name}=={version} -d".split()
        subprocess.run([sys.executable, "-m", "pip", *options, str(FOLDER)], check=True)
        unpack((FOLDER / f"{name}-{version}.tar.gz").read_bytes())
    return folder


def unpack(archive: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        # Filters are new in Python 3.10.12 and 3.11.4.
        files.extractall(FOLDER, filter="data") if hasattr(tarfile, "data_filter") else files.extractall(FOLDER)


def sentence_splitter() -> Path:
    """Write data for NLTK's sentence splitter without abbreviations, and return the folder for NLTK_DATA.

    Tests that split simple sentences run with it; NLTK's data would have to be downloaded.
    """
    folder = FOLDER / "nltk_data" / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt"):
        (folder / name).touch()
    return FOLDER / "nltk_data"


def rouge_score(checkouts: dict[str, Path]) -> Path:
    """Return a folder with the tests, outside the package.

    Their data is in the folder `rouge` of github.com/google-research/google-research. Without it, files with one line
    of text are enough for tests that open the files without using them.
    """
    folder = source_package("rouge_score", "0.1.2")
    (folder / "tests").mkdir(exist_ok=True)
    for test in (folder / "rouge_score").glob("*_test.py"):
        shutil.copy(test, folder / "tests")
    data = folder / "rouge_score" / "testdata"
    shutil.rmtree(data, ignore_errors=True)
    if "rouge_score" in checkouts:
        shutil.copytree(checkouts["rouge_score"] / "testdata", data)
    else:
        data.mkdir()
        for name in ("target", "prediction", "target_large", "prediction_large", "delimited"):
            (data / f"{name}.txt").write_text("one line of text\n", encoding="utf-8")
    return folder


def torchmetrics(checkouts: dict[str, Path]) -> Path:
    if "torchmetrics" in checkouts:
        return checkouts["torchmetrics"] / "tests"
    folder = FOLDER / "torchmetrics-1.9.0" / "tests"
    if not folder.exists():
        try:
            with urllib.request.urlopen(TORCHMETRICS, timeout=30) as answer:
                unpack(answer.read())
        except OSError as error:
            raise NotAvailableError(f"torchmetrics' source package has no tests, and GitHub: {error}") from None
    return folder


def examples(library: str) -> Path:
    """Write the examples in the docstrings of an installed library to files, and return their folder.

    With an installed drop-in, the docstrings would be refscore's.
    """
    spec = importlib.util.find_spec(library)
    if spec is None or spec.origin is None:
        raise NotAvailableError(f"{library} is not installed")
    folder = FOLDER / f"{library}-examples"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in EXAMPLES[library]:
        for node in ast.walk(ast.parse((Path(spec.origin).parent / file).read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                text = ast.get_docstring(node) or ""
                if ">>>" in text:
                    module = f"{library}.{file.removesuffix('.py').replace('/', '.')}"
                    name = f"{module}.{getattr(node, 'name', 'module')}-{getattr(node, 'lineno', 0)}"
                    text = f">>> from {module} import *\n\n{text}"  # doctests see the names of their module
                    (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


EXAMPLES = {
    "nltk": [f"translate/{name}_score.py" for name in ("bleu", "chrf", "gleu", "meteor", "nist", "ribes")],
    "torchmetrics": [f"{kind}/{name}.py" for kind in ("text", "functional/text") for name in TORCHMETRICS_METRICS],
}
SUITES = [
    Suite("jiwer 4.0.0", "jiwer", lambda _: source_package("jiwer", "4.0.0"), ("tests",)),
    Suite(
        "rouge-score 0.1.2", "rouge_score", rouge_score, ("-o", "python_files=*_test.py", "tests"),
        on_path=True,
    ),
    Suite(
        "NLTK 3.10.4, translate", "nltk", lambda _: source_package("nltk", "3.10.4"),
        (
            "--noconftest", *(f"nltk/test/unit/translate/test_{name}.py" for name in ("bleu", "meteor", "nist")),
            "nltk/test/unit/test_ribes.py", "nltk/test/bleu.doctest", "nltk/test/meteor.doctest",
        ),
        on_path=True,
    ),
    Suite("NLTK 3.10.4, examples in docstrings", "nltk", lambda _: examples("nltk"), (".",)),
    Suite("torchmetrics 1.9.0, examples in docstrings", "torchmetrics", lambda _: examples("torchmetrics"), (".",)),
    Suite(
        "torchmetrics 1.9.0, text", "torchmetrics", torchmetrics,
        ("-m", "not DDP", *(f"unittests/text/test_{name}.py" for name in TORCHMETRICS_METRICS)),
        allowed={
            "test_edit::test_edit_raise_errors": WORDING,
            "test_rouge::test_rouge_metric_wrong_key_value_error": WORDING,
        },
    ),
    Suite(
        "torchmetrics 1.9.0, distributed", "torchmetrics", torchmetrics,
        ("-m", "DDP", *(f"unittests/text/test_{name}.py" for name in TORCHMETRICS_METRICS)),
        environment={"USE_PYTEST_POOL": "1"},
    ),
]  # fmt: skip


def run(suite: Suite, folder: Path, drop_in: bool) -> dict[str, str]:
    """Return the outcome of each test: "passed", or the message of its failure."""
    report = FOLDER / f"{re.sub('[^a-z0-9]+', '-', suite.name.lower())}-{'drop-in' if drop_in else 'original'}.xml"
    report.unlink(missing_ok=True)
    settings = FOLDER / "pytest.ini"  # the projects' settings need plugins
    settings.write_text("[pytest]\nmarkers = DDP: distributed\n", encoding="utf-8")
    path = [str(Path(__file__).parent), *([str(folder)] if suite.on_path else []), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        **suite.environment,
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
        "UPSTREAM_DROP_IN": suite.library if drop_in else "",
        "NLTK_DATA": os.pathsep.join(filter(None, [str(sentence_splitter()), os.environ.get("NLTK_DATA")])),
        "PYTEST_REFERENCE_CACHE": str(FOLDER / "references"),
    }
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-c", settings, "--rootdir", folder, "-p", "drop_in"),
        *("-p", "no:cacheprovider", "-p", "no:benchmark", "-W", "ignore", "--import-mode", "prepend"),
        *("--doctest-glob=*.doctest", "--doctest-glob=*.txt"),
        *("-o", "doctest_optionflags=ELLIPSIS NORMALIZE_WHITESPACE", "--junitxml", report, *suite.tests),
    ]
    result = subprocess.run(
        [str(part) for part in command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if not report.exists():
        raise RuntimeError(f"{suite.name}: pytest wrote no report\n{result.stdout}\n{result.stderr}")
    outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        problem = next((part for part in case if part.tag in ("failure", "error", "skipped")), None)
        outcomes[f"{case.get('classname')}::{case.get('name')}"] = (
            "passed" if problem is None else (problem.get("message") or problem.tag)
        )
    return outcomes


def compare(suite: Suite, checkouts: dict[str, Path]) -> tuple[list[str], list[str], bool]:
    """Return a row of the table, lines about differing tests, and whether the drop-in passes."""
    begin = time.monotonic()
    try:
        folder = suite.prepare(checkouts)
    except NotAvailableError as error:
        return [suite.name, *["–"] * 4], [f"{suite.name}: not run: {error}"], True
    original, ours = (run(suite, folder, drop_in) for drop_in in (False, True))
    passing = [test for test, outcome in original.items() if outcome == "passed"]
    failing = [test for test in passing if ours.get(test) != "passed"]
    lines, good = [], bool(passing)
    for test in failing:
        reason = next((reason for part, reason in suite.allowed.items() if test.endswith(part)), None)
        good &= reason is not None
        lines.append(f"{'FAILS' if reason is None else 'may fail'}: {test}: {reason or ours.get(test)}")
    for part in suite.allowed:
        if any(test.endswith(part) for test in passing) and not any(test.endswith(part) for test in failing):
            lines.append(f"FAILS: {part} passes: remove it from `allowed`")
            good = False
    counts = [len(original), len(passing), len(passing) - len(failing)]
    return [suite.name, *map(str, counts), f"{time.monotonic() - begin:.0f} s"], lines, good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help="parts of names of suites; all without")
    parser.add_argument(
        "--checkout", action="append", default=[], metavar="LIBRARY=FOLDER",
        help="torchmetrics=a checkout of its tag v1.9.0, rouge_score=the folder rouge of google-research",
    )  # fmt: skip
    arguments = parser.parse_args()
    checkouts = {
        name: Path(folder).resolve() for name, _, folder in (text.partition("=") for text in arguments.checkout)
    }
    chosen = [suite for suite in SUITES if not arguments.suites or any(part in suite.name for part in arguments.suites)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    by_library: dict[str, list[Suite]] = {}
    for suite in chosen:
        by_library.setdefault(suite.library, []).append(suite)
    with ThreadPoolExecutor(2) as pool:  # suites of one library share files
        groups = pool.map(lambda suites: [compare(suite, checkouts) for suite in suites], by_library.values())
        results = [result for group in groups for result in group]
    header = ["suite", "tests", "pass with the original", "of these with the drop-in", "time"]
    for row in (header, ["---", *["---:"] * 4], *(row for row, _, _ in results)):
        print(f"| {' | '.join(row)} |")
    print(*(line for _, lines, _ in results for line in lines), sep="\n")
    return 0 if all(good for _, _, good in results) else 1


if __name__ == "__main__":
    sys.exit(main())

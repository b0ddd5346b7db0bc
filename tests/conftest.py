"""Settings of all tests."""

import contextlib
import importlib.util
import logging
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

from refscore.metrics.core import registry as metric_registry
from refscore.normalizers import registry as normalizer_registry
from refscore.tokenizers import registry as tokenizer_registry

# Examples per test, in hundreds. The same ones on every run, so failures are reproducible; at night new ones.
PROFILES = {"quick": 0.1, "ci": 0.4, "nightly": 20}
for name, factor in PROFILES.items():
    settings.register_profile(
        name,
        max_examples=round(100 * factor),
        deadline=None,
        derandomize=name != "nightly",
        suppress_health_check=[HealthCheck.too_slow],
    )


def pytest_addoption(parser):
    parser.addoption("--shuffle", metavar="SEED", help="run the files, and the tests in each, in random order")
    parser.addoption("--part", metavar="K/N", help="run only every N-th file, starting with the K-th")


def pytest_collection_modifyitems(config, items):
    """Choose some of the files. Shuffle files, and tests within a file, so fixtures of modules are still shared."""
    if part := config.getoption("--part"):
        first, step = map(int, part.split("/"))
        chosen = {*sorted({item.path for item in items})[first - 1 :: step]}
        config.hook.pytest_deselected(items=[item for item in items if item.path not in chosen])
        items[:] = [item for item in items if item.path in chosen]
    if seed := config.getoption("--shuffle"):
        generator = random.Random(seed)
        ranks = {path: generator.random() for path in sorted({item.path for item in items})}
        generator.shuffle(items)
        items.sort(key=lambda item: ranks[item.path])


def pytest_configure(config):
    """Load the profile for the quick tests, or the one for other choices of tests, such as all of them (`-m ""`)."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick" if config.option.markexpr == "not slow" else "ci")


def pytest_itemcollected(item):
    """Mark the tests that `-m ""` runs with more examples."""
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        item.add_marker("generated")


# Optional packages, and the extra of refscore that installs each. Tests import them like any other package: without the
# package, the module or the test is skipped.
EXTRAS = {
    "MeCab": "ja", "cer": "test", "crystalbleu": "test", "duckdb": "duckdb", "evaluate": "evaluate",
    "fast_bleu": "test", "furo": "docs", "icu4py": "icu", "ipadic": "ja", "jsonschema": "test", "matplotlib": "plot",
    "mecab_ko": "ko", "narwhals": "pandas", "pandas": "pandas",
    "playwright": "test", "polars": "polars", "pyarrow": "arrow", "pyspark": "spark", "pythainlp": "th", "ray": "ray",
    "sentencepiece": "spm", "sphinx": "docs", "tiktoken": "tiktoken", "tokenizers": "hf", "torch": "torch",
    "torchmetrics": "torch", "vl_convert": "report", "werkzeug": "report", "whisper_normalizer": "originals",
    "zstandard": "zstd",
}  # fmt: skip
SKIPPED = "needs {}: pip install 'refscore[{}]'"
# Programs that refscore works with, which no extra installs.
PROGRAMS = (
    "lighteval",
    "lm_eval",
    "lmms_eval",
    "meeteval",
    "mweralign",
    "omnisteval",
    "pyannote",
    "simuleval",
    "suber",
    "transformers",
)


def is_installed(package):
    """Look for the package; a folder of this name, like tests/tokenizers, is none."""
    found = importlib.util.find_spec(package)
    return found is not None and found.origin is not None


@contextlib.contextmanager
def skips_without_packages():
    """Skip what is run here if it needs an optional package that is not installed."""
    try:
        yield
    except Exception as error:
        cause = error
        while cause is not None:
            package = (getattr(cause, "name", None) or "").partition(".")[0]
            if isinstance(cause, ImportError) and package in (*EXTRAS, *PROGRAMS) and not is_installed(package):
                extra = EXTRAS.get(package)
                reason = SKIPPED.format(package, extra) if extra else f"needs {package}: pip install {package}"
                pytest.skip(reason, allow_module_level=True)
            cause = cause.__cause__ or cause.__context__
        raise


class Module(pytest.Module):
    """A file of tests, skipped if it imports an optional package that is not installed."""

    def collect(self):
        with skips_without_packages():
            return super().collect()


def pytest_pycollect_makemodule(module_path, parent):
    return Module.from_parent(parent, path=module_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    with skips_without_packages():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with skips_without_packages():
        return (yield)


def pytest_terminal_summary(terminalreporter):
    """Name what was skipped: all missing packages in one line, every other reason in a line."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    missing = {package: SKIPPED.format(package, extra) for package, extra in EXTRAS.items()}
    packages = [package for package, reason in missing.items() if reason in reasons]
    if packages:
        count = sum(reasons.pop(missing[package]) for package in packages)
        extras = ",".join(sorted({EXTRAS[package] for package in packages}))
        terminalreporter.write_line(f"{count} skipped: need {', '.join(packages)}: pip install 'refscore[{extras}]'")
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} skipped: {reason}")


# sacrebleu recommends effective_order for every single segment.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)


@pytest.fixture(scope="module")
def browser():
    """Open the system's Chromium. Without one, skip the test."""
    from tests.report.browsers import chromium

    with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def _same_registrations():
    """Remove metrics, tokenizers and normalizers that an example or a test registers."""
    tables = [module._registered for module in (metric_registry, normalizer_registry, tokenizer_registry)]
    before = [dict(table) for table in tables]
    yield
    for table, entries in zip(tables, before, strict=True):
        table.clear()
        table.update(entries)

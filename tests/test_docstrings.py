"""Docstrings describe arguments of the same name in the same words.

Drop-ins are left out, since their arguments are those of the libraries whose interfaces they have.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

LIBRARY = Path(__file__).parents[1] / "src" / "refscore"
MODULES = {
    ".".join(path.relative_to(LIBRARY).with_suffix("").parts).removesuffix(".__init__"): path
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
    "threads": "The number of threads, by default all cores.",
    "progress": "A function called with the name of the current step, the ",
    "seed": "The seed of the random numbers.",
    "resamples": "The number of resamples.",
    "holm": "Correct p-values for the number of systems, by Holm's method.",
    "systems": "The texts of each system, by name. The first system is the baseline.",
    "rows": "One row of statistics per segment, as an array of shape (segments, columns).",
    "tokens": "Read lists of strings as token sequences, not as groups of texts.",
}

# Where the same name means something else: arguments of a module, or of "module:qualified name".
EXCEPTIONS = {
    place: {*names.split()}
    for names, places in {
        # The two numbers that a signature holds, or the references of one segment.
        "references": "evaluation.evaluation:Evaluation.add_rows evaluation.evaluation:Evaluation.from_rows "
        "metrics.core.row_metric:RowMetric.score "
        "metrics.bleu.metric:ngram_precision_score metrics.core.metric:Metric.explain "
        "metrics.core.metric:Metric.segment metrics.error_rate.metric:ErrorRate.alignments mbr rewards.reward",
        # One text for all segments.
        "hypothesis references": "metrics.core.python_metric:PythonMetric.row resegmentation.cutting",
        # Names of columns, pairs, groups or tokens.
        "hypotheses references": "frames.scoring frames.evaluation evaluation.digests "
        "metrics.core.aggregation metrics.core.metric:Metric.pairwise metrics.ter.beam",
        "hypotheses references rows": "readers.parquet",
        "hypothesis": "metrics.core.alignments:WordEdit metrics.ter.metric:TER.operations metrics.eed.metric:EEDStep",
        # Utterances, and a metric of meetings.
        "hypothesis metric": "meetings.scoring meetings.timeline",
        # A class of metrics, or the metrics that an evaluation was created with.
        "systems metrics": "significance.scoring meetings.evaluate readers.records "
        "evaluation.evaluation:Evaluation.choose",
        "metric": "metrics.core.corpus_function alignments.view:alignment_view alignments.frequent_errors:word_errors "
        "alignments.totals:error_totals "
        "conventions.comparison:Conventions conventions.finding:Finding metrics.core.registry:register "
        "significance.mcnemar:mcnemar",
        "metrics": "evaluation.evaluate:load evaluation.evaluation:Evaluation.load "
        "meta.judgments:Judgments.from_scores meta.judgments:Judgments.from_table readers.harness_logs",
        # By language pair.
        "references metrics": "meta.leaderboards",
        # Files of texts.
        "systems references sources units groups scores": "readers.files",
        # Rows of statistics by system, names of systems, rows of a table.
        "systems": "evaluation.evaluation:Evaluation significance.bootstrap significance.randomization "
        "significance.mcnemar cli.segment_files readers.system_scores meta.judgments:Judgments.with_scores",
        "rows": "tables.model",
    }.items()
    for place in places.split()
}


def documented(module: str) -> Iterator[tuple[str, str]]:
    """Yield the qualified name and the docstring of each public function and class."""

    def walk(node: ast.AST, prefix: str) -> Iterator[tuple[str, str]]:
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            name = prefix + child.name
            text = ast.get_docstring(child)
            if text is not None and not child.name.startswith("_"):
                yield name, text
            if isinstance(child, ast.ClassDef):
                yield from walk(child, f"{name}.")

    yield from walk(ast.parse(MODULES[module].read_text(encoding="utf-8")), "")


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


def test_arguments_of_one_name_have_one_description() -> None:
    wrong = {
        f"{module}.{qualified}({name})": entry
        for module in MODULES
        for qualified, text in documented(module)
        for name, entry in arguments(text).items()
        if name in VOCABULARY and not entry.startswith(VOCABULARY[name])
        if name not in EXCEPTIONS.get(module, set()) | EXCEPTIONS.get(f"{module}:{qualified}", set())
    }
    assert wrong == {}

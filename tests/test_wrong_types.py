"""Wrong types of arguments raise an error that says what to pass, in every public function."""

import importlib
import inspect
import re
import types
import warnings

import pytest

import refscore
from refscore import meetings, metrics, overlap

MODULES = """
alignments citation comparison conventions evaluation mbr meetings meta metrics normalizers overlap report
resegmentation significance tokenizers
"""
WRONG = [5, None, [5], {"a": 5}, object(), [None], b"x", {5: "a"}, 1.5, [["a", 5]], ["x", 5], ["x", metrics]]
# Errors of Python that do not say which argument is wrong.
BARE = re.compile(
    r"^$|has no attribute|is not iterable|unsupported operand|not supported between|no len\(\)|not callable"
    r"|cannot unpack|not subscriptable|must be str, not|unhashable"
)


def public_functions():
    yield from ((f"refscore.{name}", getattr(refscore, name)) for name in refscore.__all__)
    for name in MODULES.split():
        module = importlib.import_module(f"refscore.{name}")
        listed = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
        yield from ((f"{module.__name__}.{member}", getattr(module, member)) for member in listed)


FUNCTIONS = {name: value for name, value in public_functions() if isinstance(value, types.FunctionType)}
FUNCTIONS |= {
    kind.__name__: kind for kind in (metrics.GLM, metrics.WordList, refscore.Given, refscore.Evaluation, overlap.Files)
}
FUNCTIONS |= {
    f"{method.__self__.__name__}.{method.__name__}": method
    for method in (refscore.meta.Judgments.from_scores, refscore.meta.Judgments.from_table)
}
del FUNCTIONS["refscore.ngram_precision_score"]  # takes anything that has the methods of a list

# Right values of the parameters of functions that score texts.
TEXTS = ["a b c", "d e"]
RIGHT = {
    "hypotheses": TEXTS,
    "references": TEXTS,
    "sources": TEXTS,
    "generations": TEXTS,
    "systems": {"one": TEXTS, "two": TEXTS},
    "metric": "chrf",
    "metrics": "chrf",
    "text": "a b",
}


def check(function, /, *arguments, **keywords):
    """Call a function, which may succeed or raise a clear error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*arguments, **keywords)
    except (refscore.RefscoreError, TypeError, ValueError) as error:
        if BARE.search(str(error)) and not isinstance(error, refscore.RefscoreError):
            raise


def parameters_of(function):
    """Return the parameters that a function lists, and those that it needs."""
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    listed = [each for each in inspect.signature(function).parameters.values() if each.kind not in variable]
    return listed, [each.name for each in listed if each.default is each.empty]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_all_needed_arguments_are_wrong(name, wrong):
    listed, needed = parameters_of(FUNCTIONS[name])
    positional = [each.name for each in listed if each.name in needed and each.kind is each.POSITIONAL_ONLY]
    keywords = {each: wrong for each in needed if each not in positional}
    check(FUNCTIONS[name], *[wrong] * len(positional), **keywords)


SCORING = [name for name, function in FUNCTIONS.items() if {*parameters_of(function)[1]} <= {*RIGHT}]


@pytest.mark.parametrize("name", SCORING)
def test_one_argument_is_wrong(name):
    listed, needed = parameters_of(FUNCTIONS[name])
    right = {each: RIGHT[each] for each in needed}
    for parameter in listed:
        for wrong in WRONG if parameter.name != "progress" else ():  # Python says that it cannot be called
            check(FUNCTIONS[name], **{**right, parameter.name: wrong})


def test_labels_of_mixed_types():
    for labels in ([1, "a"], [None, 2]):
        check(refscore.evaluate, TEXTS, TEXTS, "chrf", groups={"by": labels})
        check(refscore.compare, {"one": TEXTS, "two": TEXTS}, TEXTS, "chrf", units=labels, by=labels, test="bootstrap")
    check(refscore.scores, TEXTS, TEXTS, ["bleu", 5, None])
    check(refscore.scores, TEXTS, TEXTS, {"a": "bleu", 5: "chrf"})
    check(meetings.score, [5], "x")

"""The comparison of NLTK's drop-in with NLTK, and inputs: the texts of NLTK's documentation, generated corpora."""

import warnings
from fractions import Fraction
from importlib import import_module

from hypothesis import strategies as st

import refscore
from refscore.compat import nltk as ours
from tests import strategies
from tests.reference import close

MODULES = {name: import_module(f"nltk.translate.{name}_score") for name in ("bleu", "chrf", "gleu", "meteor", "nist")}
MODULES["ribes"] = import_module("nltk.translate.ribes_score")
ORIGINALS = {
    name: value
    for module in MODULES.values()
    for name, value in vars(module).items()
    if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
}


def outcome(call, *args, **kwargs):
    """Return the result of a call, or its error, and the number of warnings."""
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        try:
            result = call(*args, **kwargs)
        except Exception as error:
            result = error
    assert all(warning.category is UserWarning for warning in issued)
    return result, len(issued)


def alike(actual, expected):
    """Compare types, and numbers to 1e-12. Errors are of NLTK's kind, and refscore's or of a function of the caller."""
    if isinstance(expected, Exception):
        is_explained = isinstance(actual, refscore.RefscoreError) or str(actual) == str(expected)
        return isinstance(actual, type(expected)) and is_explained
    if isinstance(expected, (list, tuple)):
        return type(actual) is type(expected) and len(actual) == len(expected) and all(map(alike, actual, expected))
    if isinstance(expected, Fraction):
        return (actual.numerator, actual.denominator) == (expected.numerator, expected.denominator)
    return type(actual) is type(expected) and (actual == expected or close(actual, expected))


def check(name, *args, smoothing=None, **kwargs):
    """Call a function of both libraries with the same arguments; smoothing is a number of a method and parameters."""
    outcomes = []
    for functions in (vars(ours), ORIGINALS):
        if smoothing is not None:
            method, parameters = smoothing
            kwargs["smoothing_function"] = getattr(functions["SmoothingFunction"](**parameters), f"method{method}")
        outcomes.append(outcome(functions[name], *args, **kwargs))
    (actual, our_warnings), (expected, their_warnings) = outcomes
    assert alike(actual, expected), (name, args, actual, expected)
    assert our_warnings == their_warnings


def words(text):
    return text.split()


GUIDE = words("It is a guide to action which ensures that the military always obeys the commands of the party")
GUIDE_REFERENCES = [
    words("It is a guide to action that ensures that the military will forever heed Party commands"),
    words(
        "It is the guiding principle which guarantees the military forces always being under the command of the Party"
    ),
    words("It is the practical guide for the army always to heed the directions of the party"),
]
HISTORY = words("he read the book because he was interested in world history")
HISTORY_REFERENCE = words("he was interested in world history because he read the book")
CORPUS = ([GUIDE_REFERENCES, [HISTORY_REFERENCE]], [GUIDE, HISTORY])

_TEXTS = ["a", "a", "b", "", "é", "e\u0301", "👩‍👩‍👧‍👦", "👍🏽", "你好", "。", "\ud800", "\udfff"]
_AWKWARD = st.sampled_from([*_TEXTS, 1, 1.0, -1, -2, None, (1, "a"), b"a"])
corpora = st.one_of(
    strategies.word_corpora,
    strategies.id_corpora,
    strategies.any_corpora,
    strategies.corpora(strategies.token_segment(_AWKWARD, max_size=9)),
)

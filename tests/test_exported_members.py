"""The public interface: `__all__` is complete, and every name in it is documented with an example."""

import importlib
import inspect
import types

import pytest

import refscore
from refscore.metrics import METRICS, Metric, Score

PARTS = "comparison conventions engines evaluation frames metrics readers report rewards significance steps tokenizers"
DROP_INS = "editdistance evaluate jiwer nltk nltk.metrics nltk.translate rouge rouge_chinese rouge_score sacrebleu"
PACKAGES = ["refscore", "refscore.compat"]
PACKAGES += [f"refscore.{name}" for name in PARTS.split()] + [f"refscore.compat.{name}" for name in DROP_INS.split()]
OTHERS = [  # modules, not packages
    "refscore.compat.sacrebleu_r",
    "refscore.frames.polars",
    "refscore.mbr",
]


def public(name):
    module = importlib.import_module(name)
    return [(name, member) for member in module.__all__ if not member.startswith("__")]


def own_functions(name):
    module = importlib.import_module(name)
    return [
        (name, member)
        for member, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == name and not member.startswith("_")
    ]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("rougeL", r"refscore\.scores\(hypotheses, references, \['rougeL'\]\)"),
        ("em", r"refscore\.scores\(.*\['em'\]\)"),
        ("explain", r"refscore\.BLEU\(\)\.explain\(\.\.\.\)"),
        ("sentence_bleu", r"refscore\.compat\.sacrebleu\.sentence_bleu"),
        ("nothing", "'nothing'"),
        ("_nothing", "'_nothing'"),
    ],
)
def test_names_that_do_not_exist(name, hint):
    with pytest.raises(AttributeError, match=f"{hint}$"):
        getattr(refscore, name)


@pytest.mark.parametrize("name", PACKAGES)
def test_all_is_what_is_there(name):
    module = importlib.import_module(name)
    there = {
        member
        for member in dir(module)
        if not member.startswith("_")
        and not (isinstance(getattr(module, member), types.ModuleType) or member in ("Any", "TYPE_CHECKING"))
    }
    assert there | {member for member in module.__all__ if member.startswith("__")} == set(module.__all__)
    assert len(set(module.__all__)) == len(module.__all__)


def test_the_names_that_the_design_promises():
    functions = "compare evaluate from_signature from_streams load ngram_precision_score scores segment_scores tokenize"
    errors = "InputError RefscoreError SettingError"
    promised = {*functions.split(), *errors.split(), "Evaluation", "Given"}
    special = {"accuracy", "edit_similarity", "gec_gleu", "m2", "suber", "uwer"}
    for name, metric in METRICS.items():
        if metric.__module__.startswith("refscore.") and metric.needs_references:
            names = {metric.__name__, name}
            assert all(hasattr(refscore, each) for each in names)
            promised |= names if name not in special else set()
    assert promised == set(refscore.__all__)
    assert len(refscore.__all__) <= 50


MEMBERS = [item for name in [*PACKAGES, "refscore.settings"] for item in public(name)]
MEMBERS += [item for name in OTHERS for item in own_functions(name)]


def test_docstrings_with_an_example():
    without = []
    for name, member in MEMBERS:
        value = getattr(importlib.import_module(name), member)
        # Others are tables, type aliases, or functions that a drop-in takes from the original library.
        documented = isinstance(value, (type, types.FunctionType)) and value.__module__.startswith("refscore")
        if documented and ">>>" not in (value.__doc__ or ""):
            without.append(f"{name}.{member}")
    assert without == []


def test_methods_have_docstrings():
    classes = [value for name in refscore.metrics.__all__ if isinstance(value := getattr(refscore.metrics, name), type)]
    without = [
        f"{kind.__name__}.{name}"
        for kind in classes
        if issubclass(kind, (Metric, Score))
        for name, value in inspect.getmembers(kind)
        if not name.startswith("_") and (inspect.isroutine(value) or isinstance(value, property))
        if not inspect.getdoc(value)
    ]
    assert without == []


def test_names_that_are_not_there():
    for name in ("corpus_bleu", "sentence_chrf", "corpus_ter"):
        own = name.partition("_")[2]
        with pytest.raises(AttributeError, match=rf"refscore\.{own}.* refscore\.compat\.sacrebleu\.{name}"):
            getattr(refscore, name)
        assert hasattr(refscore, own) and hasattr(refscore.compat.sacrebleu, name)
    with pytest.raises(AttributeError, match="'blue'") as caught:
        refscore.blue  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("blue", refscore)

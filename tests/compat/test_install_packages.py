"""Whole libraries replaced by name: what importing code finds before, during and after."""

import importlib
import pickle
import sys

import pytest

import refscore
from refscore import compat
from refscore.compat import overrides

MODULES = {
    "jiwer": ["alignment", "cli", "measures", "process", "transformations", "transforms"],
    "rouge_score": ["io", "rouge", "rouge_scorer", "scoring", "tokenize", "tokenizers"],
}
LIBRARIES = pytest.mark.parametrize("library", MODULES)


def loaded(library):
    return {name: module for name, module in sys.modules.items() if name.split(".")[0] == library}


@pytest.fixture(autouse=True)
def _undone():
    before = {library: loaded(library) for library in MODULES}
    yield
    for library, modules in before.items():
        compat.uninstall(library)
        now = loaded(library)
        assert all(now[name] is module for name, module in modules.items())


@LIBRARIES
def test_imports_find_the_drop_in(library):
    compat.install(library)
    drop_in = importlib.import_module(f"refscore.compat.{library}")
    assert importlib.import_module(library) is drop_in
    for module in MODULES[library]:
        found = importlib.import_module(f"{library}.{module}")
        assert found is importlib.import_module(f"refscore.compat.{library}.{module}")
        assert found is getattr(drop_in, module)
    compat.uninstall(library)
    for module in MODULES[library]:
        if module != "rouge":  # it defines flags for the whole process
            assert importlib.import_module(f"{library}.{module}").__name__ == f"{library}.{module}"


def test_modules_imported_before_run_on_refscore_too():
    import jiwer
    from jiwer import measures
    from rouge_score import rouge_scorer, scoring

    wer, scorer = jiwer.wer, rouge_scorer.RougeScorer
    compat.install("jiwer")
    compat.install("rouge_score")
    assert jiwer.wer is measures.wer is refscore.compat.jiwer.wer
    assert jiwer.wer is not wer
    assert rouge_scorer.RougeScorer is refscore.compat.rouge_score.rouge_scorer.RougeScorer
    assert rouge_scorer.scoring is scoring
    assert scoring.Score is refscore.compat.rouge_score.scoring.Score
    compat.uninstall("jiwer")
    compat.uninstall("rouge_score")
    assert jiwer.wer is measures.wer is wer
    assert rouge_scorer.RougeScorer is scorer
    assert refscore.compat.jiwer.wer is not wer


@LIBRARIES
def test_installing_twice_and_taking_back_twice(library):
    before = importlib.import_module(library)
    compat.uninstall(library)
    compat.install(library)
    compat.install(library)
    assert importlib.import_module(library) is not before
    compat.uninstall(library)
    compat.uninstall(library)
    assert importlib.import_module(library) is before


@pytest.mark.parametrize("library", [*MODULES, "sacrebleu"])
def test_there_is_one_version(library):
    compat.install(library, version=overrides.LIBRARIES[library].version)
    compat.uninstall(library)
    with pytest.raises(refscore.SettingError, match="reproduces only"):
        compat.install(library, version="9.9")


def test_installed_classes_can_be_pickled():
    compat.install("jiwer")
    import jiwer

    output = jiwer.process_words("a b", "a c")
    text = pickle.dumps(output)
    compat.uninstall("jiwer")
    assert pickle.loads(text) == output

"""refscore instead of NLTK: what is replaced, for which code, and how it is reverted."""

import importlib
import importlib.util
import inspect
import pickle
import pkgutil
import sys
import types

import nltk
import nltk.translate
import pytest
from nltk.translate import bleu_score, chrf_score, gleu_score, meteor_score, nist_score, ribes_score

import refscore
from refscore import compat
from refscore.compat import nltk as ours
from refscore.compat import overrides
from tests.compat.nltk_inputs import words
from tests.compat.programs import run

NAMES = {
    bleu_score: "Fraction SmoothingFunction brevity_penalty closest_ref_length corpus_bleu modified_precision "
    "sentence_bleu",
    chrf_score: "chrf_precision_recall_fscore_support corpus_chrf sentence_chrf",
    gleu_score: "corpus_gleu sentence_gleu",
    meteor_score: "align_words exact_match meteor_score single_meteor_score stem_match wordnetsyn_match",
    nist_score: "corpus_nist nist_length_penalty sentence_nist",
    ribes_score: "corpus_ribes find_increasing_sequences kendall_tau position_of_ngram sentence_ribes spearman_rho "
    "word_rank_alignment",
}
NAMES = {module: names.split() for module, names in NAMES.items()}
SHORT = {
    "bleu": bleu_score.sentence_bleu,
    "chrf": chrf_score.sentence_chrf,
    "gleu": gleu_score.sentence_gleu,
    "meteor": meteor_score.meteor_score,
    "nist": nist_score.sentence_nist,
    "ribes": ribes_score.sentence_ribes,
}
FUNCTIONS = [(module, name) for module, names in NAMES.items() for name in names]
ORIGINALS = {(module.__name__, name): getattr(module, name) for module, name in FUNCTIONS}


def everything():
    """Return everything in NLTK's loaded modules."""
    return {
        (module_name, name): value
        for module_name, module in list(sys.modules.items())
        if module_name.split(".")[0] == "nltk" and isinstance(module, types.ModuleType)
        for name, value in vars(module).items()
    }


@pytest.fixture(autouse=True)
def _undone():
    before = everything()
    yield
    compat.uninstall("nltk")
    after = everything()
    assert all(after[place] is value for place, value in before.items())


def test_every_name_of_the_drop_in_is_installed():
    assert sorted([*SHORT, *(name for _, name in FUNCTIONS)]) == sorted(ours.__all__)
    compat.install("nltk")
    for module, name in FUNCTIONS:
        installed = getattr(module, name)
        assert installed is not ORIGINALS[module.__name__, name]
        same = getattr(ours.translate, module.__name__.split(".")[-1])
        assert NAMES[module] == same.__all__
        assert installed is getattr(same, name)
        assert importlib.import_module(module.__name__) is module
    assert nltk.translate.bleu is nltk.bleu is ours.sentence_bleu
    assert nltk.translate.ribes is nltk.ribes is ribes_score.sentence_ribes


def test_other_names_stay():
    before = everything()
    compat.install("nltk")
    changed = {place for place, value in everything().items() if before.get(place) is not value}
    aliases = {(module, name) for module in ("nltk", "nltk.translate") for name in SHORT}
    assert changed == aliases | set(ORIGINALS)


def test_names_and_signatures_are_nltks():
    theirs = {part: inspect.signature(getattr(*part)) for part in FUNCTIONS if part[1] != "Fraction"}  # Python's class
    compat.install("nltk", version="3.9.1")
    for (module, name), expected in theirs.items():
        installed = getattr(module, name)
        assert installed.__name__ == name
        assert installed.__doc__ == getattr(ours, name).__doc__
        parameters = {n: p for n, p in inspect.signature(installed).parameters.items() if n != "version"}  # only RIBES
        assert [(p.name, p.kind) for p in parameters.values()] == [
            (p.name, p.kind) for p in expected.parameters.values()
        ]
        for parameter in expected.parameters.values():
            if parameter.name not in ("stemmer", "wordnet"):  # objects of NLTK, or equivalent objects of refscore
                assert parameters[parameter.name].default == parameter.default, name


def test_methods_of_smoothing_have_nltks_signatures():
    for number in range(8):
        signatures = [
            [(p.name, p.default, p.kind) for p in inspect.signature(method).parameters.values()]
            for method in (getattr(library.SmoothingFunction, f"method{number}") for library in (ours, bleu_score))
        ]
        assert signatures[0] == signatures[1]


@pytest.mark.parametrize(("version", "tau"), [("3.9.1", 0.0), ("3.10.4", 0.5), (None, 0.5)])
def test_the_version_is_bound(version, tau):
    compat.install("nltk", version=version)
    assert ribes_score.kendall_tau([2, 1, 0, 3]) == tau
    assert ribes_score.kendall_tau(worder=[2, 1, 0, 3], normalize=True) == tau
    references, hypothesis = [words("John hit Bob yesterday")], words("Bob hit John yesterday")
    assert ribes_score.sentence_ribes(references, hypothesis) == nltk.ribes(references, hypothesis) == tau
    assert ribes_score.corpus_ribes([references], [hypothesis], alpha=0.25, beta=0.1) == tau
    compat.uninstall("nltk")
    assert ours.kendall_tau([2, 1, 0, 3]) == 0.5  # as in the installed NLTK


def test_code_written_for_nltk_runs_on_refscore():
    compat.install("nltk")
    long = list(range(5000))
    assert ribes_score.sentence_ribes([long], long) == 1.0  # NLTK itself rejects more than 2000 tokens
    method = bleu_score.SmoothingFunction().method3
    assert bleu_score.sentence_bleu([list("abcd")], list("abxd"), smoothing_function=method) > 0
    with pytest.raises(refscore.InputError, match="is a string"):
        nltk.translate.bleu(["a cat"], "a cat")


def test_installing_twice():
    compat.install("nltk", version="3.9.1")
    compat.install("nltk", version="3.10.4")
    assert ribes_score.kendall_tau([2, 1, 0, 3]) == 0.5
    compat.install("nltk", version="3.9.1")
    assert ribes_score.kendall_tau([2, 1, 0, 3]) == 0
    compat.uninstall("nltk")
    for module, name in FUNCTIONS:
        assert getattr(module, name) is ORIGINALS[module.__name__, name]


def test_uninstalling_without_install():
    compat.uninstall("nltk")
    compat.install("nltk")
    compat.uninstall("nltk")
    compat.uninstall("nltk")
    assert nltk.bleu is ORIGINALS["nltk.translate.bleu_score", "sentence_bleu"]


def test_a_version_that_cannot_be_read_changes_nothing():
    compat.install("nltk", version="3.9.1")
    with pytest.raises(refscore.SettingError, match="version must be"):
        compat.install("nltk", version="newest")
    assert ribes_score.kendall_tau([2, 1, 0, 3]) == 0


def test_modules_loaded_in_between_are_restored_too(monkeypatch):
    compat.install("nltk")
    late = types.ModuleType("nltk.late")
    late.score = bleu_score.corpus_bleu
    late.ribes = ribes_score.sentence_ribes
    monkeypatch.setitem(sys.modules, "nltk.late", late)
    compat.uninstall("nltk")
    assert late.score is ORIGINALS["nltk.translate.bleu_score", "corpus_bleu"]
    assert late.ribes is ORIGINALS["nltk.translate.ribes_score", "sentence_ribes"]


def test_only_modules_of_the_library_are_changed(monkeypatch):
    other = types.ModuleType("nltkish")
    other.score = bleu_score.corpus_bleu
    monkeypatch.setitem(sys.modules, "nltkish", other)
    monkeypatch.setitem(sys.modules, "nltk.blocked", None)
    compat.install("nltk")
    assert other.score is ORIGINALS["nltk.translate.bleu_score", "corpus_bleu"]


def test_installed_functions_can_be_pickled():
    compat.install("nltk", version="3.9.1")
    for module, name in FUNCTIONS:
        assert pickle.loads(pickle.dumps(getattr(module, name))) is getattr(module, name)


@pytest.mark.parametrize("name", ["NLTK", "sacrebleu_r", "", None, ["nltk"]])
def test_unknown_libraries(name):
    known = ", ".join(sorted(overrides.LIBRARIES))
    for call in (compat.install, compat.uninstall):
        with pytest.raises(refscore.UnknownNameError, match=rf"unknown library .*\(there are: {known}\)"):
            call(name)


def test_the_table_names_modules_that_exist():
    for library, entry in overrides.LIBRARIES.items():
        for theirs, module in entry.overrides.items() if importlib.util.find_spec(library) else ():
            assert importlib.import_module(theirs)
            assert importlib.import_module(f"refscore.compat.{module}")


class Refusing:
    """A finder that does not find nltk."""

    def __init__(self, missing):
        self.missing = missing

    def find_spec(self, name, path=None, target=None):
        if name == "nltk":
            raise ModuleNotFoundError(f"No module named {self.missing!r}", name=self.missing)


@pytest.fixture
def unloaded(monkeypatch):
    """Unload NLTK, and let the test choose the missing module."""
    for name in list(sys.modules):
        if name.split(".")[0] == "nltk":
            monkeypatch.delitem(sys.modules, name)
    yield lambda missing: monkeypatch.setattr(sys, "meta_path", [Refusing(missing), *sys.meta_path])
    monkeypatch.undo()


@pytest.mark.parametrize("blocked", [False, True])
def test_nltk_is_missing(blocked, unloaded, monkeypatch):
    unloaded("nltk")
    if blocked:
        monkeypatch.setitem(sys.modules, "nltk", None)
    for version, tau in (("3.9.1", 0.0), ("3.10.4", 0.5)):
        compat.install("nltk", version=version)
        assert importlib.import_module("nltk.translate.ribes_score").kendall_tau([2, 1, 0, 3]) == tau
    package = importlib.import_module("nltk")
    for module, names in NAMES.items():
        stand_in = importlib.import_module(module.__name__)
        assert getattr(package.translate, module.__name__.split(".")[-1]) is stand_in
        assert set(names) <= set(vars(stand_in))
        assert importlib.util.find_spec(module.__name__) is stand_in.__spec__
    assert package.translate.bleu is package.bleu is ours.sentence_bleu
    with pytest.raises(ModuleNotFoundError, match=r"nltk\.corpus"):
        importlib.import_module("nltk.corpus")
    with pytest.raises(AttributeError, match="word_tokenize"):
        package.word_tokenize("a")
    ribes = importlib.import_module("nltk.translate.ribes_score")
    assert pickle.loads(pickle.dumps(ribes.sentence_ribes)) is ribes.sentence_ribes
    compat.uninstall("nltk")
    assert sys.modules.get("nltk") is None
    assert not [name for name in sys.modules if name.startswith("nltk.")]


def test_what_nltk_misses_is_not_taken_for_nltk(unloaded):
    unloaded("regex")
    with pytest.raises(ModuleNotFoundError, match="No module named 'regex'"):
        compat.install("nltk")


def test_nltk_without_such_a_module(monkeypatch):
    monkeypatch.setitem(overrides.LIBRARIES, "nltk", overrides.Library("3", None, {"nltk.translate.none": "nltk"}))
    with pytest.raises(refscore.SettingError, match=r"has no module nltk\.translate\.none"):
        compat.install("nltk", version="3.9.1")
    assert ours.kendall_tau([2, 1, 0, 3]) == 0.5  # not that of 3.9.1


def test_the_libraries_are_not_imported():
    code = """
        import sys, refscore
        from refscore.compat import evaluate, jiwer, nltk, sacrebleu
        from refscore.compat.rouge_score import rouge_scorer, scoring
        nltk.sentence_ribes([["a", "b"]], ["a", "b"])
        nltk.sentence_bleu([list("abcd")], list("abcd"))
        nltk.sentence_gleu([list("abcd")], list("abcd"))
        nltk.sentence_chrf("abcdef", "abcdef")
        nltk.sentence_nist([list("abcde")], list("abcde"))
        nltk.exact_match(["a"], ["a"])
        refscore.compat.uninstall("nltk")
        sacrebleu.corpus_bleu(["a b"], [["a b"]])
        evaluate.load("bleu")
        jiwer.process_words("a b", "a").alignments
        aggregator = scoring.BootstrapAggregator()
        aggregator.add_scores(rouge_scorer.RougeScorer(["rougeL", "rougeLsum"], use_stemmer=True).score("a b", "a"))
        aggregator.aggregate()
        libraries = {"nltk", "sacrebleu", "jiwer", "rapidfuzz", "rouge_score", "absl", "click"}
        libraries |= {"torch", "torchmetrics", "evaluate", "datasets"}
        print(libraries & set(sys.modules))
    """
    assert run(code) == "set()"


@pytest.mark.parametrize("missing", ["torch", "torchmetrics"])
def test_a_missing_package_names_the_extra(missing, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("refscore.compat.torchmetrics")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(compat), "torchmetrics", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    for action in (lambda: compat.torchmetrics, lambda: compat.install("torchmetrics")):
        with pytest.raises(refscore.NotInstalledError, match=r"pip install 'refscore\[torch\]'"):
            action()


def test_every_drop_in_is_listed():
    packages = {found.name for found in pkgutil.iter_modules(compat.__path__) if found.ispkg}
    assert packages == set(overrides.LIBRARIES)
    assert packages | {"sacrebleu_r"} == set(compat._MODULES)


def test_every_module_that_sacrebleu_has_too_is_replaced():
    def names(package):
        module = importlib.import_module(package)
        found = pkgutil.walk_packages(module.__path__, f"{package}.")
        return {module.name.removeprefix(f"{package}.") for module in found if not module.ispkg}

    shared = names("sacrebleu") & names("refscore.compat.sacrebleu")
    replaced = {name.removeprefix("sacrebleu.") for name in overrides.LIBRARIES["sacrebleu"].overrides}
    assert shared - {"__main__", "dataset", "sacrebleu", "utils", "version"} == replaced - {"metrics"}

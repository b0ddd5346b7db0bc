"""refscore instead of the libraries: what is replaced, for which code, and how it is reverted."""

import contextlib
import importlib
import importlib.util
import inspect
import pickle
import pkgutil
import sys
import types

import jiwer
import nltk.translate
import pytest
from nltk.translate import bleu_score, ribes_score

import refscore
from refscore import compat
from refscore.compat import nltk as ours, overrides
from tests.compat.alike import installed, public_names
from tests.compat.nltk_inputs import MODULES, ORIGINALS, words
from tests.compat.programs import EXAMPLES, check_script, run

SHORT = list(MODULES)  # nltk.bleu is sentence_bleu
# Packages that refscore replaces, and does not need.
MISSING = {
    "jiwer": ["jiwer", "rapidfuzz"],
    "nltk": ["nltk"],
    "rouge_score": ["rouge_score", "nltk", "absl"],
    "sacrebleu": ["sacrebleu"],
}
LIBRARIES = [*MISSING, "torchmetrics"]


def loaded(library):
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.split(".")[0] == library and isinstance(module, types.ModuleType)
    }


def everything(library):
    """Return everything in a library's loaded modules."""
    return {(place, name): value for place, module in loaded(library).items() for name, value in vars(module).items()}


@pytest.fixture(autouse=True)
def _undone():
    before = {library: (loaded(library), everything(library)) for library in LIBRARIES}
    yield
    for library, (modules, values) in before.items():
        compat.uninstall(library)
        now, values_now = loaded(library), everything(library)
        assert all(now[name] is module for name, module in modules.items())
        assert all(values_now[place] is value for place, value in values.items())


def names_of(library):
    """Return the places of names that a drop-in replaces."""
    if library == "nltk":
        aliases = {(module, name) for module in ("nltk", "nltk.translate") for name in SHORT}
        aliases |= {(module, "edit_distance") for module in ("nltk", "nltk.metrics", "nltk.metrics.distance")}
        return aliases | {(value.__module__, name) for name, value in ORIGINALS.items()}
    modules = list(map(importlib.import_module, overrides.load(library)))
    if library == "sacrebleu":
        modules = [module for module in modules if module.__name__ != "sacrebleu.metrics.lib_ter"]  # only one function
        names = {(module.__name__, name) for module in modules for name in public_names(module)}
        return names | {("sacrebleu", name) for name in ("BLEU", "CHRF", "TER", "corpus_bleu", "sentence_ter")}
    if library in ("jiwer", "rouge_score"):
        drop_ins = [importlib.import_module(f"refscore.compat.{module.__name__}") for module in modules]
        return {
            (module.__name__, name)
            for module, drop_in in zip(modules, drop_ins, strict=True)
            for name in drop_in.__all__
            if callable(getattr(module, name))
        }
    names = [*compat.torchmetrics.text.__all__, *compat.torchmetrics.functional.__all__]
    return {
        (module.__name__, name)
        for module in modules
        for name in names
        if hasattr(module, name) and not inspect.ismodule(getattr(module, name))
    }


@pytest.mark.filterwarnings("ignore")  # from torchmetrics
@pytest.mark.parametrize("library", LIBRARIES)
def test_every_name_is_replaced_and_restored(library):
    for module in overrides.load(library):
        importlib.import_module(module)
    expected, before = names_of(library), everything(library)
    chains = {place for place in expected if isinstance(before[place], jiwer.Compose)}  # pickled by value
    compat.uninstall(library)
    for _ in range(2):
        compat.install(library)
        compat.install(library)
        changed = {place: value for place, value in everything(library).items() if before[place] is not value}
        assert expected - set(changed) == set()
        assert library != "nltk" or set(changed) == expected
        for place, value in changed.items():
            assert not callable(value) or value.__module__.startswith("refscore.compat.")
            assert not inspect.isfunction(value) or value.__name__ == before[place].__name__.lstrip("_")
        for place in expected - chains:
            assert pickle.loads(pickle.dumps(changed[place])) is changed[place]
        compat.uninstall(library)
        compat.uninstall(library)
        after = everything(library)
        assert all(after[place] is value for place, value in before.items())


@pytest.mark.filterwarnings("ignore")  # from torchmetrics
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_script_prints_the_same(library, capsys):
    importlib.import_module(library)
    output = check_script(library, capsys)
    code = f"""
        import runpy, sys
        class Refusing:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in {MISSING.get(library)}:
                    raise ModuleNotFoundError(name, name=name)
        sys.meta_path.insert(0, Refusing())
        from refscore import compat
        compat.install("{library}")
        runpy.run_path({str(EXAMPLES / f"{library}_script.py")!r})
        compat.uninstall("{library}")
        try:
            import {library}
        except ModuleNotFoundError:
            print("gone")
    """
    if library in MISSING:
        assert run(code).splitlines() == [*output.splitlines(), "gone"]


@pytest.mark.parametrize("library", [library for library in overrides.LIBRARIES if library != "nltk"])
def test_there_is_one_version(library):
    if library in MISSING:
        compat.install(library, version=overrides.LIBRARIES[library].version)
        compat.uninstall(library)
    with pytest.raises(refscore.SettingError, match=r"9\.9"):
        compat.install(library, version="9.9")


def test_installed_objects_can_be_pickled():
    compat.install("jiwer")
    import jiwer

    output = jiwer.process_words("a b", "a c")
    text = pickle.dumps(output)
    compat.uninstall("jiwer")
    assert pickle.loads(text) == output


def test_names_and_signatures_are_nltks():
    compat.install("nltk", version="3.9.1")
    assert sorted([*SHORT, *ORIGINALS, "edit_distance"]) == sorted(ours.__all__)
    for name, original in ORIGINALS.items():
        installed = getattr(sys.modules[original.__module__], name)
        assert installed.__doc__ == getattr(ours, name).__doc__
        if name == "Fraction":  # Python's class
            continue
        parameters = {n: p for n, p in inspect.signature(installed).parameters.items() if n != "version"}  # only RIBES
        expected = inspect.signature(original).parameters
        assert [(p.name, p.kind) for p in parameters.values()] == [(p.name, p.kind) for p in expected.values()]
        for parameter in expected.values():
            if parameter.name not in ("stemmer", "wordnet"):  # objects of NLTK, or equivalent objects of refscore
                assert parameters[parameter.name].default == parameter.default, name
    for number in range(8):
        methods = [getattr(library.SmoothingFunction, f"method{number}") for library in (ours, bleu_score)]
        signatures = [
            [(p.name, p.default, p.kind) for p in inspect.signature(method).parameters.values()] for method in methods
        ]
        assert signatures[0] == signatures[1]


def test_the_version_is_bound():
    references, hypothesis = [words("John hit Bob yesterday")], words("Bob hit John yesterday")
    for version, tau in [("3.9.1", 0.0), ("3.10.4", 0.5), ("3.9.1", 0.0), (None, 0.5)]:
        compat.install("nltk", version=version)
        assert ribes_score.kendall_tau([2, 1, 0, 3]) == tau
        assert ribes_score.kendall_tau(worder=[2, 1, 0, 3], normalize=True) == tau
        assert ribes_score.sentence_ribes(references, hypothesis) == nltk.ribes(references, hypothesis) == tau
        assert ribes_score.corpus_ribes([references], [hypothesis], alpha=0.25, beta=0.1) == tau
        with pytest.raises(refscore.SettingError):
            compat.install("nltk", version="newest")
        assert ribes_score.kendall_tau([2, 1, 0, 3]) == tau
    compat.install("nltk", version="3.9.1")
    compat.uninstall("nltk")
    assert ours.kendall_tau([2, 1, 0, 3]) == 0.5  # as in the installed NLTK


def test_modules_of_the_library_loaded_in_between_are_restored_too(monkeypatch):
    other = types.ModuleType("nltkish")
    other.score = bleu_score.corpus_bleu
    monkeypatch.setitem(sys.modules, "nltkish", other)
    monkeypatch.setitem(sys.modules, "nltk.blocked", None)
    compat.install("nltk")
    assert other.score is ORIGINALS["corpus_bleu"]
    late = types.ModuleType("nltk.late")
    late.score, late.ribes = bleu_score.corpus_bleu, ribes_score.sentence_ribes
    monkeypatch.setitem(sys.modules, "nltk.late", late)
    compat.uninstall("nltk")
    assert late.score is ORIGINALS["corpus_bleu"]
    assert late.ribes is ORIGINALS["sentence_ribes"]


@pytest.mark.parametrize("name", ["NLTK", "sacrebleu_r", "", None, ["nltk"]])
def test_unknown_libraries(name):
    for call in (compat.install, compat.uninstall):
        with pytest.raises(refscore.errors.UnknownNameError, match=", ".join(sorted(overrides.LIBRARIES))):
            call(name)


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
    for name in loaded("nltk"):
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
    for name, original in ORIGINALS.items():
        stand_in = importlib.import_module(original.__module__)
        assert getattr(package.translate, original.__module__.split(".")[-1]) is stand_in
        assert name in vars(stand_in)
        assert importlib.util.find_spec(original.__module__) is stand_in.__spec__
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
    with pytest.raises(ModuleNotFoundError, match="regex"):
        compat.install("nltk")


def test_nltk_without_such_a_module(monkeypatch):
    library = overrides.Library("3", None, {"nltk.translate.none": "nltk"}, options={"version": "nltk.versions"})
    monkeypatch.setitem(overrides.LIBRARIES, "nltk", library)
    with pytest.raises(refscore.SettingError, match=r"nltk\.translate\.none"):
        compat.install("nltk", version="3.9.1")
    assert ours.kendall_tau([2, 1, 0, 3]) == 0.5  # not that of 3.9.1


def test_the_libraries_are_not_imported():
    code = """
        import sys, refscore
        from refscore.compat import evaluate, jiwer, nltk, sacrebleu
        from refscore.compat.rouge_score import rouge_scorer, scoring
        for call in (nltk.sentence_ribes, nltk.sentence_bleu, nltk.sentence_gleu, nltk.sentence_nist):
            call([list("abcde")], list("abcde"))
        nltk.sentence_chrf("abcdef", "abcdef")
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
        with pytest.raises(refscore.errors.NotInstalledError, match=r"pip install 'refscore\[torch\]'"):
            action()


def test_every_drop_in_is_listed():
    packages = {found.name for found in pkgutil.iter_modules(compat.__path__) if found.ispkg}
    assert packages | {"lighteval", "lm_eval", "lmms_eval"} == set(overrides.LIBRARIES)


def test_every_module_that_a_library_has_too_is_replaced():
    def names(package):
        module = importlib.import_module(package)
        found = {found.name for found in pkgutil.walk_packages(module.__path__, f"{package}.")}
        return {package.removeprefix("refscore.compat."), *(name.removeprefix("refscore.compat.") for name in found)}

    for library in ("jiwer", "nltk", "rouge_score", "sacrebleu"):
        shared = {name for name in names(f"refscore.compat.{library}") if importlib.util.find_spec(name)}
        stay = {f"{library}.{name}" for name in ("__main__", *overrides.LIBRARIES[library].stay)}
        assert set(overrides.load(library)) == shared - stay


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_torchmetrics_installed_and_imported_itself():
    """refscore's module imports torchmetrics, which has refscore's classes afterwards."""
    import torchmetrics  # noqa: F401

    code = """
        from refscore import compat
        compat.install("torchmetrics")
        from refscore.compat.torchmetrics import BLEUScore
        import torchmetrics
        print(torchmetrics.BLEUScore is BLEUScore)
    """
    assert run(code) == "True"


def is_submodule(package, name):
    return hasattr(package, "__path__") and importlib.util.find_spec(f"{package.__name__}.{name}") is not None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "module",
    [
        *("evaluate", "jiwer.process", "nltk", "nltk.translate.bleu_score", "rouge_score.rouge_scorer"),
        *(
            "sacrebleu.metrics.lib_ter",
            "sacrebleu.significance",
            "sacrebleu.utils",
            "torchmetrics",
            "torchmetrics.text",
        ),
    ],
)
@pytest.mark.parametrize("is_installed", [False, True])
def test_names_that_a_drop_in_lacks_are_the_originals(module, is_installed):
    original, drop_in = importlib.import_module(module), importlib.import_module(f"refscore.compat.{module}")
    lacking = [name for name in vars(original) if not name.startswith("__") and name not in vars(drop_in)]
    assert lacking
    with installed(module.partition(".")[0]) if is_installed else contextlib.nullcontext():
        for name in lacking:
            if not is_submodule(drop_in, name):
                assert getattr(drop_in, name) is getattr(original, name)
    with pytest.raises(AttributeError):
        drop_in.absent  # noqa: B018

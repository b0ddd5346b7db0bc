"""What `install` checks, reports and leaves unchanged: versions, modules with originals, signal handlers, threads."""

import fractions
import functools
import importlib.util
import re
import signal
import sys
import types
from pathlib import Path

import jiwer
import nltk.translate.bleu_score
import pytest

import refscore
from refscore import compat
from refscore.compat import overrides
from refscore.compat.nltk import versions
from tests.compat.programs import run

LIBRARIES = ["evaluate", "jiwer", "nltk", "rouge_score", "sacrebleu"]


@pytest.fixture(autouse=True)
def _undone():
    yield
    compat.uninstall(*LIBRARIES)


@pytest.fixture
def other_version(tmp_path, monkeypatch):
    """Pretend that a different version of a library is installed."""

    def installed(library, version):
        folder = tmp_path / f"{library}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {library}\nVersion: {version}\n", "utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))

    versions._installed_version.cache_clear()
    yield installed
    versions._installed_version.cache_clear()


TOO_OLD = {
    "torchmetrics": "1.0.0 1.3.2",
    "jiwer": "3.1.0",
    "sacrebleu": "2.0.0 1.5.1",
    "rouge_score": "0.0.4",
    "nltk": "3.5",
}
NOT_FOLLOWED = {"sacrebleu": "2.5.1 3.0.0rc1", "jiwer": "4.1", "evaluate": "0.5", "nltk": "3.10.5 4"}
FOLLOWED = {"sacrebleu": "2.6.1", "jiwer": "4.0.3 4", "nltk": "3.8.1 3.10.4.post1"}


def each(versions):
    return [(library, version) for library, several in versions.items() for version in several.split()]


@pytest.mark.parametrize(("library", "version"), each(TOO_OLD))
def test_versions_that_lack_names(library, version, other_version):
    other_version(library, version)
    before = jiwer.wer, nltk.translate.bleu_score.corpus_bleu
    with pytest.raises(refscore.SettingError, match=rf"needs .* or newer, but {version} is installed: pip install"):
        compat.install("nltk" if library == "jiwer" else "jiwer", library)
    assert (jiwer.wer, nltk.translate.bleu_score.corpus_bleu) == before  # nothing is installed


@pytest.mark.parametrize(("library", "version"), each(NOT_FOLLOWED))
def test_versions_that_are_not_followed(library, version, other_version):
    other_version(library, version)
    with pytest.warns(compat.DropInWarning, match=f"{library} .*{version}"):
        compat.install(library)


@pytest.mark.parametrize("version", ["3.11", "3.10.5.dev1", "4"])
def test_versions_of_nltk_that_are_not_known(version):
    with pytest.warns(compat.DropInWarning, match=version):
        compat.install("nltk", version=version)


@pytest.mark.filterwarnings("always::refscore.compat.overrides.DropInWarning")
@pytest.mark.parametrize(("library", "version"), [*each(FOLLOWED), ("nltk", "3.11")])
def test_versions_that_are_followed(library, version, other_version, recwarn):
    other_version(library, version)
    compat.install(library, version="3.10.4" if version == "3.11" else None)
    assert not any("numbers may differ" in str(warning.message) for warning in recwarn)


def test_modules_that_keep_the_originals_are_named(monkeypatch):
    for name in ("a_client", "a_client.scoring"):
        module = types.ModuleType(name)
        module.score = nltk.translate.bleu_score.corpus_bleu
        module.distance = jiwer.wer
        monkeypatch.setitem(sys.modules, name, module)
    with pytest.warns(compat.DropInWarning) as issued:
        compat.install("nltk", "jiwer")
    for library, warning in zip(("nltk", "jiwer"), issued, strict=True):
        assert f"names of {library} and keep the originals: " in str(warning.message)
        assert "a_client, a_client.scoring" in str(warning.message)
        assert warning.filename == __file__
    for name in ("a_client", "a_client.scoring"):
        monkeypatch.delitem(sys.modules, name)


def test_lazy_modules_are_not_loaded(monkeypatch):
    spec = importlib.util.find_spec("colorsys")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "a_lazy_module", module)
    importlib.util.LazyLoader(spec.loader).exec_module(module)
    compat.install("jiwer")
    assert type(module) is not types.ModuleType


class Raising:
    """An object that raises an error whenever it is read."""

    def __getattribute__(self, name):
        raise RuntimeError(name)


class Pretending:
    """An object like cffi's libraries, which claim to be modules and have no `__dict__`."""

    __slots__ = ()
    __class__ = types.ModuleType


class RaisingModule(types.ModuleType):
    def __getattribute__(self, name):
        raise RuntimeError(name)


class RaisingType(type):
    @property
    def __bases__(cls):
        raise RuntimeError

    @property
    def __dict__(cls):
        raise RuntimeError


def test_any_object_may_be_among_the_modules(monkeypatch):
    holder = types.ModuleType("a_client")
    holder.value = RaisingType("Scorer", (), {"__module__": "a_client"})
    monkeypatch.setitem(sys.modules, "a_client", holder)
    for name, value in {"raising": Raising(), "lib": Pretending(), "number": 3, "module": RaisingModule("m")}.items():
        monkeypatch.setitem(sys.modules, f"a_client.{name}", value)
        monkeypatch.setitem(sys.modules, f"jiwer.{name}", value)
    compat.install("jiwer")
    assert jiwer.wer is compat.jiwer.wer
    compat.uninstall("jiwer")
    assert jiwer.wer is not compat.jiwer.wer


def test_libraries_of_cffi_do_not_matter():
    pytest.importorskip("cryptography")
    code = """
        import cryptography.fernet
        from refscore import compat
        compat.install("sacrebleu")
        import sacrebleu
        print(sacrebleu.BLEU is compat.sacrebleu.BLEU)
    """
    assert run(code) == "True"


HOLDINGS = {
    "dict": lambda original: {"wer": original.wer},
    "list": lambda original: [original.wer],
    "tuple": lambda original: (1, original.wer),
    "partial": lambda original: functools.partial(original.wer, "a"),
    "attribute": lambda original: type("Scorer", (), {"__module__": "a_client", "wer": original.wer}),
    "static": lambda original: type("Scorer", (), {"__module__": "a_client", "wer": staticmethod(original.wer)}),
    "base": lambda original: type("Shorter", (original.Strip,), {"__module__": "a_client"}),
    "instance": lambda original: original.Strip(),
    "nothing": lambda original: {"wer": type("Scorer", (), {"__module__": "a_client"})},
}


@pytest.mark.filterwarnings("always::refscore.compat.overrides.DropInWarning")
@pytest.mark.parametrize("holding", HOLDINGS)
def test_modules_that_hold_originals_in_objects_are_named(holding, monkeypatch, recwarn):
    module = types.ModuleType("a_client")
    module.value = HOLDINGS[holding](jiwer)
    monkeypatch.setitem(sys.modules, "a_client", module)
    compat.install("jiwer")
    assert any("a_client" in str(warning.message) for warning in recwarn) == (holding != "nothing")


@pytest.mark.filterwarnings("always::refscore.compat.overrides.DropInWarning")
def test_modules_that_hold_what_the_library_imports_are_not_named(monkeypatch, recwarn):
    monkeypatch.setattr(nltk.translate.bleu_score, "Fraction", fractions.Fraction)  # as in NLTK before 3.8
    compat.install("nltk")
    assert nltk.translate.bleu_score.Fraction is compat.nltk.Fraction
    assert not any("fractions" in str(warning.message) for warning in recwarn)
    compat.uninstall("nltk")
    assert nltk.translate.bleu_score.Fraction is fractions.Fraction


def test_names_are_checked_before_anything_is_installed():
    with pytest.raises(refscore.SettingError):
        compat.install()
    with pytest.raises(refscore.errors.UnknownNameError):
        compat.install("nltk", "jiwr")
    assert nltk.translate.bleu_score.corpus_bleu is not compat.nltk.corpus_bleu


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="Windows has no SIGPIPE")
def test_no_signal_handler_changes():
    """A closed pipe stays an error in any installing thread; `import sacrebleu.sacrebleu` would end the program."""
    code = f"""
        import os, signal, sys, threading, types
        from refscore import compat
        class Frozen(types.ModuleType):
            def __setattr__(self, name, value):
                raise AssertionError(name)
        signal.__class__ = Frozen  # other threads call it meanwhile
        handlers = {{number: signal.getsignal(number) for number in signal.valid_signals()}}
        failures = []
        def use():
            try:
                for _ in range(2):
                    compat.install(*{LIBRARIES})
                    compat.uninstall(*{LIBRARIES})
                compat.install(*{LIBRARIES})
                import sacrebleu
                sacrebleu.corpus_bleu(["a b c d e"], [["a b c d e"]])
                sacrebleu.BLEU()._cache_references([["a b"]])[0]["ref_ngrams"]
            except BaseException as error:
                failures.append(error)
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        use()
        assert not failures, failures
        assert handlers == {{number: signal.getsignal(number) for number in signal.valid_signals()}}
        reading, writing = os.pipe()
        os.close(reading)
        try:
            os.write(writing, b"text")
        except BrokenPipeError:
            print("still there")
    """
    assert run(code) == "still there"


def test_the_page_lists_the_versions():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "drop-ins.md").read_text(encoding="utf-8")
    reproduced = dict(re.findall(r"^\| \[`(\w+)`\]\(#\w+\) \| ([\d.]+)", page, re.MULTILINE))
    assert reproduced == {name: entry.version or "3.10.4" for name, entry in overrides.LIBRARIES.items()}
    oldest = re.findall(r"([\w-]+)\s+before\s+(\d[\d.]*\d)", page)
    assert {name.lower().replace("-", "_"): version for name, version in oldest} == {
        name: entry.oldest for name, entry in overrides.LIBRARIES.items()
    }

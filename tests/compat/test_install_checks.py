"""What `install` checks, says and leaves alone: versions, modules that keep the originals, signal handlers, threads."""

import fractions
import signal
import subprocess
import sys
import textwrap
import types

import jiwer
import nltk.translate.bleu_score
import pytest

import refscore
from refscore import compat
from refscore.compat import overrides

LIBRARIES = ["evaluate", "jiwer", "nltk", "rouge_score", "sacrebleu"]


@pytest.fixture(autouse=True)
def _undone():
    yield
    compat.uninstall(*LIBRARIES)


@pytest.fixture
def other_version(tmp_path, monkeypatch):
    """Let a version of a library seem to be installed."""

    def installed(library, version):
        folder = tmp_path / f"{library}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {library}\nVersion: {version}\n", "utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))

    return installed


@pytest.mark.parametrize(
    ("library", "version"),
    [
        ("torchmetrics", "1.0.0"),
        ("torchmetrics", "1.3.2"),
        ("jiwer", "3.1.0"),
        ("sacrebleu", "2.0.0"),
        ("sacrebleu", "1.5.1"),
        ("rouge_score", "0.0.4"),
        ("nltk", "3.5"),
    ],
)
def test_versions_that_lack_names(library, version, other_version):
    other_version(library, version)
    before = jiwer.wer, nltk.translate.bleu_score.corpus_bleu
    with pytest.raises(refscore.SettingError, match=rf"needs .* or newer, but {version} is installed: pip install"):
        compat.install("nltk" if library == "jiwer" else "jiwer", library)
    assert (jiwer.wer, nltk.translate.bleu_score.corpus_bleu) == before  # nothing is installed


@pytest.mark.parametrize(
    ("library", "version"), [("sacrebleu", "2.5.1"), ("sacrebleu", "3.0.0rc1"), ("jiwer", "4.1"), ("evaluate", "0.5")]
)
def test_versions_that_are_not_followed(library, version, other_version):
    other_version(library, version)
    with pytest.warns(compat.DropInWarning, match=f"reproduces {library} .*, but {version} is installed"):
        compat.install(library)


@pytest.mark.parametrize(("library", "version"), [("sacrebleu", "2.6.1"), ("jiwer", "4.0.3"), ("nltk", "3.8.1")])
def test_versions_that_are_followed(library, version, other_version):
    other_version(library, version)
    compat.install(library)


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


@pytest.mark.filterwarnings("always::refscore.compat.overrides.DropInWarning")
def test_modules_that_hold_what_the_library_imports_are_not_named(monkeypatch, recwarn):
    monkeypatch.setattr(nltk.translate.bleu_score, "Fraction", fractions.Fraction)  # as in NLTK before 3.8
    compat.install("nltk")
    assert nltk.translate.bleu_score.Fraction is compat.nltk.Fraction
    assert not any("fractions" in str(warning.message) for warning in recwarn)
    compat.uninstall("nltk")
    assert nltk.translate.bleu_score.Fraction is fractions.Fraction


def test_several_libraries():
    assert "sacrebleu" not in overrides._changes
    compat.install("nltk", "jiwer")
    assert nltk.translate.bleu_score.corpus_bleu is compat.nltk.corpus_bleu
    assert jiwer.wer is compat.jiwer.wer
    compat.uninstall("nltk", "jiwer")
    assert nltk.translate.bleu_score.corpus_bleu is not compat.nltk.corpus_bleu
    assert jiwer.wer is not compat.jiwer.wer
    with pytest.raises(refscore.SettingError, match="name of a library"):
        compat.install()
    with pytest.raises(refscore.UnknownNameError):
        compat.install("nltk", "jiwr")
    assert nltk.translate.bleu_score.corpus_bleu is not compat.nltk.corpus_bleu


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="Windows has no SIGPIPE")
def test_no_signal_handler_changes():
    """A closed pipe stays an error, whichever thread installs; `import sacrebleu.sacrebleu` would end the program."""
    code = f"""
        import os, signal, sys, threading
        from refscore import compat
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
    command = [sys.executable, "-c", textwrap.dedent(code)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (result.returncode, result.stdout) == (0, "still there\n"), result.stderr

"""Names in untrusted input never import a module or open a file that they choose: in forms, URLs, signatures, files of
scores, saved evaluations and filters of n-grams."""

import io
import json
import os
import sys
import zlib
from contextlib import contextmanager
from urllib.parse import quote, urlencode

import pytest

import refscore
from refscore import Evaluation, overlap
from refscore.evaluation.file_format import read_statistics, write_statistics
from refscore.report.input_form import Answers, Form
from tests.cli.running import status_of, write_lines

MODULE = "canary_of_untrusted_names"
PACKAGE = "canary_package_of_untrusted_names"
NAMES = [
    f"{MODULE}:X",
    f"{MODULE}:X:nltk",
    f" {MODULE}:X ",
    f"{PACKAGE}.inner:X",
    f"bleu ({MODULE}:X)",
    f"BLEU ({PACKAGE}.inner:X)",
    f"({MODULE}:X) ({MODULE}:X)",
    f"bleu:{MODULE}",
    f"custom({MODULE}.X)",
    f"spm:{MODULE}",
    MODULE,
]

_recorded = []


def _record(event, arguments):
    if event == "import":
        _recorded.append(arguments[0])
    elif event == "open" and isinstance(arguments[0], str):
        _recorded.append(os.path.basename(arguments[0]))
    elif event == "exec" and hasattr(arguments[0], "co_filename"):
        _recorded.append(arguments[0].co_filename)


class _Finder:
    """The first finder of modules. It finds none, and records what was looked for."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        _recorded.append(name)


sys.addaudithook(_record)  # it cannot be removed


@contextmanager
def nothing_imported(folder):
    """Fail if a canary is looked for, imported or run inside this block."""
    _recorded.clear()
    sys.meta_path.insert(0, _Finder)
    try:
        yield
    finally:
        sys.meta_path.remove(_Finder)
    assert not [entry for entry in _recorded if "canary" in entry]
    assert not (folder / "imported").exists()  # by a different process
    assert MODULE not in sys.modules and PACKAGE not in sys.modules


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of modules that leave a trace when they are imported. It is in `sys.path`, and the current folder."""
    trace = f"open({str(tmp_path / 'imported')!r}, 'w').close()\nraise ValueError('imported')\n"
    (tmp_path / PACKAGE).mkdir()
    for name in (f"{MODULE}.py", f"{PACKAGE}/__init__.py", f"{PACKAGE}/inner.py"):
        (tmp_path / name).write_text(trace, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_canary_is_noticed(folder):
    """The checks below find an import. A metric on the command line or in Python is imported."""
    with (
        pytest.raises(AssertionError),
        nothing_imported(folder),
        pytest.raises(refscore.SettingError, match="imported"),
    ):
        refscore.scores(["a"], ["a"], NAMES[0])
    assert (folder / "imported").exists()


def test_a_module_that_raises_is_a_mistake(folder, capsys):
    write_lines(folder, a=["a"])
    assert status_of(["score", "a", "-r", "a", "-m", NAMES[0]]) == 2
    assert f"the metric '{NAMES[0]}' cannot be imported: ValueError: imported" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_forms(folder, name):
    with nothing_imported(folder):
        for answers in (Answers(["a"], ["a"], name), Answers(["a"], ["a"], "bleu", tokenizer=name)):
            page, is_answered = Form({"bleu": refscore.BLEU()}).answer(answers)
            # What could be imported is not said, because it is never looked for.
            assert not is_answered and "module" not in page.partition('role="alert">')[2].partition("</p>")[0]


def test_requests(folder):
    pytest.importorskip("werkzeug")
    from tests.report.serving import served
    from tests.report.test_server import ask

    with served() as server, nothing_imported(folder):
        for name in NAMES:
            filled = {"hypothesis": "a", "reference-1": "a"}
            for fields in (
                {"metrics": name},
                {"metrics": "bleu", "tokenizer": name},
                {"metrics": "bleu", "segment": name},
            ):
                assert ask(server, "POST", "/form", urlencode({**filled, **fields}))[0] == 400
            assert ask(server, path=f"/form?metrics={quote(name)}")[0] == 200
            assert ask(server, path=f"/{quote(name)}")[0] == 404


@pytest.mark.parametrize("name", NAMES)
def test_signatures(folder, name):
    with nothing_imported(folder):
        for text in (
            name,
            f"{name}|tok:13a",
            f"bleu|tok:{name}|version:1",
            f"bleu|norm:{name}",
            f"BLEU|case:mixed|tok:{name}",
        ):
            with pytest.raises(refscore.RefscoreError):
                refscore.from_signature(text)


@pytest.mark.parametrize(
    "name", ["hf:{}/{}.json", "spm:{}/{}.json", "hf:{1}.json", "hf:{1}.json@0123456789ab", "tiktoken:{1}"]
)
def test_filters_of_ngrams(folder, name):
    name = name.format(folder, MODULE)
    (folder / f"{MODULE}.json").write_text("{}", encoding="utf-8")
    path = folder / "corpus.filter"
    overlap.NgramFilter.build(["a b c"], order=2, memory=64).save(path)
    magic, line, bits = path.read_bytes().split(b"\n", 2)
    header = json.loads(line)
    header["settings"]["tokenizer"] = name
    line = json.dumps(header).encode() + b"\n"
    path.write_bytes(magic + b"\n" + line + bits[:-4] + zlib.crc32(line + bits[:-4]).to_bytes(4, "little"))
    write_lines(folder, test=["a b c"])
    with nothing_imported(folder):
        with pytest.raises(refscore.InputError, match="is not opened because the filter may be untrusted"):
            overlap.NgramFilter.load(path)
        assert status_of(["overlap", "test", "--filter", path]) == 2


@pytest.mark.parametrize("name", NAMES)
def test_saved_evaluations(folder, name):
    header, arrays = read_statistics(refscore.evaluate(["a"], ["a"], "bleu").to_bytes())
    (metric,) = header["metrics"]
    for field in ("label", "signature", "segment_signature", "title"):
        file = io.BytesIO()
        write_statistics(file, {**header, "metrics": [{**metric, field: name}]}, arrays)
        (folder / "a.refscore").write_bytes(file.getvalue())
        with nothing_imported(folder):
            try:
                Evaluation.load(folder / "a.refscore").scores()
            except refscore.InputError:
                assert field in ("label", "signature")
            status_of(["merge", folder / "a.refscore"])


@pytest.mark.parametrize("name", NAMES)
def test_files_of_scores(folder, name):
    write_lines(folder, a=["a", "b"], r=["a", "c"])
    (folder / "scores.csv").write_text(f'system,"{name}"\na,1\na,2\n', encoding="utf-8")
    (folder / "scores.json").write_text(f'{{"metric": "{name}", "{name}": [1, 2]}}', encoding="utf-8")
    with nothing_imported(folder):
        for file in ("scores.csv", "scores.json"):
            for given in (f"comet={file}", f"{name}={file}"):
                status_of(["compare", "a", "r", "-r", "r", "-m", "none", "--given", given])

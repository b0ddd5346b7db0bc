"""Drop-ins in child processes: spawned, from a fork server, started as programs; and the launcher."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import refscore
from refscore import compat
from refscore.compat import children
from refscore.compat.__main__ import main

SOURCE = str(Path(refscore.__file__).parents[1])  # for children, if refscore is not installed

# A program that says where the scoring functions of a process come from.
PROGRAM = """
    import multiprocessing, subprocess, sys

    def origins(_):
        import nltk.translate.bleu_score, jiwer, sacrebleu
        functions = nltk.translate.bleu_score.corpus_bleu, jiwer.wer, sacrebleu.corpus_bleu
        return [function.__module__.partition(".")[0] for function in functions]

    if __name__ == "__main__":
        start, *install = sys.argv[1:]
        if install:
            from refscore import compat
            exec(install[0])
        if start == "here":
            print(*origins(None))
        elif start == "program":
            print(subprocess.run([sys.executable, __file__, "here"], capture_output=True, text=True).stdout.strip())
        elif start == "nested":
            print(subprocess.run([sys.executable, __file__, "spawn"], capture_output=True, text=True).stdout.strip())
        else:
            with multiprocessing.get_context(start).Pool(1) as pool:
                print(*pool.map(origins, [0])[0])
"""
STARTS = ["spawn", "program", "nested", *({"fork", "forkserver"} & set(multiprocessing.get_all_start_methods()))]


@pytest.fixture
def environment(monkeypatch):
    """Variables that are as before afterwards."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    for variable in (children.VARIABLE, children.STRICT_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    return os.environ


@pytest.fixture
def program(tmp_path, environment):
    """Run Python, by default on the program above; return what it prints."""
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")

    def run(*arguments, status=0):
        command = [sys.executable, *(str(path) if part == "PROGRAM" else part for part in arguments)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)
        assert result.returncode == status, result.stderr
        return (result.stdout + (result.stderr if status else "")).strip()

    return run


@pytest.mark.parametrize("start", ["here", *sorted(STARTS)])
def test_the_launcher(program, start):
    launched = program("-m", "refscore.compat", "nltk,jiwer", "PROGRAM", start)
    assert launched == "refscore refscore sacrebleu"


@pytest.mark.parametrize(("shared", "expected"), [(True, "nltk refscore refscore"), (False, "nltk jiwer sacrebleu")])
@pytest.mark.parametrize("start", sorted({*STARTS} - {"fork"}))
def test_install_with_children(program, start, shared, expected):
    assert program("PROGRAM", start, f"compat.install('sacrebleu', 'jiwer', children={shared})") == expected


def test_cutting_in_children(program, environment, monkeypatch):
    code = "import sacrebleu; print(sacrebleu.corpus_bleu(['a b c d'] * 2, [['a b c d']]).sys_len)"
    compat.install("sacrebleu", strict=False, children=True)
    compat.install("jiwer", children=True)
    assert program("-W", "ignore", "-c", code) == "4"
    compat.uninstall("sacrebleu", "jiwer")
    assert children.STRICT_VARIABLE not in environment
    launch = ("-m", "refscore.compat", "sacrebleu", "-W", "ignore", "-c", code)
    assert "strict=False" in program(*launch, status=1)
    monkeypatch.setenv(children.STRICT_VARIABLE, "0")
    assert program(*launch) == "4"


def test_the_launcher_runs_modules_and_code(program, tmp_path):
    code = "import sys, nltk.translate.ribes_score as r; print(r.kendall_tau([2, 1, 0, 3]), sys.argv[1:])"
    assert program("-m", "refscore.compat", "nltk==3.9.1", "-c", code, "-m", "x") == "0.0 ['-m', 'x']"
    assert program("-m", "refscore.compat", "nltk", "-X", "dev", "-c", code) == "0.5 []"
    for name, text in (("r.txt", "a b"), ("h.txt", "a c")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ("-m", "jiwer.cli", "-r", "r.txt", "-h", "h.txt")
    assert program("-m", "refscore.compat", "jiwer", *command) == program(*command) == "0.5"
    version = ("-m", "sacrebleu", "--version")
    assert program("-m", "refscore.compat", "sacrebleu", *version) == program(*version)


def test_the_launcher_refuses(program, capsys):
    assert "did you mean 'sacrebleu'" in program("-m", "refscore.compat", "sacreblue", "-c", "", status=2)
    assert "reproduces only jiwer" in program("-m", "refscore.compat", "jiwer==3.1", "-c", "", status=2)
    assert "usage:" in program("-m", "refscore.compat", "jiwer", status=2)
    assert main(["--help"]) == 0
    assert "usage:" in capsys.readouterr().out
    assert program("-m", "refscore.compat", "jiwer", "-c", "raise SystemExit(3)", status=3) == ""


def test_the_environment_is_as_before_afterwards(environment):
    before = dict(environment)
    compat.install("jiwer", children=True)
    compat.install("nltk", version="3.9.1", children=True)
    assert environment["REFSCORE_COMPAT"] == "jiwer,nltk==3.9.1"
    assert environment["PYTHONPATH"] == os.pathsep.join([children.STARTUP, before["PYTHONPATH"]])
    compat.uninstall("jiwer")
    assert environment["REFSCORE_COMPAT"] == "nltk==3.9.1"
    compat.uninstall("nltk")
    assert dict(environment) == before
    environment.pop("PYTHONPATH")
    compat.install("jiwer", children=True)
    assert environment["PYTHONPATH"] == children.STARTUP
    compat.uninstall("jiwer")
    assert "PYTHONPATH" not in environment


def test_nothing_is_imported_until_it_is_needed(program, environment):
    children.hand_down({"jiwer": None, "torchmetrics": None})
    code = "import sys; print([name for name in ('refscore', 'jiwer', 'torchmetrics', 'numpy') if name in sys.modules])"
    assert program("-c", code) == "[]"


def test_uninstalling_before_the_library_is_imported(program, environment):
    children.hand_down({"jiwer": None})
    code = "import jiwer; print(jiwer.wer.__module__.partition('.')[0])"
    assert program("-c", code) == "refscore"
    assert program("-c", f"from refscore import compat; compat.uninstall('jiwer'); {code}") == "jiwer"


def test_modules_keep_their_loader(program, environment):
    """Code that reads a package's files or source finds them."""
    children.hand_down({"nltk": None})
    code = """if True:
        import inspect, nltk, pkgutil
        from importlib import resources
        assert pkgutil.get_data("nltk", "VERSION") and inspect.getsource(nltk) and resources.files("nltk").is_dir()
        print(type(nltk.__loader__) is type(nltk.__spec__.loader) is type(inspect.__loader__))
    """
    assert program("-c", code) == "True"


def test_a_library_that_is_not_installed(program, environment):
    children.hand_down({"rouge_score": None})
    code = """if True:
        import sys
        find = sys.meta_path[-1].find_spec
        class Hiding:
            find_spec = staticmethod(lambda name, *rest: None if name == "rouge_score" else find(name, *rest))
        sys.meta_path[-1] = Hiding
        import rouge_score
        from rouge_score import rouge_scorer
        print(rouge_score.__spec__.name, rouge_scorer.RougeScorer.__module__)
    """
    assert program("-c", code) == "refscore.compat.rouge_score refscore.compat.rouge_score.rouge_scorer"


def test_another_sitecustomize_runs_too(program, environment, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('theirs')", encoding="utf-8")
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    children.hand_down({"jiwer": None})
    code = "import sitecustomize, sys, jiwer; print(sitecustomize.__file__, jiwer.__name__, sys.path)"
    theirs, found = program("-c", code).splitlines()
    assert theirs == "theirs"
    assert found.startswith(f"{tmp_path / 'sitecustomize.py'} refscore.compat.jiwer")
    assert "startup" not in found
    (tmp_path / "sitecustomize.py").write_text("import missing_module", encoding="utf-8")
    assert program("-c", "import jiwer; print(jiwer.__name__)") == "refscore.compat.jiwer"


def test_a_python_without_refscore(program, environment):
    """The originals are not run silently."""
    children.hand_down({"jiwer": None})
    code = "import sys; sys.modules['refscore'] = None; import jiwer; print(jiwer.__name__)"
    assert "jiwer is not replaced" in program("-W", "error", "-c", code, status=1)
    assert program("-W", "ignore", "-c", code) == "jiwer"


def test_a_python_that_ignores_the_environment(program):
    code = f"import sys; sys.path.insert(0, {SOURCE!r}); from refscore import compat; "
    assert "started with -I, -E or -S" in program("-E", "-c", code + "compat.install('jiwer', children=True)", status=1)

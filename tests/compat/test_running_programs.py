"""Programs that run with drop-ins from the command line, and drop-ins in child processes."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
from importlib import metadata
from pathlib import Path

import pytest

import refscore
from refscore.compat.__main__ import main

SOURCE = str(Path(refscore.__file__).parents[1])  # for children, if refscore is not installed

# Prints where jiwer's function comes from in a child process: WAY is how it calls `install`, START how it is started.
PROGRAM = """
    import multiprocessing, subprocess, sys
    from refscore import compat

    way, start = sys.argv[1:]
    if way == "top":
        compat.install("jiwer")

    def origin(_):
        import jiwer
        return jiwer.wer.__module__.partition(".")[0]

    if __name__ == "__main__":
        compat.install("jiwer")
        if start == "here":
            print(origin(None))
        elif start == "program":
            compat.uninstall("jiwer")
            launcher = ["-m", "refscore.compat", "jiwer"] if way == "launcher" else []
            code = "import jiwer; print(jiwer.wer.__module__.partition('.')[0])"
            with open("child.py", "w") as file:
                file.write(code)
            sys.stdout.write(subprocess.check_output([sys.executable, *launcher, "child.py"], text=True))
        else:
            options = {"initializer": compat.install, "initargs": ("jiwer",)} if way == "initializer" else {}
            with multiprocessing.get_context(start).Pool(1, **options) as pool:
                print(pool.map(origin, [0])[0])
"""
FILES = ("-r", "r.txt", "-h", "h.txt")


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Run Python, by default on the program above, and return its output."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM), encoding="utf-8")

    def run(*arguments, status=0):
        command = [sys.executable, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)
        assert result.returncode == status, result.stderr
        return (result.stdout + (result.stderr if status else "")).strip()

    return run


SPAWNED = [start for start in multiprocessing.get_all_start_methods() if start != "fork"]
FORKED = [start for start in multiprocessing.get_all_start_methods() if start == "fork"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "start", "origin"),
    [
        *(("none", start, "refscore") for start in FORKED),
        *(("none", start, "jiwer") for start in [*SPAWNED, "program"]),
        *((way, start, "refscore") for way in ("top", "initializer") for start in SPAWNED),
        ("launcher", "program", "refscore"),
    ],
)
def test_child_processes(program, way, start, origin):
    assert program("program.py", way, start) == origin


def test_nothing_is_left_in_the_environment(program):
    code = "import os; before = {**os.environ}; from refscore import compat; compat.install('sacrebleu', 'nltk'); "
    assert program("-c", f"{code}print(before == dict(os.environ))") == "True"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["nltk==3.9.1", "tau.py", "-m", "x"], "0.0 ['tau.py', '-m', 'x']"),
        (["nltk,jiwer", "tau.py"], "0.5 ['tau.py']"),
        (["jiwer", "-m", "jiwer.cli", *FILES], "0.5"),
        (["sacrebleu", "-m", "sacrebleu", "--version"], f" {metadata.version('sacrebleu')}"),
    ],
    ids=str,
)
def test_the_launcher(program, tmp_path, arguments, output):
    (tmp_path / "beside.py").write_text("from nltk.translate.ribes_score import kendall_tau\n")
    (tmp_path / "tau.py").write_text("import sys, beside; print(beside.kendall_tau([2, 1, 0, 3]), sys.argv)\n")
    for name, text in (("r.txt", "a b"), ("h.txt", "a c")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert program("-W", "error::RuntimeWarning", "-m", "refscore.compat", *arguments).endswith(output)


@pytest.mark.slow
def test_the_command_of_rouge_score_runs_on_refscore(program, tmp_path):
    for name, text in (("a.targets", "a cat sat\nit rained\n"), ("a.decodes", "a cat\nit rained\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "program.py").write_text(
        "import sys\nfrom rouge_score import rouge, rouge_scorer\n"
        "print(rouge_scorer.RougeScorer.__module__)\nrouge.app.run(rouge.main)\n"
    )
    options = ("--target_filepattern=a.targets", "--prediction_filepattern=a.decodes", "--aggregate=false")
    for name, launcher in (("theirs", ()), ("ours", ("-m", "refscore.compat", "rouge_score"))):
        origin = program(*launcher, "program.py", *options, f"--output_filename={name}.csv")
        assert origin.startswith("refscore") == (name == "ours")
    assert (tmp_path / "ours.csv").read_text() == (tmp_path / "theirs.csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["sacreblue", "x.py"], "'sacrebleu'"),
        (["jiwer==3.1", "x.py"], "3.1"),
        (["jiwer"], "usage:"),
        (["jiwer", "-m"], "usage:"),
        (["jiwer", "-c", "pass"], "usage:"),
        ([], "usage:"),
        *(([nothing, "x.py"], "LIBRARIES") for nothing in ("", ",", " , ")),
    ],
)
def test_the_launcher_refuses(capsys, arguments, named):
    assert main(arguments) == 2
    assert named in capsys.readouterr().err


def test_help_and_status_of_the_launcher(program, tmp_path, capsys):
    assert main(["--help"]) == 0
    assert "usage:" in capsys.readouterr().out
    (tmp_path / "fail.py").write_text("raise SystemExit(3)")
    assert program("-m", "refscore.compat", "jiwer", "fail.py", status=3) == ""

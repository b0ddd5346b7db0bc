"""Drop-ins in child processes (spawned, from a fork server, started as programs), and the launcher."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
from importlib import metadata
from pathlib import Path

import pytest

import refscore
from refscore import compat
from refscore.compat import children
from refscore.compat.__main__ import main

SOURCE = str(Path(refscore.__file__).parents[1])  # for children, if refscore is not installed

# A program that prints where the scoring functions of a process come from.
PROGRAM = """
    import multiprocessing, subprocess, sys

    def origins(_):
        import jiwer, sacrebleu
        functions = jiwer.wer, sacrebleu.corpus_bleu
        return [function.__module__.partition(".")[0] for function in functions]

    if __name__ == "__main__":
        start, *install = sys.argv[1:]
        if install:
            from refscore import compat
            exec(install[0])
        if start == "here":
            print(*origins(None))
        elif start in ("program", "nested"):
            start = {"program": "here", "nested": "spawn"}[start]
            print(subprocess.run([sys.executable, __file__, start], capture_output=True, text=True).stdout.strip())
        else:
            with multiprocessing.get_context(start).Pool(1) as pool:
                print(*pool.map(origins, [0])[0])
"""
SLOW_STARTS = [
    pytest.param(start, marks=pytest.mark.slow) for start in ("nested", *multiprocessing.get_all_start_methods())
]
FILES = ("-r", "r.txt", "-h", "h.txt")


@pytest.fixture
def environment(monkeypatch):
    """Restore the variables afterwards."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    for variable in (children.VARIABLE, children.STRICT_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    return os.environ


@pytest.fixture
def program(tmp_path, environment):
    """Run Python, by default on the program above, and return its output."""
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")

    def run(*arguments, status=0):
        command = [sys.executable, *(str(path) if part == "PROGRAM" else part for part in arguments)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)
        assert result.returncode == status, result.stderr
        return (result.stdout + (result.stderr if status else "")).strip()

    return run


@pytest.mark.parametrize("start", ["here", *SLOW_STARTS])
def test_the_launcher(program, start):
    assert program("-m", "refscore.compat", "nltk,jiwer", "PROGRAM", start) == "refscore sacrebleu"


@pytest.mark.parametrize("start", ["program", *SLOW_STARTS])
def test_install_with_children(program, start):
    assert program("PROGRAM", start, "compat.install('sacrebleu', 'jiwer', children=True)") == "refscore refscore"


def test_install_without_children(program):
    assert program("PROGRAM", "program", "compat.install('sacrebleu', 'jiwer')") == "jiwer sacrebleu"


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["nltk==3.9.1", "-c", "CODE", "-m", "x"], "0.0 ['-m', 'x']"),
        (["nltk", "-X", "dev", "-c", "CODE"], "0.5 []"),
        (["jiwer", "-m", "jiwer.cli", *FILES], "0.5"),
        (["jiwer", "-mjiwer.cli", *FILES], "0.5"),
        (["jiwer", "-BWerror", "-um", "jiwer.cli", *FILES], "0.5"),
        (["sacrebleu", "-m", "sacrebleu", "--version"], f" {metadata.version('sacrebleu')}"),
    ],
    ids=str,
)
def test_the_launcher_runs_modules_and_code(program, tmp_path, arguments, output):
    code = "import sys, nltk.translate.ribes_score as r; print(r.kendall_tau([2, 1, 0, 3]), sys.argv[1:])"
    for name, text in (("r.txt", "a b"), ("h.txt", "a c")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [code if part == "CODE" else part for part in arguments]
    assert program("-m", "refscore.compat", *command).endswith(output)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["jiwer.cli", "rouge_score.rouge"])
def test_the_launcher_runs_the_modules_of_refscore(program, tmp_path, environment, module):
    show = "import atexit, sys; atexit.register(lambda: print(sys.modules['__main__'].__file__))"
    (tmp_path / "sitecustomize.py").write_text(show, encoding="utf-8")
    environment["PYTHONPATH"] = os.pathsep.join([environment["PYTHONPATH"], str(tmp_path)])
    options = ("-W", "error", "-m", module, "--help")
    *_, path = program("-m", "refscore.compat", module.partition(".")[0], *options).splitlines()
    assert Path(path) == Path(SOURCE, "refscore", "compat", *module.split(".")).with_suffix(".py")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["sacreblue", "-c", ""], "'sacrebleu'"),
        (["jiwer==3.1", "-c", ""], "3.1"),
        (["jiwer"], "usage:"),
        *(([nothing, "-c", ""], "LIBRARIES") for nothing in ("", ",", " , ")),
    ],
)
def test_the_launcher_refuses(capsys, arguments, named):
    assert main(arguments) == 2
    assert named in capsys.readouterr().err


def test_help_and_status_of_the_launcher(program, capsys):
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
    names = "[name for name in ('refscore', 'jiwer', 'torchmetrics', 'numpy') if name in sys.modules]"
    code = "import jiwer; print(jiwer.wer.__module__.partition('.')[0])"
    assert program("-c", f"import sys; print({names}); {code}").split() == ["[]", "refscore"]
    assert program("-c", f"from refscore import compat; compat.uninstall('jiwer'); {code}") == "jiwer"


@pytest.mark.slow
def test_modules_and_specs_keep_their_loader(program, environment):
    """Code that reads the files or source of a package finds them."""
    children.hand_down({"nltk": None})
    code = """if True:
        import copy, importlib.util, inspect, pkgutil
        from importlib import resources
        spec = importlib.util.find_spec("nltk")
        loader = copy.copy(spec.loader)
        assert loader.is_package("nltk") and loader.get_filename("nltk") == spec.origin == loader.path
        assert loader.get_source("nltk") and loader.get_data(spec.origin) and loader.get_code("nltk")
        assert loader.get_resource_reader("nltk").is_resource("VERSION") and not hasattr(loader, "absent")
        import nltk
        assert pkgutil.get_data("nltk", "VERSION") and inspect.getsource(nltk) and resources.files("nltk").is_dir()
        print(type(nltk.__loader__) is type(nltk.__spec__.loader) is type(inspect.__loader__))
    """
    assert program("-c", code) == "True"


# Ways to reach a library that begin with its spec. LIBRARY is its name, FUNCTION one of its functions.
FIRST_ASKED = {
    "asked twice": "[importlib.util.find_spec('LIBRARY') for _ in range(2)]",
    "asked for refscore's": "importlib.util.find_spec('refscore.compat.LIBRARY')",
    "through a finder that asks again": "sys.meta_path.insert(0, Asking())",
    "failed": "failing = True\ntry: import LIBRARY\nexcept ImportError: failing = False",
    "by hand": "module = load(importlib.util.find_spec('LIBRARY'))",
    "lazily": "spec = importlib.util.find_spec('LIBRARY')\nspec.loader = importlib.util.LazyLoader(spec.loader)\n"
    "module = load(spec)\nassert module.FUNCTION.__module__.startswith('refscore.')",
}


@pytest.mark.slow
@pytest.mark.parametrize(("library", "function"), [("nltk", "bleu"), ("jiwer", "wer")])
@pytest.mark.parametrize("way", FIRST_ASKED)
def test_a_spec_that_is_asked_for_first(program, environment, library, function, way):
    children.hand_down({library: None})
    code = f"""
import importlib.util, sys
failing = False
class Asking:
    def find_spec(self, name, path=None, target=None):
        for finder in sys.meta_path if name == "LIBRARY" else ():
            found = finder.find_spec(name, path, target) if finder is not self else None
            if found: return found
class Failing:
    def find_spec(self, name, path=None, target=None):
        if failing and name.startswith("LIBRARY."): raise ImportError(name)
sys.meta_path.insert(0, Failing())
def load(spec):
    module = sys.modules["LIBRARY"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
{FIRST_ASKED[way]}
import LIBRARY
print(LIBRARY.FUNCTION.__module__.partition(".")[0])
"""
    assert program("-c", code.replace("LIBRARY", library).replace("FUNCTION", function)) == "refscore"


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0, 0.05])
@pytest.mark.parametrize("call", ["compat.install('nltk')", "compat.uninstall('nltk')", "import refscore.compat.nltk"])
def test_a_thread_that_imports_and_one_that_installs(program, environment, pause, call):
    """Neither waits for the other while the other waits for it."""
    children.hand_down({"nltk": None})
    code = f"""if True:
        import faulthandler, threading, time
        faulthandler.dump_traceback_later(240, exit=True)
        from refscore import compat
        failures = []
        def attempt(code, pause):
            barrier.wait()
            time.sleep(pause)
            try: exec(code, globals())
            except BaseException as error: failures.append(error)
        barrier = threading.Barrier(2)
        calls = ("import nltk", 0), ({call!r}, {pause})
        threads = [threading.Thread(target=attempt, args=arguments) for arguments in calls]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        print(failures)
    """
    assert program("-W", "ignore", "-c", code) == "[]"


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


@pytest.mark.slow
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
    """The originals are never used silently."""
    children.hand_down({"jiwer": None})
    code = "import sys; sys.modules['refscore'] = None; import jiwer; print(jiwer.__name__)"
    assert "jiwer is not replaced" in program("-W", "error", "-c", code, status=1)  # a warning
    assert program("-W", "ignore", "-c", code) == "jiwer"


def test_a_python_that_ignores_the_environment(program):
    code = f"import sys; sys.path.insert(0, {SOURCE!r}); from refscore import compat; "
    assert "started with -I, -E or -S" in program("-E", "-c", code + "compat.install('jiwer', children=True)", status=1)

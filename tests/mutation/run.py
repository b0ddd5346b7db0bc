"""Mutation testing of the formula modules: `python tests/mutation/run.py [MODULE …]`, from the project's directory.

cosmic-ray makes the mutants; nothing on the disk changes. For each module its tests are collected once and run once, to
see how long each takes and which functions of the module it calls. A mutant within a function is then tested in a fork,
in which the function's code is replaced, by the tests that call it, the quickest first, up to the first failure. A
mutant outside of functions (tables, defaults) is imported anew in a fork of a process that has the heavy packages
loaded. Survivors that no test can notice are in explained.toml, with why.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import Phase, settings

from mutants import Mutant, mutants

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# What the tests import besides the package; whatever is not installed is left out.
PACKAGES = ("numpy", "sacrebleu", "nltk.translate", "nltk.stem", "jiwer", "rouge_score.rouge_scorer", "fastchrf")
OPTIONS = [
    "-W", "ignore::pytest.PytestAssertRewriteWarning", "-x", "-q", "--no-header", "--tb=no",
    "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov",
]  # fmt: skip
# At most so many examples of a hypothesis test, and so many seconds of tests for one mutant; to look at the tests, and
# for a mutant that is imported anew.
EXAMPLES = 30
SECONDS = 10.0
SURVEY = 15.0
SECONDS_ANEW = 2.5


def child(work: Callable[[], int], seconds: float) -> str:
    """What became of work in a fork: "survived" if it returned 0, "killed" otherwise or after its processor time."""
    process = os.fork()
    if process == 0:
        os.setsid()
        limit = int(5 + 5 * seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        status = 1
        try:
            status = work()
        finally:
            os._exit(status)
    end = time.monotonic() + 300
    while time.monotonic() < end:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return "survived" if os.waitstatus_to_exitcode(status) == 0 else "killed"
        time.sleep(0.002)
    os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return "killed"


class Mutated(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Imports one module from the source of a mutant."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_loader(fullname, self, origin=str(self.path)) if fullname == self.name else None

    def get_filename(self, fullname: str) -> str:
        return str(self.path)

    def get_data(self, path: str | bytes) -> bytes:
        return self.source.encode()


class Quick:
    """Hypothesis with fewer examples and without shrinking."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        settings.register_profile(
            "mutation", settings.get_profile("repeatable"), database=None, phases=(Phase.explicit, Phase.generate)
        )
        settings.load_profile("mutation")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            test = getattr(item, "obj", None)
            own = getattr(test, "_hypothesis_internal_use_settings", None)
            if own is not None and own.max_examples > EXAMPLES:
                function: Any = getattr(test, "__func__", test)
                function._hypothesis_internal_use_settings = settings(own, max_examples=EXAMPLES)


class Module:
    """A module of the package with its mutants, of which those outside of functions are known by having no function."""

    def __init__(self, module: str, lines: Sequence[int]) -> None:
        self.path = ROOT / "src/refscore" / f"{module}.py"
        self.name = "refscore." + module.replace("/", ".")
        self.mutants = [mutant for mutant in mutants(self.path) if not lines or mutant.line in lines]
        self.functions = dict(_functions(ast.parse(self.path.read_text(encoding="utf-8"))))

    def function(self, mutant: Mutant) -> tuple[str, ...] | None:
        """The names of the class and the function that a mutant is in."""
        for names, (begin, end) in self.functions.items():
            if begin <= mutant.line <= end:
                return names
        return None

    def code(self, source: str, names: tuple[str, ...]) -> CodeType:
        """The code of a function in a source."""
        code = compile(source, str(self.path), "exec")
        for name in names:
            code = next(part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name)
        return code

    def live(self, names: tuple[str, ...]) -> FunctionType:
        """The function that the imported module has."""
        found: Any = importlib.import_module(self.name)
        for name in names:
            found = found.__dict__[name]
        while not isinstance(found, FunctionType):
            match found:
                case property(fget=inner) | functools.cached_property(func=inner):
                    found = inner
                case classmethod() | staticmethod():
                    found = found.__func__
                case _:
                    found = found.__wrapped__
        return found


def _functions(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    """The outermost functions of a module: their names, and the lines of their bodies."""
    for node in tree.body:
        inner = [(node, (node.name,))] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.ClassDef):
            inner = [(part, (node.name, part.name)) for part in node.body if isinstance(part, ast.FunctionDef)]
        for function, names in inner:
            yield names, (function.body[0].lineno, function.end_lineno or 0)


def _mixed(items: list[pytest.Item]) -> list[pytest.Item]:
    """First one case of each test, then the second of each, and so on."""
    seen: dict[str, int] = {}
    places = {}
    for item in items:
        test = item.nodeid.partition("[")[0]
        places[item.nodeid] = seen[test] = seen.get(test, 0) + 1
    return sorted(items, key=lambda item: places[item.nodeid])


class Swap(Quick):
    """Tests the mutants within functions of a module, in the process that has collected its tests."""

    def __init__(self, module: Module, out: Path) -> None:
        self.module, self.out = module, out
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def _run(self, item: pytest.Item) -> bool:
        self.failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.failed

    def _survey(self, items: list[pytest.Item], out: Path) -> int:
        """Writes each test's seconds and the code that it calls in the module."""
        found, called, path = {}, set(), str(self.module.path)

        def trace(frame: FrameType, event: str, argument: Any) -> None:
            if frame.f_code.co_filename == path:
                called.add(frame.f_code.co_firstlineno)

        begun = time.process_time()
        for item in _mixed(items):
            if time.process_time() - begun > SURVEY:
                break
            called.clear()
            started = time.process_time()
            sys.settrace(trace)
            passed = self._run(item)
            sys.settrace(None)
            found[item.nodeid] = (time.process_time() - started, sorted(called))
            if not passed:
                out.write_text(json.dumps({"failed": item.nodeid}))
                return 1
        out.write_text(json.dumps(found))
        return 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = session.items
        survey = Path(f"{self.out}.survey")
        if child(lambda: self._survey(items, survey), 300) != "survived":
            print(f"{self.module.name}: its tests fail without a mutant: {survey.exists() and survey.read_text()}")
            sys.stdout.flush()
            os._exit(3)
        told = json.loads(survey.read_text())
        items = sorted((item for item in items if item.nodeid in told), key=lambda item: told[item.nodeid][0])
        survivors = []
        for number, mutant in enumerate(self.module.mutants):
            names = self.module.function(mutant)
            if names is None:
                continue
            live = self.module.live(names)
            first = live.__code__.co_firstlineno
            able, budget = [], SECONDS
            for item in items:
                seconds, called = told[item.nodeid]
                if first in called and (budget > seconds or not able):
                    able.append(item)
                    budget -= seconds

            def work(
                live: FunctionType = live,
                code: CodeType = self.module.code(mutant.source, names),
                able: list[pytest.Item] = able,
            ) -> int:
                live.__code__ = code
                return 0 if all(self._run(item) for item in able) else 1

            if child(work, SECONDS - budget) == "survived":
                survivors.append(number)
                show(self.module, mutant, f"survived {len(able)} tests")
        quick, budget = [], SECONDS_ANEW
        for item in items:
            seconds, called = told[item.nodeid]
            if called and seconds < budget:
                quick.append(item.nodeid)
                budget -= seconds
        self.out.write_text(json.dumps({"survivors": survivors, "quick": quick, "tests": len(items)}))
        sys.stdout.flush()
        os._exit(0)


def show(module: Module, mutant: Mutant, outcome: str) -> None:
    """Prints a survivor."""
    place = f"{module.path.relative_to(ROOT)}:{mutant.line}"
    sys.__stdout__.write(f"{place}: {outcome}, {mutant.operator}\n  - {mutant.before}\n  + {mutant.after}\n")  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]


def test(module: Module, tests: Sequence[str]) -> list[Mutant]:
    """The mutants of a module that its tests do not notice."""
    out = Path(f"/tmp/refscore-mutation-{os.getpid()}.json")
    process = os.fork()
    if process == 0:
        status = pytest.main([*OPTIONS, "-s", *tests], plugins=[Swap(module, out)])
        os._exit(int(status) or 3)
    if os.waitpid(process, 0)[1] != 0:
        sys.exit(1)
    told = json.loads(out.read_text())
    found = [module.mutants[number] for number in told["survivors"]]
    for mutant in module.mutants:
        if module.function(mutant) is None:

            def anew(mutant: Mutant = mutant) -> int:
                sys.meta_path.insert(0, Mutated(module.name, module.path, mutant.source))
                return int(pytest.main([*OPTIONS, *told["quick"]], plugins=[Quick()]))

            if child(anew, 20) == "survived":
                found.append(mutant)
                show(module, mutant, f"survived {len(told['quick'])} tests")
    return found


def main() -> None:
    """Runs the named modules, or all, and prints the survivors and a table."""
    parser = argparse.ArgumentParser(description="Mutation testing of the formula modules.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as metrics/bleu; all by default")
    parser.add_argument("--lines", type=int, nargs="*", default=[], help="only the mutants of these lines")
    given = parser.parse_args()
    os.chdir(ROOT)
    subsets = tomllib.loads((HERE / "modules.toml").read_text())
    for package in PACKAGES:
        try:
            importlib.import_module(package)
        except ImportError:
            continue
    assert "refscore" not in sys.modules
    lines = []
    for name in given.modules or subsets:
        started = time.monotonic()
        module = Module(name, given.lines)
        found = test(module, subsets[name])
        count, took = len(module.mutants), time.monotonic() - started
        lines.append(f"{name:28}{count:8}{count - len(found):8}{len(found):9}{took:8.0f} s")
        print(lines[-1], flush=True)
    print(f"{'module':28}{'mutants':>8}{'killed':>8}{'survived':>9}", *lines, sep="\n")


if __name__ == "__main__":
    main()

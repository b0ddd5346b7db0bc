"""Mutation testing of the formula modules: `python tests/mutation/run.py [MODULE …]`, from the project's directory.

cosmic-ray creates the mutants; no file on disk changes. The tests of each module are collected and run once, to
measure their time and the functions that they call. A mutant within a function is tested in a fork that replaces the
code of the function, by the tests that call it, fastest first, until one fails. A mutant outside of functions (tables,
defaults) first replaces the live object. If it survives, because objects created at import still have the old value,
the module is imported again in a fork of a process with the heavy packages loaded. explained.toml lists the survivors
that no test can notice, with reasons.
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
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
import tomllib
from hypothesis import Phase, settings
from mutants import Mutant, mutants

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# Packages that the tests import besides refscore; missing ones are omitted.
PACKAGES = ("numpy", "sacrebleu", "nltk.translate", "nltk.stem", "jiwer", "rouge_score.rouge_scorer", "fastchrf")
OPTIONS = [
    "-W", "ignore::pytest.PytestAssertRewriteWarning", "-m", "", "-x", "-q", "--no-header", "--tb=no",
    "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov",
]  # fmt: skip
# Limits: examples per hypothesis test, and CPU seconds for all tests of a mutant, of an explained mutant, and of one
# that is imported again.
EXAMPLES = 20
SECONDS = 5.0
SECONDS_EXPLAINED = 0.5
SECONDS_ANEW = 2.5
OUTPUT = os.dup(1)
EXPLAINED: list[dict[str, Any]] = tomllib.loads((HERE / "explained.toml").read_text())["survivors"]


def child(work: Callable[[], int], seconds: float) -> str:
    """Run work in a fork. Return "survived" if it returned 0, "killed" otherwise or after its CPU time."""
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
    """Import one module from the source of a mutant."""

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
    """Run hypothesis with fewer examples and without shrinking."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        settings.register_profile(
            "mutation", settings.get_profile("ci"), database=None, phases=(Phase.explicit, Phase.generate)
        )
        settings.load_profile("mutation")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            for test in (getattr(item, "obj", None), parameters.get("check")):
                own = getattr(test, "_hypothesis_internal_use_settings", None)
                if own is not None and own.max_examples > EXAMPLES:
                    function: Any = getattr(test, "__func__", test)
                    function._hypothesis_internal_use_settings = settings(own, max_examples=EXAMPLES)


class Module:
    """A module with its mutants; those outside of functions have no function."""

    def __init__(self, module: str, lines: Sequence[int]) -> None:
        self.title = module
        self.path = ROOT / "src/refscore" / f"{module}.py"
        self.name = "refscore." + module.replace("/", ".")
        self.mutants = [mutant for mutant in mutants(self.path) if not lines or mutant.line in lines]
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.functions = dict(_functions(self.tree))

    def function(self, mutant: Mutant) -> tuple[str, ...] | None:
        """Return the names of the class and the function that contain a mutant."""
        for names, (begin, end) in self.functions.items():
            if begin <= mutant.line <= end:
                return names
        return None

    def code(self, source: str, names: tuple[str, ...]) -> CodeType:
        """Return the code of a function in a source."""
        code = compile(source, str(self.path), "exec")
        for name in names:
            # The last definition, after overloads.
            code = [part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name][-1]
        return code

    def live(self, names: tuple[str, ...]) -> FunctionType:
        """Return the function of the imported module."""
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

    def put(self, mutant: Mutant) -> None:
        """Replace a live table or default by the mutant's, in this module and in others."""
        live = importlib.import_module(self.name)
        made = sys.modules[self.name] = ModuleType(self.name)
        exec(compile(mutant.source, str(self.path), "exec"), vars(made))
        sys.modules[self.name] = live
        owner, statement = next(
            (owner, part)
            for owner, part in _statements(self.tree)
            if part.lineno <= mutant.line <= (part.end_lineno or 0)
        )
        old, new = (live, made) if owner is None else (vars(live)[owner], vars(made)[owner])
        if isinstance(statement, ast.FunctionDef):
            was, now = vars(old)[statement.name], vars(new)[statement.name]
            was.__defaults__, was.__kwdefaults__ = now.__defaults__, now.__kwdefaults__
            return
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in vars(new):
                was = vars(old)[node.id]
                for holder in [old] if owner else list(sys.modules.values()):
                    if getattr(holder, "__dict__", {}).get(node.id) is was:
                        setattr(holder, node.id, vars(new)[node.id])
        if "__dataclass_fields__" in vars(old):
            old.__init__, old.__dataclass_fields__ = new.__init__, new.__dataclass_fields__


def _statements(tree: ast.Module) -> Iterator[tuple[str | None, ast.stmt]]:
    """Yield the statements of a module and its classes, with class names."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from ((node.name, part) for part in node.body)
        else:
            yield None, node


def _functions(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    """Return the outermost functions of a module: their names and the lines of their bodies."""
    for owner, node in _statements(tree):
        if isinstance(node, ast.FunctionDef):
            names = (node.name,) if owner is None else (owner, node.name)
            yield names, (node.body[0].lineno, node.end_lineno or 0)


def _test_of(item: pytest.Item) -> str:
    """Return the test of an item, and for metric tests also the metric."""
    return item.nodeid.partition("|" if "|" in item.nodeid else "[")[0]


def _mixed(items: list[pytest.Item]) -> list[pytest.Item]:
    """Order items: one case of each test and metric first, then the second of each, and so on."""
    seen: Counter[str] = Counter()
    places = {}
    for item in items:
        seen[_test_of(item)] += 1
        places[item.nodeid] = seen[_test_of(item)]
    return sorted(items, key=lambda item: places[item.nodeid])


class Swap(Quick):
    """Test the mutants within functions, in the process that collected the tests."""

    def __init__(self, modules: Sequence[Module], seconds: float, longest: float, out: Path) -> None:
        self.modules, self.seconds, self.longest, self.out = modules, seconds, longest, out
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def _run(self, item: pytest.Item) -> bool:
        self.failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.failed

    def _survey(self, items: list[pytest.Item]) -> dict[str, tuple[float, list[list[int]]]]:
        """Return the seconds of each fast test, and its calls as module and first line. Each test runs in a fork."""
        found: dict[str, tuple[float, list[list[int]]]] = {}
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        useless: set[str] = set()
        for item in _mixed(items):
            # A test that calls nothing for one setting of a metric is skipped for the others.
            if "|" in item.nodeid and _test_of(item) in useless:
                continue
            if resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun > self.seconds:
                break
            reader, writer = os.pipe()
            process = os.fork()
            if process == 0:
                self._look(item, writer)
            os.close(writer)
            with open(reader, "rb") as stream:
                told = stream.read()
            code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            if code == 0:
                taken, called = json.loads(told)
                if called:
                    found[item.nodeid] = taken, called
                else:
                    useless.add(_test_of(item))
            elif code > 0:
                write(f"fails without a mutant: {item.nodeid}")
        return found

    def _look(self, item: pytest.Item, writer: int) -> None:
        """Run one test, write its time and calls, and end the process."""
        called: set[tuple[int, int]] = set()
        paths = {str(module.path): number for number, module in enumerate(self.modules)}

        def trace(frame: FrameType, event: str, argument: Any) -> None:
            number = paths.get(frame.f_code.co_filename)
            if number is not None:
                called.add((number, frame.f_code.co_firstlineno))

        # The signal ends slower tests.
        signal.setitimer(signal.ITIMER_PROF, self.longest)
        started = time.process_time()
        sys.settrace(trace)
        passed = self._run(item)
        sys.settrace(None)
        os.write(writer, json.dumps((time.process_time() - started, sorted(called))).encode())
        os._exit(0 if passed else 1)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        session.config.pluginmanager.unregister(name="terminalreporter")
        told = self._survey(session.items)
        items = sorted((item for item in session.items if item.nodeid in told), key=lambda item: told[item.nodeid][0])
        write(f"{len(items)} of {len(session.items)} tests are quick and call the modules")
        survivors, quick = [], []
        for number, module in enumerate(self.modules):
            survivors.append(list(self._survivors(module, number, items, told)))
            quick.append(list(_within(items, told, SECONDS_ANEW, lambda place, own=number: place[0] == own)))
        self.out.write_text(
            json.dumps({"survivors": survivors, "quick": [[item.nodeid for item in part] for part in quick]})
        )
        os._exit(0)

    def _test(self, change: Callable[[], None], items: list[pytest.Item]) -> int:
        change()
        return 0 if all(self._run(item) for item in items) else 1

    def _survivors(self, module: Module, own: int, items: list[pytest.Item], told: dict[str, Any]) -> Iterator[int]:
        for number, mutant in enumerate(module.mutants):
            names = module.function(mutant)
            seconds = SECONDS_EXPLAINED if explained(module.title, mutant) else SECONDS
            if names is None:
                change = functools.partial(module.put, mutant)
                able = list(_within(items, told, seconds, lambda called: called[0] == own))
            else:
                live = module.live(names)
                place = [own, live.__code__.co_firstlineno]
                change = functools.partial(setattr, live, "__code__", module.code(mutant.source, names))
                able = list(_within(items, told, seconds, lambda called, place=place: called == place))

            work = functools.partial(self._test, change, able)
            if child(work, SECONDS) == "survived":
                yield number
                if names and not explained(module.title, mutant):
                    show(module, mutant, f"survived {len(able)} tests")


def _within(
    items: list[pytest.Item], told: dict[str, Any], seconds: float, wanted: Callable[[list[int]], bool]
) -> Iterator[pytest.Item]:
    """Return the fastest relevant tests, up to a total of seconds; at least one."""
    for count, item in enumerate(item for item in items if any(map(wanted, told[item.nodeid][1]))):
        seconds -= told[item.nodeid][0]
        if seconds < 0 and count:
            return
        yield item


def write(text: str) -> None:
    """Print past pytest's capturing."""
    os.write(OUTPUT, f"{text}\n".encode())


def show(module: Module, mutant: Mutant, outcome: str) -> None:
    """Print a survivor."""
    place = f"{module.path.relative_to(ROOT)}:{mutant.line}"
    write(f"{place}: {outcome}, {mutant.operator}\n  - {mutant.before}\n  + {mutant.after}")


def test(modules: Sequence[Module], tests: Sequence[str], seconds: float, longest: float) -> list[list[Mutant]]:
    """Return the mutants of each module that the tests do not notice."""
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "told.json"
        process = os.fork()
        if process == 0:
            status = pytest.main([*OPTIONS, *tests], plugins=[Swap(modules, seconds, longest, out)])
            os._exit(int(status) or 3)
        if os.waitpid(process, 0)[1] != 0:
            sys.exit(1)
        told = json.loads(out.read_text())
    survivors = []
    for module, numbers, quick in zip(modules, told["survivors"], told["quick"], strict=True):
        found = []
        for mutant in [module.mutants[number] for number in numbers]:
            if module.function(mutant):
                found.append(mutant)
            else:

                def anew(module: Module = module, mutant: Mutant = mutant, quick: list[str] = quick) -> int:
                    sys.meta_path.insert(0, Mutated(module.name, module.path, mutant.source))
                    return int(pytest.main([*OPTIONS, *quick], plugins=[Quick()]))

                if child(anew, 20) == "survived":
                    found.append(mutant)
                    if not explained(module.title, mutant):
                        show(module, mutant, f"survived {len(quick)} tests")
        survivors.append(found)
    return survivors


def explained(module: str, mutant: Mutant) -> bool:
    """Return whether explained.toml explains why no test notices a mutant."""
    return any(
        fnmatch(module, entry["module"])
        and entry["line"] in mutant.before
        and any(part in mutant.after for part in entry.get("mutants", [""]))
        for entry in EXPLAINED
    )


def main() -> None:
    """Run the named modules, or all. Print survivors and a table, and fail if one is not explained."""
    parser = argparse.ArgumentParser(description="Mutation testing of the formula modules.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as metrics/bleu; all by default")
    parser.add_argument("--lines", type=int, nargs="*", default=[], help="only the mutants of these lines")
    parser.add_argument("--tests", nargs="*", help="tests in the place of those that modules.toml names")
    parser.add_argument("--seconds", type=float, default=300.0, help="for choosing the tests that are quick")
    parser.add_argument("--longest", type=float, default=0.5, help="seconds that a quick test may take")
    parser.add_argument("--functions", action="store_true", help="leave out tables and defaults, which take longer")
    given = parser.parse_args()
    os.chdir(ROOT)
    subsets = tomllib.loads((HERE / "modules.toml").read_text())
    for package in PACKAGES:
        try:
            importlib.import_module(package)
        except ImportError:
            continue
    assert "refscore" not in sys.modules
    names = given.modules or list(subsets)
    modules = [Module(name, given.lines) for name in names]
    if given.functions:
        for module in modules:
            module.mutants = [mutant for mutant in module.mutants if module.function(mutant)]
    tests = list(dict.fromkeys(file for name in names for file in subsets[name]))
    survivors = test(modules, given.tests or tests, given.seconds, given.longest)
    print(f"{'module':28}{'mutants':>8}{'killed':>8}{'survived':>9}{'explained':>10}")
    for module, found in zip(modules, survivors, strict=True):
        count, known = len(module.mutants), sum(explained(module.title, mutant) for mutant in found)
        print(f"{module.title:28}{count:8}{count - len(found):8}{len(found):9}{known:10}")
    sys.exit(
        any(
            not explained(module.title, mutant)
            for module, found in zip(modules, survivors, strict=True)
            for mutant in found
        )
    )


if __name__ == "__main__":
    main()

"""Development tasks: `nox` runs the tests on every Python and the checks, `nox -s NAME` runs one of them.

`.ci/run` and the workflows run the same sessions. Each session creates an environment. With `--no-venv --no-install` it
uses the one that nox is installed in.
"""

from pathlib import Path

import nox

nox.options.sessions = ["tests", "lint", "types"]

# Builds of the kernel tests: under sanitizers, with inputs that once failed in fuzzing, and as portable code.
NATIVE_BUILDS = {
    "address": ["-DREFSCORE_SANITIZE=address,undefined"],
    "thread": ["-DREFSCORE_SANITIZE=thread"],
    "regressions": ["-DREFSCORE_SANITIZE=address,undefined", "-DREFSCORE_REPLAY=ON"],
    "portable": ["-DREFSCORE_PORTABLE=ON"],
}

# Builds with other compilers, which only run on request. The toolchain files name the Debian packages that they need.
PLATFORM_BUILDS = {
    "arm64": ["-DCMAKE_TOOLCHAIN_FILE=aarch64.cmake"],
    "s390x": ["-DCMAKE_TOOLCHAIN_FILE=s390x.cmake"],
    "libc++": ["-DCMAKE_TOOLCHAIN_FILE=libc++.cmake"],
    "mingw": ["-DCMAKE_TOOLCHAIN_FILE=mingw.cmake"],
}

PROJECT = nox.project.load_toml("pyproject.toml")
# Pinned there: other versions break lines in other places, or know other mistakes.
CLANG_TOOLS = [each for each in PROJECT["project"]["optional-dependencies"]["dev"] if each.startswith("clang-")]
PACKAGE_TOOLS = ["build", "cmake", "ninja", *PROJECT["build-system"]["requires"]]

# The first test limits the file size, so coverage data cannot be saved. The second is too slow with coverage.
NOT_COUNTED = ["tests/test_writing.py::test_a_full_disk", "tests/test_little_memory.py::test_too_little_memory"]


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run all tests in a fresh environment."""
    session.install(".[test]")
    session.run("python", "-m", "pytest", "-n", "auto", "-m", "", *session.posargs)


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def quick(session: nox.Session) -> None:
    """Run the quick tests in a fresh environment."""
    session.install(".[test]")
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *session.posargs)


@nox.session
def bare(session: nox.Session) -> None:
    """Run the quick tests without refscore's optional packages."""
    session.install(".[originals]", "pytest", "pytest-xdist", "hypothesis")
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *session.posargs)


@nox.session
def environments(session: nox.Session) -> None:
    """Run the quick tests in each difficult environment, or in the arguments together."""
    session.install(".[test]")
    session.run("python", "tests/environments.py", *session.posargs)
    for other in () if session.posargs else ("bare", "quick-3.10", "quick-3.12", "quick-3.13"):
        session.notify(other)


@nox.session
def lint(session: nox.Session) -> None:
    """Check the style of the code, and look for mistakes in the kernels."""
    session.install("ruff", *CLANG_TOOLS, "cmake", "ninja")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    native = [
        str(path)
        for folder in ("native", "bench/native")
        for path in sorted(Path(folder).rglob("*.[ch]*"))
        if path.suffix in (".c", ".cpp", ".hpp")
    ]
    session.run("clang-format", "--dry-run", "--Werror", *native, silent=True)
    build = Path("build/tidy")
    export = "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"
    session.run("cmake", "-S", "native/tests", "-B", str(build), "-G", "Ninja", export, silent=True)
    kernels = [str(path) for path in sorted(build.glob("CMakeFiles/kernels.dir/Unity/*.cxx"))]
    # Compiler flags of GCC, which clang does not know, are no mistakes.
    known = "--extra-arg=-Wno-unused-command-line-argument"
    session.run("clang-tidy", "--quiet", known, "-p", str(build), *kernels, silent=True)


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the installed package and of the benchmarks."""
    session.install(".[dev]")
    session.run("mypy", "-p", "refscore")
    session.run("mypy", "bench")


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks of refscore and other tools."""
    session.install(".[bench]")
    session.run("python", "-m", "bench", *session.posargs)


@nox.session
def native(session: nox.Session) -> None:
    """Run the kernel tests; arguments select builds, also for other platforms."""
    session.install("cmake", "ninja")
    for name in session.posargs or NATIVE_BUILDS:
        native_tests(session, f"build/native-tests-{name}", (NATIVE_BUILDS | PLATFORM_BUILDS)[name])


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure the coverage of Python (lines and branches) and kernels (lines); arguments select tests."""
    settings = ["cmake.define.REFSCORE_COVERAGE=ON", "build-dir=build/coverage"]
    # Install optional packages, so their tests are not skipped.
    package = ".[test,coverage,evaluate,ray,spark,torch]"
    session.install(*(f"--config-settings={setting}" for setting in settings), package, "cmake", "ninja")
    native_tests(session, "build/native-tests-coverage", ["-DREFSCORE_COVERAGE=ON"])
    session.run(
        "python", "-m", "pytest", "-q", "-n", "auto", "-m", "", "--cov", "--cov-report=", "--cov-fail-under=0",
        *(f"--deselect={test}" for test in NOT_COUNTED), *session.posargs,
    )  # fmt: skip
    session.run("gcovr", "build/coverage", "build/native-tests-coverage")
    session.run("coverage", "report")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzz the kernels with clang's libFuzzer, for an hour by default."""
    session.install("cmake", "ninja")
    session.run("python", "native/fuzz/run.py", *(session.posargs or ["--seconds", "3600"]))


@nox.session
def mutation(session: nox.Session) -> None:
    """Test the tests: make small changes to the formulas, which a test must notice; arguments select modules."""
    session.install(".[test]", "cosmic-ray")
    session.run("python", "tests/mutation/run.py", *session.posargs)


@nox.session
def upstream(session: nox.Session) -> None:
    """Run the tests of the replaced libraries with the originals and the drop-ins; arguments select suites."""
    session.install(".[test,torch,ja]", "torchmetrics==1.9.0", "cachier==4.1.0", "pip")
    session.run("python", "tests/upstream/run.py", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, with warnings as errors."""
    session.install(".[docs]")
    session.run("python", "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", "build/site")


@nox.session
def packages(session: nox.Session) -> None:
    """Build the source package and a wheel from it, without network and reproducibly."""
    session.install(*PACKAGE_TOOLS)
    session.run("python", ".ci/packages.py", *session.posargs)


@nox.session
def release(session: nox.Session) -> None:
    """Check everything that a release needs, up to the upload; `--final` fails if anything remains to do."""
    session.install(*PACKAGE_TOOLS, "pip", "readme-renderer[md]", "twine", *PROJECT["project"]["dependencies"])
    session.run("python", ".ci/release.py", *session.posargs)


def native_tests(session: nox.Session, build: str, options: list[str]) -> None:
    """Build the kernel tests with these options and run them."""
    session.run("cmake", "-S", "native/tests", "-B", build, "-G", "Ninja", *options, silent=True)
    session.run("cmake", "--build", build)
    session.run("ctest", "--test-dir", build, "--output-on-failure", "--parallel", "2")

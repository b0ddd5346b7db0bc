"""Development tasks: `nox` runs the tests on every Python and the checks, `nox -s NAME` one of them."""

import nox

nox.options.sessions = ["tests", "lint", "types"]


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """All tests, in a fresh environment."""
    session.install(".[test]")
    session.run("python", "-m", "pytest", "-n", "auto", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style of the Python code."""
    session.install("ruff")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Types of the installed package and of the benchmarks."""
    session.install(".[dev]")
    session.run("mypy", "-p", "refscore")
    session.run("mypy", "bench")


@nox.session
def bench(session: nox.Session) -> None:
    """Benchmarks with the peers side by side."""
    session.install(".[bench]")
    session.run("python", "-m", "bench", *session.posargs)


@nox.session
def native(session: nox.Session) -> None:
    """Tests of the kernels alone, under sanitizers."""
    session.install("cmake", "ninja")
    for sanitizers in ("address,undefined", "thread"):
        build = f"build/native-tests-{sanitizers.split(',')[0]}"
        session.run("cmake", "-S", "native/tests", "-B", build, "-G", "Ninja", f"-DREFSCORE_SANITIZE={sanitizers}")
        session.run("cmake", "--build", build)
        session.run("ctest", "--test-dir", build, "--output-on-failure")

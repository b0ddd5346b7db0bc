"""`refscore serve`: output, pages and rejected requests."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest
import vl_convert  # noqa: F401
import werkzeug  # noqa: F401

from refscore.cli.demo import FOLDER
from refscore.report import server
from tests.cli.running import at, check_failure, status_of

SYSTEMS = [FOLDER / "alder.txt", FOLDER / "birch.txt"]
REFERENCES = ["-r", FOLDER / "reference.a.txt"]


@contextmanager
def running(*arguments):
    """Run the command and yield the address that it prints."""
    line = [sys.executable, "-m", "refscore", "serve", "--port", "0", *map(str, arguments)]
    pipe = subprocess.PIPE
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process may ignore interrupts
    started = subprocess.Popen(line, stdout=pipe, stderr=pipe, text=True)
    signal.signal(signal.SIGINT, before)
    with started as process:
        try:
            printed = process.stdout.readline()
            found = re.fullmatch(r"(http://127\.0\.0\.1:\d+/) \(press Ctrl-C to stop\)\n", printed)
            assert found, printed + process.stderr.read()
            yield process, found[1]
        finally:
            process.kill()


def fetched(address):
    with urllib.request.urlopen(address, timeout=300) as answer:
        return answer.read().decode()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent another way there")
def test_a_report():
    options = ["-m", "bleu:nltk,chrf", "--title", "Two of them", "-q"]
    with running(*SYSTEMS, *REFERENCES, *options) as (process, address):
        page = fetched(address)
        assert "<h1>Two of them</h1>" in page
        assert "connect-src 'self'" in page
        assert re.findall('value="([^"]*)" checked', fetched(address + "form")) == ["bleu:nltk", "chrf"]
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 0
        assert process.stderr.read() == ""


def test_the_address_is_printed_before_the_report_is_built(tmp_path):
    """A system with too few lines is detected when the report is built, after the address was printed."""
    (tmp_path / "short.txt").write_text("one line\n", encoding="utf-8")
    with running(SYSTEMS[0], tmp_path / "short.txt", *REFERENCES) as (process, _):
        assert process.wait(300) == 2
        assert str(SYSTEMS[0]) in process.stderr.read()


@pytest.mark.slow
def test_files_are_watched(tmp_path):
    for name in ("birch.txt", "segments.jsonl"):
        shutil.copy(FOLDER / name, tmp_path)
    files = ["-q", "-m", "bleu", "--units", f"{tmp_path / 'segments.jsonl'}:document"]
    with running(tmp_path / "birch.txt", *REFERENCES, *files) as (_, address):

        def until(holds):
            deadline = time.monotonic() + 300
            while not holds(state := json.loads(fetched(address + "state"))):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            return state

        first = until(lambda state: state["problem"] is None)["version"]
        shutil.copy(FOLDER / "alder.txt", tmp_path / "birch.txt")
        second = until(lambda state: state["version"] != first)["version"]
        with (tmp_path / "segments.jsonl").open("a", encoding="utf-8") as labels:
            labels.write('{"document": "x"}\n')
        problem = until(lambda state: state["problem"])
        assert "segments.jsonl" in problem["problem"]
        assert problem["version"] == second


def test_the_form_alone():
    with running("-m", "ter") as (_, address):
        assert 'value="ter" checked' in fetched(address)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([*SYSTEMS], "-r"),
        (REFERENCES, "system"),
        (["-", *REFERENCES], at("standard input")),
        (["none.txt", *REFERENCES], at("none.txt")),
        (["--port", "70000"], "70000"),
    ],
)
def test_mistakes(arguments, expected, capsys):
    check_failure(capsys, ["serve", *arguments], expected)


def test_a_port_that_is_taken(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert status_of(["serve", "--port", port]) == 2
    assert capsys.readouterr().err.startswith(f"refscore: port {port} is in use: choose a different --port")


def test_a_missing_package(capsys, monkeypatch):
    monkeypatch.setattr(server, "find_spec", lambda name: None)
    assert status_of(["serve"]) == 2
    assert "pip install 'refscore[report]'" in capsys.readouterr().err

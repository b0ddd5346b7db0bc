"""The server: its address, its answers, and rejected requests."""

import errno
import http.client
import json
import multiprocessing
import os
import re
import socket
import time
from urllib.parse import urlencode

import pytest
import werkzeug  # noqa: F401

import refscore
from refscore.report import form_worker, server as serving
from refscore.report.live_reload import State
from tests.report.serving import served

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
FILLED = urlencode({"hypothesis": "a cat", "reference-1": "the cat", "metrics": "bleu"})


class Page:
    """A replacement for a report."""

    state = State("<p>the report</p>", "v1")
    start = stop = staticmethod(lambda: None)


@pytest.fixture(scope="module")
def server():
    with served(Page()) as found:
        yield found


def ask(server, method="GET", path="/", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.putrequest(method, path, skip_host=True)
        given = {"Host": f"127.0.0.1:{server.port}", **{name.replace("_", "-"): text for name, text in headers.items()}}
        content = b"" if body is None else body.encode()
        if body is not None:
            given = {"Content-Length": str(len(content)), **FORM, **given}
        for name, text in given.items():
            connection.putheader(name, text)
        connection.endheaders(content)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers
    finally:
        connection.close()


def test_it_listens_on_this_machine_alone(server):
    assert server.address == f"http://127.0.0.1:{server.port}/"
    assert server._server.socket.getsockname()[0] == "127.0.0.1"
    with socket.socket() as other:
        other.settimeout(2)
        assert other.connect_ex(("127.0.0.2", server.port)) != 0


def test_pages(server):
    assert ask(server)[:2] == (200, "<p>the report</p>")
    assert json.loads(ask(server, path="/state")[1]) == {"version": "v1", "problem": None}
    status, page, _ = ask(server, path="/form")
    assert status == 200
    assert ">Report</a>" in page
    assert ask(server, path="/none")[0] == 404
    assert ask(server, "POST", "/", "")[0] == 405
    assert ask(server, "PUT", "/form", "")[0] == 405


def test_the_form_alone():
    with served() as server:
        status, page, _ = ask(server)
        assert status == 200
        assert "<textarea" in page
        assert ">Report</a>" not in page
        assert ask(server, path="/state")[0] == 404


@pytest.mark.parametrize("path", ["/", "/form", "/state", "/none"])
def test_headers(server, path):
    headers = ask(server, path=path)[2]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in headers
    if path == "/form":
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-") and "form-action 'self'" in policy
        assert "script" not in policy and "unsafe" not in policy


@pytest.mark.parametrize("host", ["", "evil.example", "127.0.0.1.evil.example", "localhost.evil:1"])
@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("GET", "/state"), ("POST", "/form")])
def test_other_names_are_refused(server, host, method, path):
    status, text, _ = ask(server, method, path, FILLED if method == "POST" else None, Host=host)
    assert status == 421
    assert "report" not in text.replace("refscore", "")
    for name in ("127.0.0.1", "localhost:1234", "LOCALHOST"):
        assert ask(server, Host=name)[0] == 200


def test_forms(server):
    status, page, _ = ask(server, "POST", "/form", FILLED)
    assert status == 200
    assert "BLEU, step by step" in page
    own = f"http://127.0.0.1:{server.port}"
    assert ask(server, "POST", "/form", FILLED, Origin=own, Sec_Fetch_Site="same-origin")[0] == 200
    assert ask(server, "POST", "/form", "hypothesis=a")[0] == 400
    assert ask(server, "POST", "/form", FILLED + "&segment=x")[0] == 400
    status, text, _ = ask(server, "POST", "/form", urlencode({"hypothesis": "x" * 100_000}))
    assert status == 413 and "more than 100,000 bytes" in text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_forms_of_other_pages_are_refused(server, headers):
    assert ask(server, "POST", "/form", FILLED, **headers)[0] == 403


LAST_CHUNK = b"0\r\n\r\n"


def chunked(server, *chunks, end=LAST_CHUNK):
    """Return the answer to a form that is sent in chunks, without a length."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        head = "POST /form HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: "
        connection.sendall((head + FORM["Content-Type"] + "\r\n\r\n").encode())
        for chunk in chunks:
            connection.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        connection.sendall(end)
        if end != LAST_CHUNK:
            connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b"")).decode()
    return int(answer.split(" ", 2)[1]), answer


def test_forms_in_chunks(server):
    content = FILLED.encode()
    status, page = chunked(server, content[:7], content[7:])
    assert status == 200
    assert "BLEU, step by step" in page
    fitting = urlencode({"hypothesis": "", "metrics": "bleu"}).encode()
    fitting = fitting.replace(b"hypothesis=", b"hypothesis=" + b"x" * (100_000 - len(fitting)))
    assert chunked(server, fitting)[0] == 400  # it was read, and has no references
    status, text = chunked(server, fitting, b"x")
    assert status == 413
    assert "more than 100,000 bytes" in text
    assert chunked(server, content, *[b"x" * 30_000] * 40)[0] == 413
    for end in (b"zz\r\n", b"ff\r\ncut off"):
        status, text = chunked(server, content, end=end)
        assert status == 400 and "the form is incomplete" in text


def test_connections_are_bounded(monkeypatch):
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 3)
    with served() as server:
        idle = [socket.create_connection(("127.0.0.1", server.port), timeout=30) for _ in range(3)]
        assert ask(server)[0] == 503
        for connection in idle:
            connection.sendall(b"GET /form HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while connection.recv(65_536):
                pass
            connection.close()
        # A thread ends shortly after its answer.
        assert any(ask(server)[0] == 200 for _ in range(1000))


def test_a_connection_that_cannot_be_accepted(monkeypatch):
    """If all file descriptors are in use, the server waits and then continues."""
    with served() as server:
        pauses = []
        monkeypatch.setattr(serving.time, "sleep", pauses.append)

        class Exhausted:
            def accept(self):
                raise OSError(errno.EMFILE, "Too many open files")

        listening = server._server.socket
        server._server.socket = Exhausted()
        server._server._handle_request_noblock()
        server._server.socket = listening
        assert len(pauses) == 1
        assert ask(server)[0] == 200


def test_many_parts_are_refused(server):
    parts = "".join(f'--b\r\nContent-Disposition: form-data; name="{i}"\r\n\r\nx\r\n' for i in range(100)) + "--b--\r\n"
    assert ask(server, "POST", "/form", parts, Content_Type="multipart/form-data; boundary=b")[0] == 413


def test_uploads(server):
    def part(name, content, file=""):
        return f'--b\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n{content}\r\n'

    parts = [
        part("hypothesis", "not this"),
        part("hypothesis-file", "a cat\nein Hündchen", '; filename="h.txt"'),
        part("reference-1", "a cat\r\nein Hund"),
        part("reference-1-file", "", '; filename=""'),
        part("metrics", "wer"),
    ]
    kind = "multipart/form-data; boundary=b"
    status, page, _ = ask(server, "POST", "/form", "".join(parts) + "--b--\r\n", Content_Type=kind)
    assert status == 200
    assert re.search(r'<span class="value">25\.00</span>', page)
    assert "ein Hündchen</textarea>" in page


SLOW = urlencode({"hypothesis": "a b c d " * 625, "reference-1": "d c a b " * 625, "metrics": "character"})


def workers():
    return [process for process in multiprocessing.active_children() if process.name == "refscore-form"]


def wait_until(holds, seconds=30):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_slow_form_does_not_block_others():
    with served(seconds=300) as server, socket.create_connection(("127.0.0.1", server.port), timeout=30) as slow:
        head = f"POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORM['Content-Type']}\r\n"
        slow.sendall(f"{head}Content-Length: {len(SLOW)}\r\n\r\n{SLOW}".encode())
        wait_until(workers)
        assert ask(server, "POST", "/form", FILLED)[0] == 200
        assert workers()  # it is still at work
        slow.close()  # the client goes away
        wait_until(lambda: not workers())


def test_the_time_of_a_form_is_limited():
    with served(seconds=1) as server:
        start = time.monotonic()
        status, page, _ = ask(server, "POST", "/form", SLOW)
        assert status == 400
        assert "scoring takes longer than 1 s" in page
        assert "character" in page  # the form keeps its values
        assert time.monotonic() - start < 10
        assert not workers()


def test_the_number_of_forms_at_a_time_is_limited(monkeypatch):
    monkeypatch.setattr(form_worker, "MOST_WORKERS", 0)
    with served(seconds=0.3) as server:
        assert ask(server, "POST", "/form", FILLED)[0] == 429


def die(*_):
    os._exit(1)


def test_a_process_that_dies(monkeypatch):
    monkeypatch.setattr(form_worker, "_answer", die)
    with served() as server:
        status, page, _ = ask(server, "POST", "/form", FILLED)
        assert status == 500
        assert "scoring ended early" in page


def test_a_process_that_cannot_be_started(server, monkeypatch):
    def fail(self):
        raise OSError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", fail)
    assert ask(server, "POST", "/form", FILLED)[0] == 500
    monkeypatch.undo()
    assert ask(server, "POST", "/form", FILLED)[0] == 200


def test_limits_apply_to_forms():
    with refscore.metrics.limits(max_tokens=3), served() as server:
        status, page, _ = ask(server, "POST", "/form", FILLED.replace("a+cat", "a+b+c+d"))
        assert status == 400
        assert "the output has 4 tokens" in page


def test_downloads(server):
    for form, kind in {"html": "text/html", "csv": "text/csv", "json": "application/json"}.items():
        status, text, headers = ask(server, "POST", "/form", f"{FILLED}&download={form}")
        assert status == 200 and text
        assert headers["Content-Disposition"] == f'attachment; filename="refscore.{form}"'
        assert headers["Content-Type"] == f"{kind}; charset=utf-8"
    status, page, headers = ask(server, "POST", "/form", "download=csv")
    assert status == 400 and "<form" in page and "Content-Disposition" not in headers
    assert ask(server, "POST", "/form", f"{FILLED}&download=exe")[0] == 400


def test_the_example(server):
    assert "Try an example" in ask(server, path="/form")[1]
    status, page, _ = ask(server, "POST", "/form", "example=1")
    assert status == 200
    assert '<ul class="sentences">' in page
    assert 'value="two"' in page and "the cat\nhere</textarea>" in page
    assert "Try an example" not in page


def test_a_file_names_its_system(server):
    body = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{text}\r\n'
        for name, more, text in [
            ("hypothesis-file", '; filename="old.v1.txt"', "a cat\nhere"),
            ("hypothesis-2-file", '; filename="new.txt"', "the cat\nhere"),
            ("name-2", "", "newest"),
            ("reference-1", "", "the cat\nhere"),
            ("metrics", "", "bleu"),
        ]
    )
    status, page, _ = ask(server, "POST", "/form", body + "--b--\r\n", Content_Type="multipart/form-data; boundary=b")
    assert status == 200
    assert 'value="old.v1"' in page and 'value="newest"' in page

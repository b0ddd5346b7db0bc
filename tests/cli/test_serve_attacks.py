"""Attacks on a running `refscore serve`. Every answer is 2xx or 4xx, nothing is imported or printed, and it goes on."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import quote

import pytest
import werkzeug  # noqa: F401

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent another way there")

MODULE = "canary_of_attacks"
WAIT = 30  # seconds until an answer, at most
MOST_SECONDS = 10  # --max-seconds
URLENCODED = b"Content-Type: application/x-www-form-urlencoded\r\n"
MULTIPART = b"Content-Type: multipart/form-data; boundary=b\r\n"
GOOD = {"hypothesis": "a cat\na dog", "reference-1": "the cat\na dog", "metrics": "bleu"}


def request(start=b"POST /form", headers=b"", body=b"", *, host=b"127.0.0.1", version=b"HTTP/1.1"):
    """Return a request as bytes."""
    length = b"Content-Length: %d\r\n" % len(body) if body else b""
    return b"%s %s\r\nHost: %s\r\n%s%s\r\n%s" % (start, version, host, headers, length, body)


def form(**fields):
    """Return a filled form with other fields. Lists repeat a field, and bytes are sent as they are."""
    pairs = []
    for name, value in {**GOOD, **{name.replace("_", "-"): value for name, value in fields.items()}}.items():
        for each in value if isinstance(value, list) else [value]:
            pairs.append(quote(name).encode() + b"=" + (each if isinstance(each, bytes) else quote(each).encode()))
    return request(headers=URLENCODED, body=b"&".join(pairs))


def part(name, content=b"x", more=b""):
    return b'--b\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n' % (name, more, content)


def multipart(*parts, end=b"--b--\r\n", headers=MULTIPART):
    filled = [part(name.encode(), text.encode()) for name, text in GOOD.items()]
    return request(headers=headers, body=b"".join([*filled, *parts]) + end)


def chunked(data):
    return request(headers=URLENCODED + b"Transfer-Encoding: chunked\r\n") + data


PATHS = [
    "/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/....//etc/passwd", "//etc/passwd",
    "/form/../../etc/passwd", "/form/", "/form%00", "/form;a=b", "/%", "/%zz", "/%ff%fe", "/%c0%af",
    "/\\..\\..\\windows",
    "/state", "/favicon.ico", "/robots.txt", "/static/../form", f"/{MODULE}:X", f"/form?metrics={MODULE}:X",
    "/form?" + "a=b&" * 5000, "/" + "a" * 60_000, "/" + "a" * 70_000, "/form#explained", "/?download=html",
    "http://evil.example/form", "http://127.0.0.1/form", "*", "/form?segment=99999999999", "/%F0%9F%92%A9", "/\u00e9",
]  # fmt: skip
METHODS = [
    "HEAD",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "get",
    "POST ",
    "G" * 5000,
    "\x00",
]
NAMES = [
    f"{MODULE}:X", f"bleu ({MODULE}:X)", f"{MODULE}.inner:X", "this:X", "os:system", "antigravity:fly", "bleu:../x",
    "spm:/etc/passwd", "bleu,bleu", "a" * 100_000, ",".join(["bleu"] * 5000), "bleu (" * 3000, ")" * 3000,
    "chrf" + "+" * 3000,
    "rouge" + "9" * 5000, "chrf1e400", "chrf-1", "chrfnan", "ROUGE-0", "bleu\x00", "\x00", "\u202e", "", ",,,", "None",
    "__class__",
    "{0.__class__}", "%s%s%n", "$metrics", "${style}", "nist", "cider", "crystalbleu", "sari", "comet", "given",
    "cpwer", "tcpwer:x",
]  # fmt: skip
TEXTS = [
    b"%00", b"%ff%fe", b"%ed%a0%80", b"%C0%AF", b"%", b"%zz", b"\xff\xfe", b"a%0Db", b"%E2%80%AE", b"%F4%90%80%80",
    "\ufeffa\nb", "<script>alert(1)</script>\n<!--", "$hypothesis\n${x}", "\u2028\n\u2029", "a" * 100_001,
    "\n" * 50_000,
    "\u0301" * 5000 + "\nb", "\U0010ffff\n\ufdfa", "\ufdfa" * 50_000 + "\nb", "{{7*7}}\n{%s}", "=cmd|'/c calc'!A1\nb",
]  # fmt: skip
FORMS = {
    **{f"metrics {name[:20]!r}": form(metrics=name) for name in NAMES},
    **{f"tokenizer {name[:20]!r}": form(tokenizer=name) for name in NAMES[:12]},
    **{f"output {text[:20]!r}": form(hypothesis=text) for text in TEXTS},
    **{f"both {text[:20]!r}": form(hypothesis=text, reference_1=text) for text in TEXTS},
    **{f"name {text[:20]!r}": form(name_1=text, hypothesis_2="a\nb", name_2=text) for text in TEXTS},
    **{f"segment {text[:20]!r}": form(segment=text)
       for text in ["0", "-1", "9" * 9, "9" * 5000, "1e3", "\u0661", "NaN"]},
    **{f"download {text[:20]!r}": form(download=text)
       for text in ["html", "csv", "json", "../x", "exe\r\nX: y", "\x00"]},
    "several metrics fields": form(metrics=["bleu", "chrf", "ter"] * 20),
    "several outputs": form(hypothesis=["a\nb", "c"]),
    "many systems": form(**{f"hypothesis_{k}": "a\nb" for k in range(2, 70)}),
    "too many fields": form(**{f"field_{k}": "x" for k in range(20_000)}),
    "systems of other lengths": form(hypothesis_2="a"),
    "two systems of one name": form(hypothesis_2="a\nb", name_1="x", name_2="x"),
    "an example and texts": form(example="1"),
    "too large": form(hypothesis="a" * 2_000_000),
    "quadratic": form(hypothesis="w " * 40_000, reference_1="v " * 40_000, metrics="eed"),
    "slow": form(hypothesis="a b c d " * 2000, reference_1="d c a b " * 2000, metrics="character"),
    "no fields": request(headers=URLENCODED, body=b"&&&==&"),
    "no body": request(),
    "no type": request(body=b"hypothesis=a"),
    "JSON": request(headers=b"Content-Type: application/json\r\n", body=b'{"hypothesis": 1}'),
    "XML": request(headers=b"Content-Type: text/xml\r\n", body=b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"),
    "a charset": request(headers=b"Content-Type: application/x-www-form-urlencoded; charset=utf-7\r\n",
                         body=b"hypothesis=+AGE-"),
    "an unknown charset": request(headers=b"Content-Type: multipart/form-data; boundary=b; charset=x\r\n",
                                  body=part(b"metrics")),
}  # fmt: skip
UPLOADS = {
    "a path as a file name": multipart(part(b"hypothesis-file", b"a\nb", b'; filename="../../etc/passwd"')),
    "NUL in a file name": multipart(part(b"hypothesis-file", b"a\nb", b'; filename="a\x00b"')),
    "a long file name": multipart(part(b"hypothesis-file", b"a\nb", b'; filename="%s"' % (b"a" * 5000))),
    "an encoded file name": multipart(part(b"hypothesis-file", b"a\nb", b"; filename*=utf-16''%ff%fe")),
    "a broken file": multipart(part(b"hypothesis-file", b"\xff\xfe\x00", b'; filename="a"')),
    "an archive": multipart(part(b"hypothesis-file", b"\x1f\x8b\x08" + bytes(999), b'; filename="a.gz"')),
    "surrogates": multipart(part(b"hypothesis", b"\xed\xa0\x80\n\xed\xb0\x80")),
    "a transfer encoding": multipart(part(b"hypothesis", b"x", b"\r\nContent-Transfer-Encoding: base64")),
    "many parts": multipart(*[part(b"a")] * 2000),
    "no end": multipart(end=b""),
    "nothing but the end": request(headers=MULTIPART, body=b"--b--"),
    "no boundary": multipart(headers=b"Content-Type: multipart/form-data\r\n"),
    "an empty boundary": multipart(headers=b"Content-Type: multipart/form-data; boundary=\r\n"),
    "a long boundary": multipart(headers=b"Content-Type: multipart/form-data; boundary=%s\r\n" % (b"b" * 5000)),
    "a part without a name": multipart(b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n"),
    "a part without headers": multipart(b"--b\r\n\r\nx\r\n"),
    "long headers of a part": multipart(b"--b\r\nX: %s\r\n\r\nx\r\n" % (b"x" * 100_000)),
    "nested parts": multipart(b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n"),
}
HEADERS = {
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": request(b"GET /", b"Host: evil.example\r\n"),
    **{f"host {host!r}": request(b"GET /", host=host)
       for host in (b"evil.example", b"", b"127.0.0.1@evil", b"\xff", b"[::1]")},
    "another origin": request(headers=URLENCODED + b"Origin: http://evil.example\r\n", body=b"metrics=bleu"),
    "a null origin": request(headers=URLENCODED + b"Origin: null\r\n", body=b"metrics=bleu"),
    "another site": request(headers=URLENCODED + b"Sec-Fetch-Site: cross-site\r\n", body=b"metrics=bleu"),
    "a forwarded host": request(b"GET /", b"X-Forwarded-Host: evil.example\r\n", host=b"evil.example"),
    "a folded header": request(b"GET /", b"X: a\r\n b\r\n"),
    "a header without a name": request(b"GET /", b": a\r\n"),
    "a header without a colon": request(b"GET /", b"broken\r\n"),
    "a header with NUL": request(b"GET /", b"X: a\x00b\r\n"),
    "a bare line end": request(b"GET /", b"X: a\nY: b\r\n"),
    "many headers": request(b"GET /", b"X: a\r\n" * 500),
    "a long header": request(b"GET /", b"X: %s\r\n" % (b"a" * 70_000)),
    "cookies": request(b"GET /", b"Cookie: %s\r\n" % (b"a=b; " * 5000)),
    "ranges": request(b"GET /", b"Range: bytes=0-0,%s\r\n" % (b"1-1," * 1000)),
    "Expect": request(b"GET /", b"Expect: 100-continue\r\n"),
    "a wrong Expect": request(b"GET /", b"Expect: 500-error\r\n"),
    "an upgrade": request(b"GET /", b"Connection: Upgrade\r\nUpgrade: websocket\r\n"),
    "a proxy": request(b"GET /", b"Proxy: evil\r\nX-Original-URL: /admin\r\nX-HTTP-Method-Override: PUT\r\n"),
    **{f"length {length!r}": request(headers=URLENCODED + b"Content-Length: %s\r\n" % length)
       for length in (b"-1", b"x", b"1e3", b"+5", b"0x10", b"9" * 30, b"5, 5", b"")},
    "two lengths": request(headers=URLENCODED + b"Content-Length: 3\r\n", body=b"metrics=bleu"),
    "a length and chunks": request(headers=URLENCODED + b"Transfer-Encoding: chunked\r\n",
                                   body=b"5\r\nmetri\r\n0\r\n\r\n"),
    "an unknown encoding": request(headers=URLENCODED + b"Transfer-Encoding: gzip, chunked\r\n", body=b"0\r\n\r\n"),
    "compressed": request(headers=URLENCODED + b"Content-Encoding: gzip\r\n", body=b"\x1f\x8b"),
    "no chunks": chunked(b"0\r\n\r\n"),
    **{f"chunk {data[:10]!r}": chunked(data) for data in
       (b"zz\r\n", b"-5\r\nabcde\r\n0\r\n\r\n", b"ffffffffffffffff\r\nx", b"5;x=y\r\nmetri\r\n0\r\n\r\n",
        b"5\r\nmetricsX", b"\r\n\r\n")},
    **{f"version {version!r}": request(b"GET /", version=version)
       for version in (b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/x", b"HTTP/1.1.1", b"SPDY/1", b"",
                       b"HTTP/1.99999999999")},
    "HTTP 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "zeros": bytes(1000),
    "garbage": bytes(range(256)) * 40 + b"\r\n\r\n",
    "only a line end": b"\r\n\r\n",
    "no line end": b"GET",
    "two requests": request(b"GET /form") + request(b"GET /etc/passwd"),
    "a smuggled request": request(headers=URLENCODED, body=b"metrics=bleu") + b"GET /etc/passwd HTTP/1.1\r\n\r\n",
}  # fmt: skip
GROUPS = {
    "paths": {path[:20]: request(b"GET " + path.encode()) for path in PATHS},
    "methods": {method[:20]: request(method.encode() + b" /form") for method in METHODS},
    "forms": FORMS,
    "uploads": UPLOADS,
    "headers": HEADERS,
}


class Serving:
    """A running `refscore serve`."""

    def __init__(self, folder):
        self.folder = folder
        (folder / f"{MODULE}.py").write_text(f"open({str(folder / 'imported')!r}, 'w').close()\n", encoding="utf-8")
        options = ["--port", "0", "--max-seconds", str(MOST_SECONDS), "--max-size", "1"]
        self.errors = (folder / "errors.txt").open("w+")
        line = [sys.executable, "-m", "refscore", "serve", *options]
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process may ignore interrupts
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=folder)
        signal.signal(signal.SIGINT, before)
        self.port = int(re.match(r"http://127\.0\.0\.1:(\d+)/", self.process.stdout.readline())[1])

    def send(self, data, patience=MOST_SECONDS + 2):
        """Return the answer to bytes. Without one in time, end the request first: it may be incomplete."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=WAIT) as connection:
            try:
                connection.sendall(data)
                answer = self.receive(connection, patience)
                if not answer:
                    connection.shutdown(socket.SHUT_WR)
            except TimeoutError:
                connection.shutdown(socket.SHUT_WR)
                answer = b""
            except ConnectionError:  # it was answered before all was sent
                answer = b""
            connection.settimeout(WAIT)
            try:
                while data := connection.recv(65_536):
                    answer += data
            except ConnectionError:
                pass
            return answer

    @staticmethod
    def receive(connection, seconds):
        """Return the first bytes of an answer. Raise a TimeoutError if the server waits for more of the request."""
        connection.settimeout(seconds)
        return connection.recv(65_536)

    def check_alive(self):
        start = time.monotonic()
        assert self.send(form()).startswith(b"HTTP/1.1 200 ") and time.monotonic() - start < WAIT
        assert self.process.poll() is None
        assert not (self.folder / "imported").exists()
        self.errors.seek(0)
        assert self.errors.read() == ""

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    with contextlib.closing(Serving(tmp_path_factory.mktemp("serving"))) as found:
        yield found


def problem_of(name, answer):
    """Return what is wrong with an answer; "" for a clean one. A request that is no request may get none."""
    status = re.match(rb"HTTP/1\.[01] ([24]\d\d) ", answer.replace(b"HTTP/1.1 100 Continue\r\n\r\n", b""))
    leaks = (b"Traceback", b"root:x:0", b"site-packages", b'File "', MODULE.encode() + b".py")
    is_clean = (status or not answer or name in WITHOUT_STATUS) and not any(leak in answer for leak in leaks)
    return "" if is_clean else f"{name}: {answer[:300]!r}"


WITHOUT_STATUS = ("version b'HTTP/0.9'",)  # which has none


@pytest.mark.parametrize(
    "group",
    ["paths", "methods", "uploads", *(pytest.param(name, marks=pytest.mark.slow) for name in ("forms", "headers"))],
)
def test_attacks(serving, group):
    patience = MOST_SECONDS + 2 if group in ("forms", "uploads") else 2
    problems = [problem_of(name, serving.send(data, patience)) for name, data in GROUPS[group].items()]
    assert not any(problems), "\n".join(filter(None, problems))
    serving.check_alive()


def test_slow_clients(serving):
    """Clients that send nothing, or a byte at a time, do not stop others."""
    stopped = threading.Event()

    def dribble(connection, data):
        with connection:
            for k in range(len(data)):
                if stopped.wait(0.05):
                    break
                connection.sendall(data[k : k + 1])

    clients = []
    for data in [form(), chunked(b"5\r\nmetri\r\n"), b"GET /", b""] * 10:
        connection = socket.create_connection(("127.0.0.1", serving.port), timeout=WAIT)
        clients.append(threading.Thread(target=dribble, args=(connection, data)))
        clients[-1].start()
    serving.check_alive()
    stopped.set()
    for client in clients:
        client.join(WAIT)
    serving.check_alive()


def test_clients_that_go_away(serving):
    """Forms of clients that do not wait for an answer are given up, and others are scored."""
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", serving.port), timeout=WAIT) as connection:
            connection.sendall(FORMS["slow"])
    serving.check_alive()


def test_forms_at_the_same_time(serving):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(serving.send(form()))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert {answer.split(b" ", 2)[1] for answer in answers} <= {b"200", b"400", b"429"}  # scored, too slow, or busy
    assert len(answers) == 20
    serving.check_alive()


def test_an_interrupt_ends_it(tmp_path):
    with contextlib.closing(Serving(tmp_path)) as serving:  # the other tests share one, in any order
        with socket.create_connection(("127.0.0.1", serving.port), timeout=WAIT) as connection:
            connection.sendall(FORMS["slow"])
            time.sleep(0.5)
            serving.process.send_signal(signal.SIGINT)
            assert serving.process.wait(WAIT) == 0
        serving.errors.seek(0)
        assert serving.errors.read() == ""


def test_there_are_many():
    assert sum(map(len, GROUPS.values())) > 200

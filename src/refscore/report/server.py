"""The server of `refscore serve`: a page and a form, only for this machine.

It listens on 127.0.0.1 and answers only requests to that name or `localhost`. A web page whose name resolves to
127.0.0.1 (DNS rebinding) therefore cannot read anything. It accepts forms only from its own pages and up to a size
limit, and limits the number of connections and the time of a form.
"""

from __future__ import annotations

import errno
import io
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from contextvars import copy_context
from importlib.util import find_spec
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any

from refscore.errors import InputError, Location, NotInstalledError
from refscore.report.form_worker import Workers
from refscore.report.input_form import (
    DOWNLOADS,
    MOST_FIELDS,
    MOST_REFERENCES,
    MOST_SYSTEMS,
    Answers,
    Form,
    decode_file,
    hypothesis_name,
)
from refscore.report.live_reload import WatchedPage

if TYPE_CHECKING:
    from werkzeug.wrappers import Request, Response

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")

# The bytes of a too large form that are read and discarded. Browsers show an answer only after they have sent all.
_DISCARDED = 256_000_000
_CHUNK = 65_536

# Each connection has a thread. A browser opens about six per page.
MOST_CONNECTIONS = 64
_PAUSE = 0.1  # seconds to wait after a failed `accept`
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With a stricter policy, browsers would send "null" as the origin of our own form.
    "Referrer-Policy": "same-origin",
}
_STRICT_POLICY = "default-src 'none'; frame-ancestors 'none'"


def require_server() -> None:
    """Raise an error if werkzeug is not installed."""
    if find_spec("werkzeug") is None:
        raise NotInstalledError("serve needs werkzeug: pip install 'refscore[report]'")


class Site:
    """The WSGI application of the server. A form has at most `max_bytes`, and takes at most `seconds`."""

    def __init__(self, form: Form, page: WatchedPage | None, max_bytes: int, seconds: float) -> None:
        self._form = form
        self._page = page
        self._max_bytes = max_bytes
        self._workers = Workers(form, seconds)
        # Requests run in new threads, which do not inherit context variables such as limits.
        self._context = copy_context()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        from werkzeug.wrappers import Request

        class Limited(Request):
            max_content_length = self._max_bytes
            max_form_memory_size = self._max_bytes
            max_form_parts = MOST_FIELDS

        with Limited(environ) as request:  # closes the temporary files of uploads
            response = self._context.copy().run(self._answer, request)
        response.headers.update(_HEADERS)
        return response(environ, start_response)

    def _answer(self, request: Request) -> Response:
        from werkzeug.exceptions import HTTPException

        host = request.environ.get("HTTP_HOST", "")
        # Any port is fine, because a tunnel may use a different one.
        if host.rsplit(":", 1)[0].lower() not in NAMES:
            return _plain(f"refscore serve answers only at http://{HOST} and http://localhost", 421)
        try:
            if request.path == "/form":
                return self._form_page(request)
            if request.method not in ("GET", "HEAD"):
                return _plain("this page allows only GET", 405)
            if request.path == "/":
                if self._page is None:
                    return self._empty_form()
                # The page contains its policy, except for frame-ancestors, which works only as a header.
                return _answer(self._page.state.page, "text/html", policy="frame-ancestors 'none'")
            if request.path == "/state" and self._page is not None:
                state = self._page.state
                return _answer(json.dumps({"version": state.version, "problem": state.problem}), "application/json")
        except HTTPException as error:
            return _plain(f"{error.name}: {error.description}", error.code or 400)
        return _plain("page not found", 404)

    def _empty_form(self) -> Response:
        return _answer(self._form.empty(), "text/html", policy=self._form.policy)

    def _form_page(self, request: Request) -> Response:
        if request.method in ("GET", "HEAD"):
            return self._empty_form()
        if request.method != "POST":
            return _plain("this form allows only GET and POST", 405)
        if not _is_same_origin(request):
            return _plain("only forms on this server's pages are accepted", 403)
        try:
            if not self._has_body(request):
                return _plain(
                    f"the texts have more than {self._max_bytes:,} bytes: raise the limit with --max-size, or use "
                    "refscore score",
                    413,
                )
            answers = self._read_answers(request)
        except InputError as error:
            return _plain(str(error), 400)
        text, status = self._workers.answer(answers, lambda: _is_gone(request.environ["werkzeug.socket"]))
        if answers.download and status == 200:
            response = _answer(text, DOWNLOADS[answers.download])
            response.headers["Content-Disposition"] = f'attachment; filename="refscore.{answers.download}"'
            return response
        return _answer(text, "text/html", status, self._form.policy)

    def _read_answers(self, request: Request) -> Answers:
        if "example" in request.form and self._form.example is not None:
            return self._form.example
        values = request.form

        def text(name: str) -> str:
            upload = request.files.get(f"{name}-file")
            if upload is not None and upload.filename:
                return decode_file(upload.read(), upload.filename)
            return values.get(name, "")

        segment, download = values.get("segment", "1"), values.get("download", "")
        if not (segment.isascii() and segment.isdigit() and len(segment) <= 9):
            raise InputError(Location("segment"), "is not a number", "choose one from the list")
        if download and download not in DOWNLOADS:
            raise InputError(Location("download"), "is unknown", f"choose {', '.join(DOWNLOADS)}")
        systems = range(1, MOST_SYSTEMS + 1)
        return Answers(
            [text(hypothesis_name(number)) for number in systems],
            [text(f"reference-{number}") for number in range(1, MOST_REFERENCES + 1)],
            ",".join(values.getlist("metrics")),
            int(segment),
            values.get("tokenizer", ""),
            text("source"),
            [_system_name(request, number) for number in systems],
            download,
        )

    def _has_body(self, request: Request) -> bool:
        """Read the whole body, and return whether it is small enough."""
        environ = request.environ
        body, size = environ["wsgi.input"], request.content_length
        if environ.pop("wsgi.input_terminated", False):
            del environ["HTTP_TRANSFER_ENCODING"]
            size = None  # the body is chunked
        elif size is None:
            size = 0
        try:
            most = self._max_bytes + 1 if size is None else size
            data = _read_most(body, most) if most <= self._max_bytes + 1 else b""
            if max(len(data), size or 0) > self._max_bytes:
                _discard(body, _DISCARDED if size is None else size - len(data))
                return False
            is_complete = size is None or len(data) == size
        except (OSError, ValueError):
            is_complete = False
        if not is_complete:
            raise InputError(None, "the form is incomplete", "send it again")
        environ |= {"wsgi.input": io.BytesIO(data), "CONTENT_LENGTH": str(len(data))}
        return True


class Server:
    """A server on 127.0.0.1 that runs inside a `with` block and updates its page. Port 0 picks a free port."""

    def __init__(self, form: Form, page: WatchedPage | None, *, port: int, max_bytes: int, seconds: float) -> None:
        from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

        slots = threading.BoundedSemaphore(MOST_CONNECTIONS)

        class Bounded(ThreadedWSGIServer):
            def get_request(self) -> Any:
                try:
                    return super().get_request()
                except OSError:
                    # Out of file descriptors. The connection stays pending, so without a pause the loop would spin.
                    time.sleep(_PAUSE)
                    raise

            def process_request(self, request: Any, client_address: Any) -> None:
                if not slots.acquire(blocking=False):
                    with suppress(OSError):
                        request.sendall(_BUSY)
                    self.shutdown_request(request)
                    return
                try:
                    super().process_request(request, client_address)
                except BaseException:  # the thread did not start
                    slots.release()
                    raise

            def process_request_thread(self, request: Any, client_address: Any) -> None:
                try:
                    super().process_request_thread(request, client_address)
                finally:
                    slots.release()

        class Quiet(WSGIRequestHandler):
            timeout = 60  # seconds without data until a connection is closed
            default_request_version = "HTTP/1.0"  # answers to a malformed first line then have a status

            def send_error(self, code: int, *texts: Any) -> None:
                super().send_error(400 if code == 505 else code, *texts)  # an unknown version is the client's mistake

            def log(self, type: str, message: str, *args: Any) -> None:  # would print a line for every poll of the page
                pass

        self._page = page
        # If werkzeug bound the port itself, it would exit the process on failure.
        with _listen(port) as listening:
            site, descriptor = Site(form, page, max_bytes, seconds), listening.fileno()
            self._server = Bounded(HOST, port, site, Quiet, fd=descriptor)
        self.port = self._server.socket.getsockname()[1]

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{HOST}:{self.port}/"

    def __enter__(self) -> Server:
        if self._page is not None:
            try:
                self._page.start()
            except BaseException:
                self._server.server_close()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._page is not None:
            self._page.stop()
        self._server.server_close()

    def run(self) -> None:
        """Answer requests until interrupted, or until a different thread calls `end`."""
        self._server.serve_forever()

    def end(self) -> None:
        """Make `run` return."""
        self._server.shutdown()


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        is_taken = error.errno == errno.EADDRINUSE
        problem = "is in use" if is_taken else f"is not available ({error.strerror or error})"
        raise InputError(None, f"port {port} {problem}", "choose a different --port, or --port 0 for any") from None


def _is_same_origin(request: Request) -> bool:
    """Return whether a form came from a page of this server, or not from a browser."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin == f"http://{request.environ['HTTP_HOST']}"
    return request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")


def _system_name(request: Request, number: int) -> str:
    """Return the name of a system: the typed one, or the name of its file without the ending."""
    upload = request.files.get(f"{hypothesis_name(number)}-file")
    return request.form.get(f"name-{number}", "") or (PurePath(upload.filename or "").stem if upload else "")


def _is_gone(connection: socket.socket) -> bool:
    """Return whether a client has closed its connection."""
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


def _read_most(body: IO[bytes], most: int) -> bytes:
    data = bytearray()
    while chunk := body.read(min(most - len(data), _CHUNK)):
        data += chunk
    return bytes(data)


def _discard(body: IO[bytes], size: int) -> None:
    left = min(size, _DISCARDED)
    while left > 0 and (chunk := body.read(min(left, _CHUNK))):
        left -= len(chunk)


def _plain(text: str, status: int) -> Response:
    return _answer(text + "\n", "text/plain", status)


def _answer(text: str, kind: str, status: int = 200, policy: str = _STRICT_POLICY) -> Response:
    from werkzeug.wrappers import Response

    # Lone surrogates cannot be encoded, so show them as escapes.
    content = text.encode("utf-8", "backslashreplace")
    response = Response(content, status, content_type=f"{kind}; charset=utf-8")
    response.headers["Content-Security-Policy"] = policy
    return response

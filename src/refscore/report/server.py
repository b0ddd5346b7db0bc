"""The server of `refscore serve`: a page and a form, for this machine alone.

It listens on 127.0.0.1 and answers under that name and `localhost` alone, so that a web page that makes its own name
stand for 127.0.0.1 (DNS rebinding) reads nothing; forms are taken from its own pages alone, and up to a size.
"""

from __future__ import annotations

import errno
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from contextvars import copy_context
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from refscore.errors import InputError, NotInstalledError
from refscore.report.form import MOST_REFERENCES, Answers, Form, decoded
from refscore.report.watching import WatchedPage

if TYPE_CHECKING:
    from werkzeug.wrappers import Request, Response

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")

# Of a form that is too large, so much is read and thrown away: a browser shows an answer only when it has sent all.
_THROWN_AWAY = 256_000_000
_PIECE = 65_536

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Stricter ones would make the origin of our own form null.
    "Referrer-Policy": "same-origin",
}
_NOTHING = "default-src 'none'; frame-ancestors 'none'"


def require_server() -> None:
    """Raises an error where the package is not installed."""
    if find_spec("werkzeug") is None:
        raise NotInstalledError("serve needs the package werkzeug: pip install 'refscore[report]'")


class Site:
    """What the server answers, as a WSGI application.

    Args:
        form: The form.
        page: The report, if there is one.
        max_bytes: How large a form may be.
    """

    def __init__(self, form: Form, page: WatchedPage | None, max_bytes: int) -> None:
        self._form = form
        self._page = page
        self._max_bytes = max_bytes
        # Scoring uses all cores already.
        self._scoring = threading.Lock()
        # Requests come in threads of their own, and what holds here, such as limits, is to hold there.
        self._context = copy_context()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The answer to a request."""
        from werkzeug.wrappers import Request

        class Limited(Request):
            max_content_length = self._max_bytes
            max_form_memory_size = self._max_bytes
            max_form_parts = 4 * (MOST_REFERENCES + 1)

        with Limited(environ) as request:  # uploads may be files of the system
            response = self._context.copy().run(self._answer, request)
        for name, value in _HEADERS.items():
            response.headers[name] = value
        response.headers.setdefault("Content-Security-Policy", _NOTHING)
        return response(environ, start_response)

    def _answer(self, request: Request) -> Response:
        from werkzeug.exceptions import HTTPException

        host = request.environ.get("HTTP_HOST", "")
        # Whatever the port: a tunnel may end at another one.
        if host.rsplit(":", 1)[0].lower() not in NAMES:
            return _plain(f"refscore serve answers under http://{HOST} and http://localhost alone", 421)
        try:
            if request.path == "/form":
                return self._form_page(request)
            if request.method not in ("GET", "HEAD"):
                return _plain("this page can only be read", 405)
            if request.path == "/":
                return self._front()
            if request.path == "/state" and self._page is not None:
                state = self._page.state
                return _answer(json.dumps({"version": state.version, "problem": state.problem}), "application/json")
        except HTTPException as error:
            return _plain(f"{error.name}: {error.description}", error.code or 400)
        return _plain("there is no such page", 404)

    def _front(self) -> Response:
        if self._page is None:
            return self._empty_form()
        # Its policy is inside the page; what a page cannot say of itself is who may frame it.
        return _answer(self._page.state.page, "text/html", policy="frame-ancestors 'none'")

    def _empty_form(self) -> Response:
        page = self._form.empty(report=self._page is not None)
        return _answer(page, "text/html", policy=self._form.policy)

    def _form_page(self, request: Request) -> Response:
        if request.method in ("GET", "HEAD"):
            return self._empty_form()
        if request.method != "POST":
            return _plain("a form is read or sent", 405)
        if not _is_own(request):
            return _plain("forms are taken from this server's own pages alone", 403)
        if (request.content_length or 0) > self._max_bytes:
            _throw_away(request)
            return _plain(
                f"the texts have {request.content_length:,} bytes, and {self._max_bytes:,} are the most: "
                "refscore score reads files of any size, and --max-size sets the limit",
                413,
            )
        try:
            answers = _answers(request)
        except InputError as error:
            return _plain(str(error), 400)
        with self._scoring:
            page, well = self._form.answer(answers, report=self._page is not None)
        return _answer(page, "text/html", 200 if well else 400, self._form.policy)


class Server:
    """A server on 127.0.0.1, from `with` to its end.

    Args:
        form: The form.
        page: The report, if there is one; it is watched while the server runs.
        port: The port; 0 for any that is free.
        max_bytes: How large a form may be.

    Raises:
        InputError: The port cannot be had.
    """

    def __init__(self, form: Form, page: WatchedPage | None, *, port: int, max_bytes: int) -> None:
        from werkzeug.serving import WSGIRequestHandler, make_server

        class Quiet(WSGIRequestHandler):
            timeout = 60  # seconds that a connection may say nothing

            def log(self, type: str, message: str, *args: Any) -> None:  # every look for changes would be a line
                pass

        self._page = page
        # werkzeug ends the whole process where it cannot have a port.
        with _listening(port) as listening:
            self._server = make_server(
                HOST,
                port,
                Site(form, page, max_bytes),
                threaded=True,
                request_handler=Quiet,
                fd=listening.fileno(),
            )
        self.port = self._server.socket.getsockname()[1]

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{HOST}:{self.port}/"

    def __enter__(self) -> Server:
        if self._page is not None:
            self._page.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._page is not None:
            self._page.stop()
        self._server.server_close()

    def run(self) -> None:
        """Answers until it is interrupted, or `end` is called in another thread."""
        self._server.serve_forever()

    def end(self) -> None:
        """Makes `run` return."""
        self._server.shutdown()


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # where it would share the port with another server
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        taken = error.errno == errno.EADDRINUSE
        problem = "is taken" if taken else f"cannot be had ({error.strerror or error})"
        raise InputError(None, f"port {port} {problem}: choose another with --port, or --port 0 for any") from None
    return listening


def _is_own(request: Request) -> bool:
    """Whether a page of this server sent a form, or no browser did."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin == f"http://{request.environ['HTTP_HOST']}"
    return request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")


def _answers(request: Request) -> Answers:
    def text(name: str) -> str:
        upload = request.files.get(f"{name}-file")
        if upload is not None and upload.filename:
            return decoded(upload.read(), upload.filename)
        return request.form.get(name, "")

    segment = request.form.get("segment", "1")
    if not (segment.isascii() and segment.isdigit() and len(segment) <= 9):
        raise InputError(None, "segment must be a number")
    references = [text(f"reference-{number}") for number in range(1, MOST_REFERENCES + 1)]
    return Answers(text("hypothesis"), references, request.form.get("metrics", ""), int(segment))


def _throw_away(request: Request) -> None:
    left = min(request.content_length or 0, _THROWN_AWAY)
    while left > 0 and (piece := request.environ["wsgi.input"].read(min(left, _PIECE))):
        left -= len(piece)


def _plain(text: str, status: int) -> Response:
    return _answer(text + "\n", "text/plain", status)


def _answer(text: str, kind: str, status: int = 200, policy: str = _NOTHING) -> Response:
    from werkzeug.wrappers import Response

    # What cannot be UTF-8 is shown as an escape.
    content = text.encode("utf-8", "backslashreplace")
    response = Response(content, status, content_type=f"{kind}; charset=utf-8")
    response.headers["Content-Security-Policy"] = policy
    return response

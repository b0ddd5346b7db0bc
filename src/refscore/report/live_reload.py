"""A page that is regenerated when its files change."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass, replace

from refscore.errors import RefscoreError

Stamp = tuple[int, int, int] | None


@dataclass(frozen=True)
class State:
    """A page and its version. `problem` is the error if the latest files could not be rendered."""

    page: str
    version: str
    problem: str | None = None


class WatchedPage:
    """Render a page from files, and again in a thread whenever they change. `state` has the current page.

    `render` gets the version of the page and whether it is the first one. Errors of the first one are raised. Before
    `start` there is no state. Files are polled, which works on every file system.
    """

    state: State

    def __init__(self, render: Callable[[str, bool], str], files: Sequence[str], pause: float = 0.5) -> None:
        self._render = render
        self._files = files
        self._pause = pause
        self._stopped = threading.Event()
        self._rendered_stamps: list[Stamp] = []
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._watch,), name="refscore-live-reload", daemon=True
        )

    def start(self) -> None:
        """Render the first page and start polling the files."""
        self._rendered_stamps = [*map(_stamp, self._files)]
        self.state = self._render_state(is_first=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop polling the files."""
        self._stopped.set()

    def _render_state(self, *, is_first: bool) -> State:
        version = secrets.token_hex(8)  # random, to differ from the versions of an earlier server at the same address
        return State(self._render(version, is_first), version)

    def _watch(self) -> None:
        before = self._rendered_stamps
        while not self._stopped.wait(self._pause):
            now = [*map(_stamp, self._files)]
            # Wait until the file stops changing: it may still be written to.
            if now == before != self._rendered_stamps:
                self._rendered_stamps = now
                self._update()
            before = now

    def _update(self) -> None:
        try:
            self.state = self._render_state(is_first=False)
        except (RefscoreError, OSError) as error:
            self.state = replace(self.state, problem=str(error))
        except Exception as error:  # packages that read files may raise anything, and polling must continue
            self.state = replace(self.state, problem=f"{type(error).__name__}: {error}")


def _stamp(file: str) -> Stamp:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino

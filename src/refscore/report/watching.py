"""A page that is made of files, and made anew when they change."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass

from refscore.errors import RefscoreError

Stamp = tuple[int, int, int] | None


@dataclass(frozen=True)
class State:
    """A page, its version, and why there is no newer one where the files have changed since."""

    page: str
    version: str
    problem: str | None = None


class WatchedPage:
    """Makes a page of files, and in a thread of its own anew whenever they change.

    Files are looked at, not listened to: that works on every file system, and they are few.

    Args:
        make: Makes the page, from its version and whether it is the first one.
        files: The paths of what it is made of.
        pause: The seconds between two looks.

    Raises:
        RefscoreError: The first page cannot be made.
    """

    def __init__(self, make: Callable[[str, bool], str], files: Sequence[str], pause: float = 0.5) -> None:
        self._make = make
        self._files = files
        self._pause = pause
        # Versions of another server, at the same address before, are others.
        self._prefix = secrets.token_hex(4)
        self._count = 0
        self._ended = threading.Event()
        self._made_of = self._stamps()
        self._state = State(make(self._next_version(), True), self._version)
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._watch,), name="refscore-watching", daemon=True
        )

    @property
    def state(self) -> State:
        """What to show now."""
        return self._state

    def start(self) -> None:
        """Begins to look at the files."""
        self._thread.start()

    def stop(self) -> None:
        """Ends looking at them."""
        self._ended.set()

    @property
    def _version(self) -> str:
        return f"{self._prefix}-{self._count}"

    def _next_version(self) -> str:
        self._count += 1
        return self._version

    def _stamps(self) -> list[Stamp]:
        return [_stamp(file) for file in self._files]

    def _watch(self) -> None:
        before = self._made_of
        while not self._ended.wait(self._pause):
            now = self._stamps()
            # A file that is just being written is left alone until it rests.
            if now == before != self._made_of:
                self._made_of = now
                self._update()
            before = now

    def _update(self) -> None:
        old = self._state
        try:
            self._state = State(self._make(self._next_version(), False), self._version)
        except (RefscoreError, OSError) as error:
            self._state = State(old.page, old.version, str(error))
        except Exception as error:  # a package that reads a file may raise anything, and watching must go on
            self._state = State(old.page, old.version, f"{type(error).__name__}: {error}")


def _stamp(file: str) -> Stamp:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino

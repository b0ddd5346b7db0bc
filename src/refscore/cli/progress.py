"""Progress of long work: on a terminal only, and only if it takes more than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

_DELAY = 1.0


class Work:
    """Shows how far the work is; a context manager around it.

    Args:
        what: The work in a word or two.
        unit: What is counted.
        quiet: Shows nothing.

    Example:
        >>> with Work("scoring", "segments", quiet=True) as work:
        ...     work.show(1000, 0.5)
    """

    def __init__(self, what: str, unit: str, *, quiet: bool = False) -> None:
        self._what = what
        self._unit = unit
        self._shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._begin = time.monotonic()
        self._progress: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> Work:
        return self

    def show(self, done: int, fraction: float | None) -> None:
        """Say how far the work is.

        Args:
            done: How many units are done.
            fraction: Which part of all that is, from 0 to 1; None where it cannot be known.
        """
        seconds = time.monotonic() - self._begin
        if not self._shown or seconds < _DELAY:
            return
        if self._progress is None:
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.start()
            self._task = self._progress.add_task(self._what, total=None, rate="")
        rate = f"{done:,} {self._unit}, {done / seconds:,.0f}/s"
        self._progress.update(self._task, completed=fraction or 0, total=None if fraction is None else 1.0, rate=rate)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

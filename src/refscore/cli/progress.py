from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

_DELAY = 1.0


class ProgressBar:
    """A context manager that shows the progress of a task, unless `quiet`."""

    def __init__(self, task: str, unit: str, *, quiet: bool = False) -> None:
        self._step, self._unit, self._begin = task, unit, time.monotonic()
        self._is_shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._progress: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> ProgressBar:
        return self

    def show(self, done: int, fraction: float | None, amount: str = "") -> None:
        seconds = time.monotonic() - self._begin
        if not self._is_shown or seconds < _DELAY:
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
            self._task = self._progress.add_task(self._step, total=None, rate="")
        rate = f"{amount or f'{done:,} {self._unit}'}, {done / seconds:,.0f}/s"
        total = None if fraction is None else 1.0
        self._progress.update(self._task, description=self._step, completed=fraction or 0, total=total, rate=rate)

    def show_step(self, step: str, done: int, total: int) -> None:
        """Show the number of units of a step done out of a total. This is a `refscore.progress.Progress`."""
        if step != self._step:
            self._step, self._begin = step, time.monotonic()
        self.show(done, done / total, f"{done:,} of {total:,}")

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

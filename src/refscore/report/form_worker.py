"""Answers to forms, each in a process of its own.

A thread cannot be stopped: kernels look for signals, which only the main thread of a process handles. A process can.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from refscore.metrics import current_limits, limits
from refscore.report.input_form import Answers, Form

MOST_WORKERS = 4  # forms at a time; each uses all cores
_PAUSE = 0.1  # seconds between two looks at the client
_GRACE = 5  # seconds after which a process ends itself, if the server was killed


class Workers:
    """Answer forms with a time limit. A form whose client has gone is given up."""

    def __init__(self, form: Form, seconds: float) -> None:
        self._form = form
        self._seconds = seconds
        self._slots = threading.BoundedSemaphore(MOST_WORKERS)
        # A fork of this process could inherit a lock of one of its threads, so a process without threads is forked.
        can_fork = "forkserver" in multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("forkserver" if can_fork else "spawn")
        if can_fork:
            self._context.set_forkserver_preload([__name__, *form.modules])

    def answer(self, answers: Answers, is_gone: Callable[[], bool]) -> tuple[str, int]:
        """Return the answer to a form, and its HTTP status."""
        deadline = time.monotonic() + self._seconds
        while not self._slots.acquire(timeout=_PAUSE):
            if is_gone() or time.monotonic() > deadline:
                return self._form.refuse(answers, "the server is busy with other forms: send it again later"), 429
        try:
            return self._work(answers, is_gone)
        finally:
            self._slots.release()

    def _work(self, answers: Answers, is_gone: Callable[[], bool]) -> tuple[str, int]:
        deadline = time.monotonic() + self._seconds
        receiver, sender = self._context.Pipe(duplex=False)
        task = pickle.dumps((self._form, answers, current_limits()))
        arguments = sender, task, self._seconds
        process = self._context.Process(target=_answer, name="refscore-form", args=arguments, daemon=True)
        try:
            process.start()
            sender.close()
            while not receiver.poll(_PAUSE):
                if is_gone():
                    return "", 400
                if time.monotonic() > deadline:
                    problem = f"scoring takes longer than {self._seconds:g} s: "
                    problem += "choose fewer metrics, raise the limit with --max-seconds, or use refscore score"
                    return self._form.refuse(answers, problem), 400
            page, is_valid = receiver.recv()
            return page, 200 if is_valid else 400
        except (EOFError, OSError):
            problem = "scoring ended early, perhaps for lack of memory: send less text, or use refscore score"
            return self._form.refuse(answers, problem), 500
        finally:
            receiver.close()
            sender.close()
            if process.pid is not None:
                process.kill()
                process.join()


def _answer(sender: Connection, task: bytes, seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    if hasattr(signal, "alarm"):
        signal.alarm(int(seconds) + _GRACE)
    sys.path.insert(0, "")  # the metrics of the command line may be in the current folder
    form, answers, most = pickle.loads(task)
    sys.path.remove("")
    with limits(**most):
        sender.send(form.answer(answers))

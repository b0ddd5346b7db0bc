"""A server for tests, on a free port."""

import threading
from contextlib import contextmanager

import refscore
from refscore.report.input_form import Answers, Form
from refscore.report.server import Server

EXAMPLE = Answers(["a cat\nhere", "the cat\nhere"], ["the cat\nhere"], names=["one", "two"])


@contextmanager
def served(page=None, max_bytes=100_000, seconds=60, metrics=None):
    with Server(
        Form(metrics or {"bleu": refscore.BLEU()}, has_report=page is not None, example=EXAMPLE),
        page,
        port=0,
        max_bytes=max_bytes,
        seconds=seconds,
    ) as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield server
        finally:
            server.end()
            thread.join()

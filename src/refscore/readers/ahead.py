"""Reading ahead: what comes next is read while what came last is worked on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable
from typing import TypeVar

T = TypeVar("T")


def ahead(items: Iterable[T], depth: int = 2) -> Generator[T, None, None]:
    """The same items, which a thread of its own gets in advance.

    That is worth it where both sides let other threads run: readers while they wait for a file or unpack it, metrics
    while they score.

    Args:
        items: What is read.
        depth: How many items may be waiting.

    Returns:
        A generator of the items; an error of `items` comes where its item would. To close it ends the reading.

    Example:
        >>> list(ahead(iter([1, 2, 3])))
        [1, 2, 3]
    """
    waiting: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(depth)
    over = threading.Event()

    def put(entry: tuple[T | None, BaseException | None]) -> None:
        while not over.is_set():
            try:
                waiting.put(entry, timeout=0.1)
                return
            except queue.Full:
                continue

    def read() -> None:
        try:
            for item in items:
                put((item, None))
                if over.is_set():
                    return
            put((None, StopIteration()))
        except BaseException as error:  # whatever it is, it is the caller's
            put((None, error))

    reader = threading.Thread(target=read, name="refscore-ahead", daemon=True)
    reader.start()
    try:
        while True:
            item, error = waiting.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield item  # type: ignore[misc]
    finally:
        over.set()
        reader.join(1.0)  # not longer: it may be waiting for a terminal

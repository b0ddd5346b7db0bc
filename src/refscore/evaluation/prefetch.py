"""Prefetch items in a thread while the caller works on the last one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable
from typing import TypeVar

T = TypeVar("T")


def prefetch(items: Iterable[T], depth: int = 2) -> Generator[T, None, None]:
    """Yield the same items, read in advance by a thread.

    This is faster if both sides release the GIL: readers while they wait for a file or decompress it, metrics while
    they score.

    Args:
        items: The items to read.
        depth: The largest number of items in the buffer.

    Returns:
        A generator of the items. Errors of `items` are raised when their item is due. Closing the generator stops the
        thread.

    Example:
        >>> list(prefetch(iter([1, 2, 3])))
        [1, 2, 3]
    """
    buffer: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(depth)
    closed = threading.Event()

    def put(entry: tuple[T | None, BaseException | None]) -> None:
        while not closed.is_set():
            try:
                buffer.put(entry, timeout=0.1)
                return
            except queue.Full:
                continue

    def read() -> None:
        try:
            for item in items:
                put((item, None))
                if closed.is_set():
                    return
            put((None, StopIteration()))
        except BaseException as error:  # re-raised in the caller's thread
            put((None, error))

    thread = threading.Thread(target=read, name="refscore-prefetch", daemon=True)
    thread.start()
    try:
        while True:
            item, error = buffer.get()
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield item  # type: ignore[misc]
    finally:
        closed.set()
        thread.join(0.1)  # with a limit, because it may be waiting for a terminal, and Ctrl-C waits for it

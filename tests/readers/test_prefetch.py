"""Prefetching changes only the time."""

import threading
import time

import pytest

from refscore.readers import prefetch


def test_items_and_errors_come_in_order():
    def items():
        yield from range(5)
        raise OSError("gone")

    found = []
    with pytest.raises(OSError, match="gone"):
        found.extend(prefetch(items()))
    assert found == [0, 1, 2, 3, 4]
    assert list(prefetch([])) == []


def test_no_more_is_read_than_may_wait():
    read = []

    def items():
        for i in range(100):
            read.append(i)
            yield i

    for item in prefetch(items(), depth=2):
        time.sleep(0.002)
        assert len(read) <= item + 5
    assert len(read) == 100


def test_the_thread_ends_with_the_loop():
    before = threading.active_count()
    for item in prefetch(iter(range(1000))):
        if item == 3:
            break
    for _ in range(6000):
        if threading.active_count() == before:
            break
        time.sleep(0.01)
    assert threading.active_count() == before

"""Prefetching changes only the time."""

import threading
import time

import pytest

from refscore.readers import evaluate_files, prefetch
from refscore.resegmentation import Resegmenter


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


def test_closing_does_not_wait_for_a_slow_item():
    """Ctrl-C closes it while the next item is read."""
    released = threading.Event()

    def items():
        yield 1
        released.wait(30)

    reading = prefetch(items())
    assert next(reading) == 1
    start = time.monotonic()
    reading.close()
    assert time.monotonic() - start < 0.8
    released.set()


def test_resegmentation_runs_in_the_main_thread(tmp_path):
    """Only the main thread can be interrupted."""
    names = set()

    def words(text):
        names.add(threading.current_thread().name)
        return text.split()

    (tmp_path / "a.txt").write_text("a b\nc\n", encoding="utf-8")
    resegmenter = Resegmenter(tokenizer=words)
    evaluate_files({"a": tmp_path / "a.txt"}, [tmp_path / "a.txt"], "bleu", resegmenter=resegmenter)
    assert names == {threading.main_thread().name}

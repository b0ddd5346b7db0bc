"""Pages are regenerated when files change."""

import os
import time

import pytest

from refscore.errors import InputError, Location
from refscore.report.live_reload import WatchedPage


def until(holds):
    deadline = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("one", encoding="utf-8")
    return path


@pytest.fixture
def watched(file):
    def make(version, first):
        text = file.read_text(encoding="utf-8")
        if text == "bad":
            raise InputError(Location(file="file.txt"), "is bad")
        if text == "worse":
            raise KeyError("worse")
        return f"{text} {first}"

    page = WatchedPage(make, [str(file)], pause=0.02)
    page.start()
    yield page
    page.stop()


def test_changes(file, watched, tmp_path):
    before = watched.state
    assert (before.page, before.problem) == ("one True", None)
    file.write_text("two", encoding="utf-8")
    until(lambda: watched.state.page == "two False")
    assert watched.state.version != before.version
    # A file that replaces it, with the same time.
    other = tmp_path / "other"
    other.write_text("new", encoding="utf-8")
    stamp = file.stat()
    os.utime(other, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    other.replace(file)
    until(lambda: watched.state.page == "new False")


def test_mistakes_leave_the_page_as_it_is(file, watched):
    before = watched.state
    file.write_text("bad", encoding="utf-8")
    until(lambda: watched.state.problem == "file.txt is bad")
    assert (watched.state.page, watched.state.version) == (before.page, before.version)
    file.write_text("worse", encoding="utf-8")
    until(lambda: watched.state.problem == "KeyError: 'worse'")
    file.unlink()
    until(lambda: "No such file" in watched.state.problem)
    file.write_text("well", encoding="utf-8")
    until(lambda: watched.state.page == "well False")
    assert watched.state.problem is None


def test_the_first_page_must_be_well(tmp_path):
    def make(version, first):
        raise InputError(None, "bad")

    with pytest.raises(InputError):
        WatchedPage(make, [str(tmp_path / "file")]).start()

"""Checks of errors and their locations."""

from contextlib import contextmanager

import pytest

from refscore.errors import Location


@contextmanager
def raises_at(error, problem=".", /, **location):
    """Check that exactly this class of error is raised, at this location, with these words in its problem."""
    with pytest.raises(error, match=problem) as caught:
        yield caught
    assert type(caught.value) is error
    assert caught.value.location == (Location(**location) if location else None)

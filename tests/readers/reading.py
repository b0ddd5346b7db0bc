"""Read an input to its end, and catch its errors."""

import io

import pytest

import refscore
from refscore.errors import Location
from refscore.readers import open_segments


def values_of(spec, **options):
    """Return all values and check that each has a location."""
    with open_segments(spec, **options) as reader:
        values = [value for block in reader for value in block]
        assert reader.count == len(values)
        assert all(str(reader.location(index)) for index in range(len(values)))
    return values


def error_of(spec, **options):
    """Return the error that reading raises, which prints as one line."""
    with pytest.raises(refscore.InputError) as caught:
        values_of(spec, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def stdin(data, field=None, **options):
    """Return the arguments for reading data from standard input."""
    data = data if isinstance(data, bytes) else data.encode()
    return {"spec": "-" if field is None else f"-:{field}", "stdin": io.BytesIO(data), **options}


def in_stdin(line=None, field=None):
    """Return a location in standard input."""
    return Location(file="standard input", line=line, field=field)

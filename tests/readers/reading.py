"""Ways to read an input to its end."""

from refscore.readers import open_segments


def values_of(spec, **options):
    """All values, and the places of all of them named without an error."""
    with open_segments(spec, **options) as reader:
        values = [value for block in reader for value in block]
        assert reader.count == len(values)
        assert all(reader.place(index) for index in range(len(values)))
    return values

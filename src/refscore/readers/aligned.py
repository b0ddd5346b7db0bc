"""Several inputs of the same segments, read side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refscore.errors import InputError
from refscore.readers.reader import Reader, Value, counted


def read_aligned(readers: Sequence[Reader]) -> Iterator[tuple[list[Value], ...]]:
    r"""Yield the values of several inputs side by side, in blocks of bounded memory.

    Args:
        readers: The inputs. None of them has been read from.

    Returns:
        An iterator over tuples of lists of the same length, one list per reader.

    Raises:
        InputError: At the end of the shorter input, if an input has more or fewer values than the first.

    Example:
        >>> import io
        >>> from refscore.readers import open_segments, read_aligned
        >>> system = open_segments("-", stdin=io.BytesIO(b"a cat\na dog\n"))
        >>> reference = open_segments("-", stdin=io.BytesIO(b"the cat\nthe dog\n"))
        >>> list(read_aligned([system, reference]))
        [(['a cat', 'a dog'], ['the cat', 'the dog'])]
    """
    buffers = [_Buffer(reader) for reader in readers]
    while buffers:
        for buffer in buffers:
            buffer.fill()
        size = min(len(buffer.values) for buffer in buffers)
        if not size:
            break
        yield tuple(buffer.take(size) for buffer in buffers)
    for reader in readers:
        for _ in reader:  # read the rest to count it
            pass
    for reader in readers[1:]:
        if reader.count != readers[0].count:
            raise _mismatch(reader, readers[0])


class _Buffer:
    """The values of an input that have been read and not yet been taken."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._block_size = 0
        self.values: list[Value] = []

    def fill(self) -> None:
        """Read a block unless more than half of one is left, so blocks stay large and the buffer small."""
        if 2 * len(self.values) > self._block_size:
            return
        block = next(self._reader, None)
        if block is not None:
            self._block_size = len(block)
            self.values = self.values + block if self.values else block

    def take(self, size: int) -> list[Value]:
        taken, self.values = self.values[:size], self.values[size:]
        return taken


def _mismatch(reader: Reader, first: Reader) -> InputError:
    longer, shorter = (reader, first) if reader.count > first.count else (first, reader)
    unit = reader.unit if reader.unit == first.unit else "segment"
    return InputError(
        longer.location(shorter.count),
        f"has no counterpart in {shorter.name}",
        f"{reader.name} has {counted(reader.count, reader.unit)} but {first.name} has "
        f"{counted(first.count, first.unit)}, and they have to correspond {unit} by {unit}",
    )

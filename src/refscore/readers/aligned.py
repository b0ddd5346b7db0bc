"""Inputs that correspond to each other, read together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refscore.errors import InputError
from refscore.readers.base import Reader, Value, counted


def corresponding(readers: Sequence[Reader]) -> Iterator[tuple[list[Value], ...]]:
    r"""The values of several inputs side by side, in blocks of bounded memory.

    Args:
        readers: The inputs, of which none has been read from.

    Returns:
        An iterator over tuples of lists of one length, one list for each reader.

    Raises:
        InputError: When an input has another number of values than the first, at the end of the shorter one.

    Example:
        >>> import io
        >>> from refscore.readers import corresponding, open_segments
        >>> system = open_segments("-", stdin=io.BytesIO(b"a cat\na dog\n"))
        >>> reference = open_segments("-", stdin=io.BytesIO(b"the cat\nthe dog\n"))
        >>> list(corresponding([system, reference]))
        [(['a cat', 'a dog'], ['the cat', 'the dog'])]
    """
    queues = [_Queue(reader) for reader in readers]
    while queues:
        for queue in queues:
            queue.fill()
        size = min(len(queue.values) for queue in queues)
        if not size:
            break
        yield tuple(queue.take(size) for queue in queues)
    for reader in readers:
        for _ in reader:  # what is left, only to count it
            pass
    for reader in readers[1:]:
        if reader.count != readers[0].count:
            raise _mismatch(reader, readers[0])


class _Queue:
    """What has been read of an input, and not been handed out."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._block = 0
        self.values: list[Value] = []

    def fill(self) -> None:
        """Read a block, unless half of one is still there: blocks do not get small, nor is much ever held."""
        if 2 * len(self.values) > self._block:
            return
        block = next(self._reader, None)
        if block is not None:
            self._block = len(block)
            self.values = self.values + block if self.values else block

    def take(self, size: int) -> list[Value]:
        taken, self.values = self.values[:size], self.values[size:]
        return taken


def _mismatch(reader: Reader, first: Reader) -> InputError:
    longer, shorter = (reader, first) if reader.count > first.count else (first, reader)
    unit = reader.unit if reader.unit == first.unit else "segment"
    return InputError(
        None,
        f"{reader.name} has {counted(reader.count, reader.unit)} but {first.name} has "
        f"{counted(first.count, first.unit)}: they have to correspond {unit} by {unit} "
        f"(the first without a counterpart is {longer.place(shorter.count)})",
    )

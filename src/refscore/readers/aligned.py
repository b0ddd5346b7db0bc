from __future__ import annotations

from collections.abc import Iterator, Sequence

from refscore.errors import InputError
from refscore.readers.reader import Reader, Value
from refscore.text_display import counted


def read_aligned(readers: Sequence[Reader]) -> Iterator[tuple[list[Value], ...]]:
    r"""Yield the values of several inputs side by side, in blocks of bounded memory.

    Args:
        readers: The inputs. None of them may have been read from.

    Returns:
        An iterator over tuples of lists of the same length, one list per reader.

    Raises:
        InputError: If an input has more or fewer values than the first. Raised at the end of the shorter input.

    Example:
        >>> import io
        >>> from refscore.readers import open_segments, read_aligned
        >>> system = open_segments("-", stdin=io.BytesIO(b"a cat\na dog\n"))
        >>> reference = open_segments("-", stdin=io.BytesIO(b"the cat\nthe dog\n"))
        >>> list(read_aligned([system, reference]))
        [(['a cat', 'a dog'], ['the cat', 'the dog'])]
    """
    buffers: list[list[Value]] = [[] for _ in readers]
    block_sizes = [0] * len(readers)
    while readers:
        for index, reader in enumerate(readers):
            # Refill a buffer once at most half a block is left: blocks stay large and buffers small.
            if 2 * len(buffers[index]) <= block_sizes[index] and (block := next(reader, None)) is not None:
                block_sizes[index] = len(block)
                buffers[index] = buffers[index] + block if buffers[index] else block
        size = min(map(len, buffers))
        if not size:
            break
        aligned = tuple(buffer[:size] for buffer in buffers)
        buffers = [buffer[size:] for buffer in buffers]
        yield aligned
    for reader in readers:
        for _ in reader:  # read the rest to count it
            pass
    for reader in readers[1:]:
        if reader.count != readers[0].count:
            raise _mismatch(reader, readers[0])


def _mismatch(reader: Reader, first: Reader) -> InputError:
    longer, shorter = (reader, first) if reader.count > first.count else (first, reader)
    unit = reader.unit if reader.unit == first.unit else "segment"
    return InputError(
        longer.location(shorter.count),
        f"has no counterpart in {shorter.name}",
        f"{reader.name} has {counted(reader.count, reader.unit)} but {first.name} has "
        f"{counted(first.count, first.unit)}; both must have the same segments, {unit} by {unit}",
    )

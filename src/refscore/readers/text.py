"""Plain text files: one segment a line."""

from __future__ import annotations

from pathlib import Path

from refscore.errors import InputError


def read_lines(path: str | Path) -> list[str]:
    r"""The segments of a UTF-8 text file, one a line.

    Lines end in "\n" alone, so that other characters that Python counts as line ends, such as U+2028, stay within a
    segment; a "\r" before it is dropped with it. The last line may lack its end.

    Args:
        path: The file.

    Returns:
        The lines, without their ends.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import read_lines
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "hypotheses.txt")
        ...     _ = file.write_bytes("a cat\nein Hündchen\n".encode())
        ...     read_lines(file)
        ['a cat', 'ein Hündchen']
    """
    try:
        is_directory = Path(path).is_dir()
        data = b"" if is_directory else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if is_directory:
        raise InputError(f"{path} is a directory: name a file")
    for kind, start in (("gzip", b"\x1f\x8b"), ("xz", b"\xfd7zXZ"), ("zstd", b"\x28\xb5\x2f\xfd")):
        if data.startswith(start):
            raise InputError(f"{path} is compressed ({kind}): unpack it first")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}, line {line} is not UTF-8 (byte 0x{data[error.start]:02x}): convert the file first"
        ) from None
    if not text:
        raise InputError(f"{path} is empty")
    lines = text.removesuffix("\n").split("\n")
    return [line.removesuffix("\r") for line in lines]

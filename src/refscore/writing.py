"""Atomic file writes: a temporary file beside the target replaces it once it is complete."""

from __future__ import annotations

import contextlib
import errno
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from refscore.errors import InputError, Location


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that replaces the file at `path` at the end of the `with` block.

    If the block fails, the disk is full, or the process is killed, the old file is unchanged. The new file gets the
    permissions of the old one. Symbolic links are followed. A pipe, a terminal or any other special file is written
    directly. Raises `OSError` if the file cannot be written.
    """
    place = Path(path)
    if place.exists() and not place.is_file():
        with place.open("wb") as file:
            yield file
        return
    real = Path(os.path.realpath(place))
    if real.is_symlink():  # a symbolic link that points to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    replaces = real.exists()
    if replaces and not os.access(real, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    import secrets  # slow to import

    beside = real.parent / f".{real.name[:200]}.{secrets.token_hex(6)}"
    # With the permissions of any new file: the umask applies.
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(number)
        if replaces:
            os.chmod(beside, real.stat().st_mode & 0o777)
        os.replace(beside, real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file like `whole_file`, but raise `InputError` if it cannot be written, since users choose the path."""
    try:
        with whole_file(path) as file:
            yield file
    except OSError as error:
        raise InputError(None, f"{path} cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def written_text(path: Path, errors: str = "strict") -> Iterator[IO[str]]:
    """Open a file like `written_whole` for UTF-8 text with unchanged line ends. `open` takes `errors`."""
    with written_whole(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors=errors, newline="\n")
        try:
            yield text
            text.flush()
        finally:
            with contextlib.suppress(OSError):
                text.detach()


def append_line(path: str | os.PathLike[str], line: str, errors: str = "strict") -> None:
    """Append a line to a file, which may not exist yet. Raise `InputError` if it cannot be written."""
    try:
        with open(path, "a", encoding="utf-8", errors=errors, newline="\n") as file:
            file.write(line + "\n")
    except OSError as error:
        raise InputError(Location(file=str(path)), f"cannot be written ({error.strerror or error})") from None

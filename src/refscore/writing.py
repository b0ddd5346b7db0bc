"""Atomic writes: a file is written beside its target first, and replaces it once it is complete."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from refscore.errors import InputError, Location


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file to write to, which replaces the target at the end of the `with` block.

    If the block fails, the disk is full, or the process is killed, the old file stays. The new file keeps the
    permissions of the old one. Links are followed. A pipe, a terminal or a device is written to directly.

    Args:
        path: The target.

    Raises:
        OSError: If it cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     target = Path(folder, "scores.txt")
        ...     with whole_file(target) as file:
        ...         _ = file.write(b"0.5")
        ...         before = target.exists()
        ...     before, target.read_bytes()
        (False, b'0.5')
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(target))
    if target.is_symlink():  # it leads to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    replaces = target.exists()
    if replaces and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    temporary = target.parent / f".{target.name[:200]}.{secrets.token_hex(6)}"
    # 0o666: the umask then gives it the permissions of any new file.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        if replaces:
            os.chmod(temporary, target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file like `whole_file`, and turn an OSError into an InputError.

    Args:
        path: The target.

    Raises:
        InputError: If it cannot be written.

    Example:
        >>> with written_whole(Path("nowhere", "scores.txt")) as file:
        ...     pass
        Traceback (most recent call last):
        refscore.errors.InputError: nowhere/scores.txt cannot be written: No such file or directory
    """
    try:
        with whole_file(path) as file:
            yield file
    except OSError as error:
        raise InputError(Location(file=str(path)), f"cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def written_text(path: Path, errors: str = "strict") -> Iterator[IO[str]]:
    """Yield a text file like `written_whole`: in UTF-8, with line ends as they are.

    Args:
        path: The target.
        errors: How text that has no UTF-8 is written, as in `open`.

    Raises:
        InputError: If it cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with written_text(Path(folder, "scores.txt")) as file:
        ...         _ = file.write("0.5")
        ...     Path(folder, "scores.txt").read_text()
        '0.5'
    """
    with written_whole(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors=errors, newline="\n")
        try:
            yield text
            text.flush()
        finally:
            with contextlib.suppress(OSError):
                text.detach()

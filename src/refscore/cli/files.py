"""The files of hypotheses and references that commands take, read and checked against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from refscore.errors import InputError
from refscore.readers import read_lines


def read_corresponding(
    hypotheses: Sequence[Path], references: Sequence[Path]
) -> tuple[list[list[str]], list[list[str]]]:
    r"""The lines of all files; a file with another number of lines than the first is an error.

    Args:
        hypotheses: At least one file.
        references: Any number of files.

    Returns:
        The lines of each file of hypotheses, and those of each file of references.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     system, reference = Path(folder, "system.txt"), Path(folder, "reference.txt")
        ...     _ = system.write_text("a cat\na dog\n"), reference.write_text("the cat\nthe dog\n")
        ...     read_corresponding([system], [reference])
        ([['a cat', 'a dog']], [['the cat', 'the dog']])
    """
    paths = [*hypotheses, *references]
    files = [read_lines(path) for path in paths]
    for path, lines in zip(paths, files, strict=True):
        if len(lines) != len(files[0]):
            found, wanted = (f"{n} line{'' if n == 1 else 's'}" for n in (len(lines), len(files[0])))
            raise InputError(f"{path} has {found} but {paths[0]} has {wanted}: they have to correspond line by line")
    return files[: len(hypotheses)], files[len(hypotheses) :]

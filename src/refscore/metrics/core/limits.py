"""Limits on what is scored, for texts that strangers send."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from refscore import _native
from refscore.errors import SettingError

_current = ContextVar("refscore.limits", default=(sys.maxsize, sys.maxsize))
_native.keep_limits_in(_current)


@contextmanager
def limits(*, max_tokens: int | None = None, max_references: int | None = None) -> Iterator[None]:
    """Within it, segments that are too long are refused before they are scored, with a `LimitError`.

    Some metrics take time that grows with the square of a segment's length (docs/limits.md). A limit holds for the
    thread, or the task of asyncio, that the `with` block is in; one within another cannot raise it.

    Args:
        max_tokens: The most tokens that a hypothesis, or a reference, may have: words after the tokenizer, characters
            for chrF and CER, ids.
        max_references: The most references that a segment may have.

    Raises:
        LimitError: For the first segment that has more.

    Example:
        >>> import refscore
        >>> with refscore.limits(max_tokens=1000, max_references=2):
        ...     refscore.ter(["a cat sat"], [["a cat sat", "the cat sat"]]).value
        0.0
        >>> with refscore.limits(max_references=2):
        ...     refscore.ter(["a cat sat"], [["a cat sat", "the cat sat", "one cat"]])
        Traceback (most recent call last):
        refscore.errors.LimitError: references[0] has 3 references, and max_references is 2
    """
    tokens, references = _current.get()
    before = _current.set(
        (min(tokens, _checked("max_tokens", max_tokens)), min(references, _checked("max_references", max_references)))
    )
    try:
        yield
    finally:
        _current.reset(before)


def _checked(name: str, limit: int | None) -> int:
    if limit is None:
        return sys.maxsize
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise SettingError(f"{name} must be a whole number of at least 1, not {limit!r}")
    return min(limit, sys.maxsize)

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from refscore import _native
from refscore.errors import Argument, LimitError, Location
from refscore.settings import whole_number

_NO_LIMITS = (sys.maxsize, sys.maxsize)
_current = ContextVar("refscore.metrics.limits", default=_NO_LIMITS)
_native.keep_limits_in(_current)


@contextmanager
def limits(*, max_tokens: int | None = None, max_references: int | None = None) -> Iterator[None]:
    """Raise a `LimitError` for large segments inside a `with` block, before they are scored.

    Some metrics' time grows with a segment's squared length (docs/reference/limits.md). Limits apply to the
    thread or asyncio task of the `with` block. A nested block cannot raise a limit.

    Args:
        max_tokens: The most tokens that a hypothesis or reference may have: words after tokenizing, characters for
            chrF and CER, or token ids.
        max_references: The most references that a segment may have.

    Raises:
        LimitError: For the first segment that exceeds a limit.

    Example:
        >>> import refscore
        >>> with refscore.metrics.limits(max_tokens=1000, max_references=2):
        ...     refscore.ter(["a cat sat"], [["a cat sat", "the cat sat"]]).value
        0.0
        >>> with refscore.metrics.limits(max_tokens=2):
        ...     refscore.ter(["a cat sat"], [["a cat sat", "the cat sat"]])
        Traceback (most recent call last):
        refscore.errors.LimitError: references[0][0] has 3 tokens, and the limit max_tokens is 2: raise max_tokens
    """
    tokens, references = _current.get()
    before = _current.set(
        (min(tokens, _checked("max_tokens", max_tokens)), min(references, _checked("max_references", max_references)))
    )
    try:
        yield
    except LimitError as error:
        name = "max_references" if "max_references" in error.problem else "max_tokens"
        raise error.at(error.location, fix=("raise ", Argument(name))) from None
    finally:
        _current.reset(before)


def current_limits() -> dict[str, int]:
    """Return the current arguments for `limits`.

    >>> with limits(max_tokens=7):
    ...     current_limits()["max_tokens"]
    7
    """
    return dict(zip(("max_tokens", "max_references"), _current.get(), strict=True))


def _checked(name: str, limit: int | None) -> int:
    return sys.maxsize if limit is None else min(whole_number(name, limit, 1, None), sys.maxsize)


def check_limits(
    hypotheses: Sequence[Sequence[object]], references: Sequence[Sequence[Sequence[object]]], sources: int = 0
) -> None:
    """Raise a LimitError for the first segment that exceeds a limit. The first `sources` references are sources."""
    most = _current.get()[0]
    for i, entry in enumerate(references):
        count = len(entry) - sources
        check_reference_count(count, i)
        for r, tokens in enumerate(entry):
            if len(tokens) > most:
                is_only_reference = count == 1 and r == sources
                check_tokens(len(tokens), Location("references", i, None if is_only_reference else r))
    for i, tokens in enumerate(hypotheses):
        if len(tokens) > most:
            check_tokens(len(tokens), Location("hypotheses", i))


def check_tokens(count: int, location: Location, whose: str = "", *, segments: int = 1) -> None:
    """Raise a LimitError if there are more tokens than the limit allows for these segments."""
    most = _current.get()[0]
    if count > most * segments:
        times = f" for each of {segments} segments" if segments > 1 else ""
        raise LimitError(location, f"has {count} tokens{whose}, and the limit max_tokens is {most}{times}")


def has_limits() -> bool:
    """Return whether there are limits, so that callers can skip checks that take time."""
    return _current.get() is not _NO_LIMITS


def check_reference_count(count: int, segment: int) -> None:
    """Raise a LimitError if a segment has more references than the limit."""
    most = _current.get()[1]
    if count > most:
        problem = f"has {count} references, and the limit max_references is {most}"
        raise LimitError(Location("references", segment), problem)

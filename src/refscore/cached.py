from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")


class cached_property(functools.cached_property[T]):  # noqa: N801 - it has the name of its base class
    """A property that is computed once per object.

    That of `functools` takes a lock before Python 3.12. A process forked while another thread holds it waits forever.
    Here two threads may compute the value at the same time.

    >>> class Text:
    ...     def __init__(self, text: str) -> None:
    ...         self.text = text
    ...
    ...     @cached_property
    ...     def words(self) -> list[str]:
    ...         return self.text.split()
    >>> text = Text("a cat")
    >>> text.words is text.words
    True
    """

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        if instance is None:
            return self
        assert self.attrname is not None
        # An attribute of the object hides this one, which has no __set__.
        value: T = instance.__dict__.setdefault(self.attrname, self.func(instance))
        return value

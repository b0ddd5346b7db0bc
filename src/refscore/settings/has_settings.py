"""The base class of everything that has settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from refscore.settings.declaration import (
    Setting,
    add_arguments,
    check_settings,
    declared_settings,
    unknown_setting,
)
from refscore.settings.signatures import write_signature

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")


class HasSettings:
    """A frozen dataclass of declared settings: hashable, picklable, and checked when it is created.

    Attributes:
        name: The name in commands, signatures and errors.
        first_keys: The keys that signatures begin with. The others follow in the order of the fields.

    Example:
        >>> from dataclasses import dataclass
        >>> from refscore.settings import WholeNumber, setting
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Draws(HasSettings):
        ...     name = "draws"
        ...     seed: int = setting(12345, "The seed of the random numbers.", WholeNumber(0), key="seed")
        >>> Draws(seed=7).signature.rpartition("|version:")[0]
        'draws|seed:7'
        >>> Draws(sed=7)
        Traceback (most recent call last):
        refscore.errors.UnknownNameError: unknown setting of draws 'sed'; did you mean 'seed'? (there are: seed)
    """

    name: ClassVar[str]
    first_keys: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        add_arguments(cls)

    def __new__(cls, *_: Any, **settings: Any) -> Self:
        """Raise an error for an unknown setting, with a suggestion."""
        for name in settings:
            if name not in cls.__dataclass_fields__:  # type: ignore[attr-defined]
                raise unknown_setting(cls, name)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        check_settings(self)
        self._check()

    def _check(self) -> None:
        """Check settings that depend on each other."""

    _set = object.__setattr__  # for attributes that derive from settings

    def __reduce__(self) -> tuple[Any, ...]:
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}  # type: ignore[arg-type]
        return _rebuild, (type(self), values)

    @classmethod
    def settings(cls) -> Mapping[str, Setting]:
        """Return the declarations of the settings by name.

        >>> import refscore
        >>> list(refscore.WER.settings())
        ['tokenizer', 'lowercase', 'normalize', 'alternatives', 'glm', 'words', 'counted']
        """
        return declared_settings(cls)

    @property
    def signature(self) -> str:
        """All settings that change the result, as text."""
        return write_signature(self)


def _rebuild(kind: type[T], settings: dict[str, Any]) -> T:
    return kind(**settings)

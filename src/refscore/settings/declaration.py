"""The declaration of settings.

Whatever has settings (metrics, tests, re-segmentation, overlaps) is a dataclass with fields declared by `setting`. The
declaration is the single source for the checks of values, the signature and its parser, the options of commands, and
the tables of settings in the documentation.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, TypeAlias

from refscore.errors import InputError, SettingError, UnknownNameError
from refscore.settings.kinds import (
    Choice,
    Flag,
    Kind,
    Number,
    WholeNumber,
    alternatives as alternatives_in_words,
    show_value,
)

Stage: TypeAlias = Literal["text", "counting", "formula"]

# The largest allowed order of n-grams: rows of some metrics have columns for each order.
MOST_ORDERS = 1_000_000


@dataclass(frozen=True)
class Setting:
    """A setting, as a field of a dataclass declares it.

    Attributes:
        name: The name of the field.
        default: The default value.
        meaning: What the setting does, for help and documentation.
        kind: The type of its values.
        key: The name in signatures; empty if a different setting includes it, or signatures omit it.
        title: The topic, in a word or two; empty if users do not choose the value.
        stage: Where the setting applies: "text", "counting" or "formula".
        words: The meaning of each value.
        otherwise: The meaning of all other values. Names in braces are replaced by the values of settings.
        alternatives: Common values, which a search for a number also tries.
        companion: A setting that only makes sense with this one. In signatures, its number follows in brackets.
        other_names: Names of the setting in other tools, for suggestions.
        is_rare: Whether signatures omit the setting while it has its default.

    Example:
        >>> import refscore
        >>> smoothing = refscore.BLEU.settings()["smoothing"]
        >>> smoothing.key, smoothing.companion, smoothing.title
        ('smooth', 'smoothing_value', 'smoothing')
        >>> smoothing.describe({"smoothing": "floor", "smoothing_value": 0.1})
        'an order without a match counts 0.1 matches'
    """

    name: str
    default: Any
    meaning: str
    kind: Kind
    key: str
    title: str = ""
    stage: Stage = "counting"
    words: Mapping[Any, str] = field(default_factory=dict)
    otherwise: str = ""
    alternatives: tuple[Any, ...] = ()
    companion: str | None = None
    other_names: tuple[str, ...] = ()
    is_rare: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """The accepted values, in words."""
        return self.kind.values

    @property
    def explanation(self) -> str:
        """The meaning of the setting, and of each named value unless the meaning has it."""
        named = [value for value in self.words if isinstance(value, str)] if isinstance(self.kind, Choice) else []
        if not named or any(f'"{value}"' in self.meaning for value in named):
            return self.meaning
        return f"{self.meaning} " + "; ".join(f'"{value}": {self.words[value]}' for value in named) + "."

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the setting and of its companion."""
        return (self.name,) if self.companion is None else (self.name, self.companion)

    def describe(self, settings: Mapping[str, Any]) -> str:
        """Return the meaning of the setting's value, given all settings; empty if there are no words for it."""
        template = self.words.get(settings[self.name], self.otherwise)
        shown = {self.name: self.show(settings[self.name])}
        if self.companion is not None:
            shown[self.companion] = show_value(settings[self.companion])
        return template.format(**shown)

    def show(self, value: Any) -> str:
        """Return a value as users write it."""
        return self.kind.show(value)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text. Raise a SettingError if there is none."""
        try:
            return self.kind.parse(text)
        except InputError:  # a file that cannot be read
            raise
        except ValueError:
            raise SettingError(f"{self.name} takes {alternatives_in_words(self.values)}, not {text!r}") from None


def setting(default: Any, meaning: str, kind: Kind, **declared: Any) -> Any:
    """Declare a setting, as a field of a dataclass.

    Args:
        default: The default value.
        meaning: What the setting does.
        kind: The type of its values.
        **declared: Other attributes of `Setting`.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Example:
        ...     order: int = setting(4, "The longest n-grams.", WholeNumber(1), key="order")
        >>> Example().order
        4
    """
    declared.setdefault("key", "")
    return field(default=default, metadata={"setting": Setting("", default, meaning, kind, **declared)})


def choice(default: Any, meaning: str, words: Mapping[Any, str], **declared: Any) -> Any:
    """Declare a setting with named values; `words` has the meaning of each value.

    Example:
        >>> from dataclasses import dataclass
        >>> from refscore.settings import HasSettings
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Cuts(HasSettings):
        ...     name = "cuts"
        ...     ties: str = choice("late", "Which cut to choose.", {"late": "the last one", "early": "the first one"})
        >>> Cuts.settings()["ties"].explanation
        'Which cut to choose. "late": the last one; "early": the first one.'
    """
    return setting(default, meaning, Choice(words.keys()), words=words, **declared)


def order_setting(default: int, meaning: str, most: int = MOST_ORDERS, alternatives: tuple[int, ...] = ()) -> Any:
    """Declare the setting `max_order`, the largest order of n-grams."""
    return setting(
        default,
        meaning,
        WholeNumber(1, most),
        key="order",
        title="n-grams",
        otherwise="n-grams of up to {max_order} tokens",
        other_names=("max_ngram_order", "n_gram", "max_len", "n"),
        alternatives=alternatives or (1, 2, 3, 4),
    )


def with_default(declared: Any, default: Any, **changes: Any) -> Any:
    """Declare a copy of a setting with a different default; `changes` are other attributes of `Setting`.

    Example:
        >>> seed = setting(12345, "The seed of the random numbers.", WholeNumber(0))
        >>> with_default(seed, 1).default
        1
    """
    return field(
        default=default, metadata={"setting": replace(declared.metadata["setting"], default=default, **changes)}
    )


def add_arguments(metric: type[Any]) -> None:
    """Add a section `Args` to the docstring of a metric's class. It runs before the dataclass decorator."""
    if not metric.__doc__:  # python -OO
        return
    fields_by_name: dict[str, Any] = {}
    for base in reversed(metric.__mro__):
        fields_by_name |= getattr(base, "__dataclass_fields__", {})
    fields_by_name |= {name: value for name, value in vars(metric).items() if isinstance(value, Field)}
    declared = {
        name: entry.metadata["setting"] for name, entry in fields_by_name.items() if "setting" in entry.metadata
    }
    lines = [
        textwrap.fill(f"{name}: {entry.explanation}", 116, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, entry in declared.items()
    ]
    # Python 3.13 removes the indentation of docstrings, older versions keep it.
    head, example, rest = inspect.cleandoc(metric.__doc__).partition("\nExample:")
    if lines and "Args:" not in head:
        metric.__doc__ = "\n".join([f"{head.rstrip()}\n\nArgs:", *lines, example + rest])


def declared_settings(kind: type[Any]) -> Mapping[str, Setting]:
    """Return the settings of a class by name, in the order of its fields.

    A field without `setting` gets its name as the key, and the kind of its default. Fields that are not compared, such
    as notes, are not settings.
    """
    hashable: Any = kind
    return _declared_settings(hashable)


@cache  # of every class that is used: single calls read its settings many times
def _declared_settings(kind: Any) -> Mapping[str, Setting]:
    declared = {}
    for entry in fields(kind):
        declaration = entry.metadata.get("setting")
        if declaration is None:
            if not entry.compare:
                continue
            value_kind = _kind_of(entry.default, f"{kind.__name__}.{entry.name}")
            declaration = Setting(
                entry.name, entry.default, "", value_kind, entry.name, entry.name, otherwise=f"{{{entry.name}}}"
            )
        # A subclass may change the default of an inherited field.
        declared[entry.name] = replace(declaration, name=entry.name, default=entry.default)
    return declared


def unknown_setting(kind: type[Any], name: str) -> UnknownNameError:
    """Return the error for an unknown setting of a class, with a suggestion."""
    declared = declared_settings(kind)
    other_names = {other: entry.name for entry in declared.values() for other in entry.other_names}
    return UnknownNameError.suggest(f"setting of {kind.name}", name, declared, other_names)


def _kind_of(default: Any, name: str) -> Kind:
    if isinstance(default, bool):
        return Flag()
    if isinstance(default, int):
        return WholeNumber()
    if isinstance(default, float):
        return Number()
    if isinstance(default, str):
        return Kind()
    raise SettingError(
        f"{name} needs a default that is a string, a number, True or False: change it, or declare it with setting()"
    )


def check_settings(instance: object) -> None:
    """Check the settings of a new instance, and convert them to plain types."""
    kind: Any = type(instance)
    for name, declared in declared_settings(kind).items():
        value = getattr(instance, name)
        checked = _checked_default(kind, name) if value is declared.default else declared.kind.check(name, value)
        if checked is not value:
            object.__setattr__(instance, name, checked)


@cache  # most settings have their default, and many metrics score only one segment
def _checked_default(kind: Any, name: str) -> Any:
    declared = declared_settings(kind)[name]
    return declared.kind.check(name, declared.default)


def settings_by_name(instance: object) -> dict[str, Any]:
    """Return the settings of an instance by name."""
    return {name: getattr(instance, name) for name in declared_settings(type(instance))}

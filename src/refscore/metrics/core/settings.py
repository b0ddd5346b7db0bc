"""The declaration of settings of metrics.

A metric is a dataclass with fields declared by `setting`. The declaration is the single source for the checks of
values, the signature and its parser, `refscore metrics NAME`, the words of conventions, and the values that commands
accept.
"""

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np

from refscore._version import __version__
from refscore.errors import InputError, SettingError, SignatureError, UnknownNameError
from refscore.signature import join, split_value, with_value

if TYPE_CHECKING:
    from refscore.metrics.core.metric import Metric

M = TypeVar("M", bound="Metric[Any]")
Stage: TypeAlias = Literal["text", "counting", "formula"]

# The largest allowed order of n-grams: rows of some metrics have columns for each order.
MOST_ORDERS = 1_000_000

_FLAG_WORDS = {"yes": True, "true": True, "no": False, "false": False}


class Kind:
    """The type of a setting's values: how they are checked, written and read.

    This class accepts any text. Subclasses accept numbers, flags, names from a list, and so on.

    Example:
        >>> Kind().check("label", "x"), Kind().values
        ('x', ('a name',))
    """

    values: tuple[str, ...] = ("a name",)
    """The accepted values, in words."""

    def check(self, name: str, value: Any) -> Any:
        """Return the value in its plain type, or raise a SettingError."""
        if not isinstance(value, str):
            raise SettingError(f"{name} must be a string, not {value!r}")
        return value

    def write(self, value: Any) -> str:
        """Return the value as it is written in signatures."""
        return str(value)

    def read(self, text: str) -> Any:
        """Return the value from the text of `write`. Raise a ValueError if there is none."""
        return text

    def parse(self, text: str) -> Any:
        """Return the value from a user's text. Raise a ValueError if there is none."""
        return self.read(text)


class Choice(Kind):
    """One of several values, each with its name in signatures.

    Args:
        values: The values with their names in signatures, or a list of names that are also the values.

    Example:
        >>> case = Choice({True: "lc", False: "mixed", "ascii": "lc-ascii"})
        >>> case.write(True), case.read("lc-ascii"), case.parse("no"), case.values
        ('lc', 'ascii', False, ('yes', 'no', 'ascii'))
    """

    def __init__(self, values: Mapping[Any, str] | Iterable[str]) -> None:
        self._names = dict(values) if isinstance(values, Mapping) else {value: value for value in values}
        self.values = tuple(map(show_value, self._names))

    def check(self, name: str, value: Any) -> Any:
        """Return the value if it is one of the choices."""
        # 1 == True, but 1 is not a flag.
        if isinstance(value, (str, bool, type(None))) and value in self._names:
            return value
        if all(isinstance(known, str) for known in self._names):
            raise UnknownNameError.suggest(name, value, self._names)
        raise SettingError(f"{name} must be {_alternatives(map(repr, self._names))}, not {value!r}")

    def write(self, value: Any) -> str:
        """Return the value's name in signatures."""
        return self._names[value]

    def read(self, text: str) -> Any:
        """Return the value with this name in signatures."""
        return _find(self._names, lambda value, name: name == text, self._names.values(), text)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text: yes, no and none for True, False and None."""
        word = _FLAG_WORDS.get(text.lower(), text)
        return _find(self._names, lambda value, _: value == word or show_value(value) == word, self.values, text)


class Flag(Choice):
    """True or False."""

    def __init__(self) -> None:
        super().__init__({True: "yes", False: "no"})


class WholeNumber(Kind):
    """A whole number within bounds."""

    values = ("a whole number",)

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self._least = least
        self._most = most

    def check(self, name: str, value: Any) -> int:
        """Return the number as an int."""
        return whole_number(name, value, self._least, self._most)

    def read(self, text: str) -> int:
        """Return the number."""
        return int(text)


class Number(Kind):
    """A finite number within bounds."""

    values: tuple[str, ...] = ("a number",)

    def __init__(self, least: float | None = None, most: float | None = None) -> None:
        self._least = least
        self._most = most

    def check(self, name: str, value: Any) -> float:
        """Return the number as a float."""
        number = math.nan
        with suppress(TypeError, OverflowError):
            number = as_float(value)
        least = -math.inf if self._least is None else self._least
        most = math.inf if self._most is None else self._most
        if math.isfinite(number) and least <= number <= most:
            return number
        bounds = f" of at least {least:g}" if self._most is None else f" from {least:g} to {most:g}"
        raise SettingError(f"{name} must be a number{'' if self._least is None else bounds}, not {value!r}")

    def write(self, value: float) -> str:
        """Return the number with all its digits."""
        return repr(value)

    def read(self, text: str) -> float:
        """Return the number."""
        return float(text)


class OptionalNumber(Number):
    """A number, or None for the default of the setting that it belongs to."""

    values = ("a number", "none")

    def check(self, name: str, value: Any) -> Any:
        """Return the number as a float, or None."""
        return None if value is None else super().check(name, value)

    def parse(self, text: str) -> Any:
        """Return the number; None for "none"."""
        return None if text.lower() == "none" else float(text)


@dataclass(frozen=True)
class Setting:
    """A setting of a metric, as the metric's field declares it.

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
    def names(self) -> tuple[str, ...]:
        """The names of the setting and of its companion."""
        return (self.name,) if self.companion is None else (self.name, self.companion)

    def describe(self, settings: Mapping[str, Any]) -> str:
        """Return the meaning of the setting's value, given all settings; empty if there are no words for it."""
        template = self.words.get(settings[self.name], self.otherwise)
        return template.format(**{name: show_value(settings[name]) for name in self.names})

    def show(self, value: Any) -> str:
        """Return a value as users write it."""
        return show_value(value)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text. Raise a SettingError if there is none."""
        try:
            return self.kind.parse(text)
        except InputError:  # a file that cannot be read
            raise
        except ValueError:
            raise SettingError(f"{self.name} takes {_alternatives(self.values)}, not {text!r}") from None


def setting(default: Any, meaning: str, kind: Kind, **declared: Any) -> Any:
    """Declare a setting, as a field of a metric's dataclass.

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
    """Declare a setting with named values; `words` has the meaning of each value."""
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
    """Declare a copy of a setting with a different default; `changes` are other attributes of `Setting`."""
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
        textwrap.fill(f"{name}: {entry.meaning}", 116, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, entry in declared.items()
    ]
    # Python 3.13 removes the indentation of docstrings, older versions keep it.
    head, example, rest = inspect.cleandoc(metric.__doc__).partition("\nExample:")
    if lines and "Args:" not in head:
        metric.__doc__ = "\n".join([f"{head.rstrip()}\n\nArgs:", *lines, example + rest])


@cache
def declared_settings(metric: type[Metric[Any]]) -> Mapping[str, Setting]:
    """Return the settings of a metric's class by name, in the order of its fields.

    A field without `setting` gets its name as the key, and the kind of its default.
    """
    declared = {}
    for entry in fields(metric):  # type: ignore[arg-type]
        declaration = entry.metadata.get("setting")
        if declaration is None:
            kind = _kind_of(entry.default, f"{metric.__name__}.{entry.name}")
            declaration = Setting(
                entry.name, entry.default, "", kind, entry.name, entry.name, otherwise=f"{{{entry.name}}}"
            )
        # A subclass may change the default of an inherited field.
        declared[entry.name] = replace(declaration, name=entry.name, default=entry.default)
    return declared


def unknown_setting(metric: type[Metric[Any]], name: str) -> UnknownNameError:
    """Return the error for an unknown setting of a metric."""
    declared = declared_settings(metric)
    other_names = {other: entry.name for entry in declared.values() for other in entry.other_names}
    return UnknownNameError.suggest(f"setting of {metric.name}", name, declared, other_names)


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


def check_settings(metric: Metric[Any]) -> None:
    """Check the settings of a new metric, and convert them to plain types."""
    for name, declared in declared_settings(type(metric)).items():
        value = getattr(metric, name)
        checked = declared.kind.check(name, value)
        if checked is not value:
            object.__setattr__(metric, name, checked)


def settings_by_name(metric: Metric[Any]) -> dict[str, Any]:
    """Return a metric's settings by name."""
    return {name: getattr(metric, name) for name in declared_settings(type(metric))}


def _in_signature(metric: type[Metric[Any]]) -> list[Setting]:
    """Return the settings in signatures: first those of the text, in the same order for all metrics."""
    first = {"case": 0, "norm": 1, "tok": 2}
    named = [declared for declared in declared_settings(metric).values() if declared.key]
    return sorted(named, key=lambda declared: first.get(declared.key, len(first)))


def write_signature(metric: Metric[Any]) -> str:
    """Return all settings that change the score, as text."""
    pairs = {}
    for declared in _in_signature(type(metric)):
        if declared.is_rare and getattr(metric, declared.name) == declared.default:
            continue
        text = declared.kind.write(getattr(metric, declared.name))
        pairs[declared.key] = (
            text if declared.companion is None else with_value(text, getattr(metric, declared.companion))
        )
    return join(type(metric).name, {**pairs, "version": __version__})


def read_signature(metric: type[M], pairs: Mapping[str, str]) -> M:
    """Return the metric from the pairs of one of refscore's own signatures."""
    title = metric.display_name
    declared = {entry.key: entry for entry in _in_signature(metric)}
    unknown = pairs.keys() - declared.keys() - {"nrefs", "version"}
    if unknown:
        raise SignatureError(f"signatures of {title} have no key {sorted(unknown)[0]!r}")
    settings: dict[str, Any] = {}
    for key, entry in declared.items():
        if key not in pairs and entry.is_rare:
            continue
        if key not in pairs:
            raise SignatureError(f"the signature of {title} lacks the key {key!r}")
        text = pairs[key]
        if entry.companion is not None:
            text, settings[entry.companion] = split_value(text)
        try:
            settings[entry.name] = entry.kind.read(text)
        except SignatureError:
            raise
        except ValueError:
            raise SignatureError(
                f"{key} in a signature must be {_alternatives(_signature_values(entry))}, not {text!r}"
            ) from None
    try:
        return metric(**settings)
    except ValueError as error:
        raise SignatureError(f"the signature cannot be used: {error}") from None


def _signature_values(declared: Setting) -> Sequence[str]:
    kind = declared.kind
    return [*kind._names.values()] if isinstance(kind, Choice) else kind.values


def show_value(value: Any) -> str:
    """Return a setting's value as users write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ", ".join(item if isinstance(item, str) else f"{item:g}" for item in value) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        return value
    return _show_object(value)


def _show_object(value: Any) -> str:
    from refscore.normalizers import Normalizer
    from refscore.tokenizers import registry

    if isinstance(value, Normalizer):
        return value.name
    # Other functions are named alike, whether they tokenize or normalize.
    return registry.get(value).name if callable(value) or hasattr(value, "encode") else str(value)


def as_float(value: Any) -> float:
    """Return a number as a float. Raise a TypeError if it is not a number, an OverflowError if it is too large."""
    if isinstance(value, (bool, str)) or not isinstance(value, Real):
        raise TypeError(value)
    return float(value)


def whole_number(name: str, value: Any, least: int | None, most: int | None) -> int:
    """Return a whole number within bounds as an int, or raise a SettingError."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or (least is not None and value < least):
        bound = "" if least is None else f" of at least {least}"
        raise SettingError(f"{name} must be a whole number{bound}, not {value!r}")
    if most is not None and value > most:
        raise SettingError(f"{name} must be at most {most:,}, not {value:,}")
    return int(value)


def check_flag(name: str, value: Any) -> None:
    """Raise a SettingError unless the value is True or False."""
    if not isinstance(value, bool):
        raise SettingError(f"{name} must be True or False, not {value!r}")


def _find(names: Mapping[Any, str], fits: Callable[[Any, str], bool], known: Iterable[str], text: str) -> Any:
    for value, name in names.items():
        if fits(value, name):
            return value
    raise ValueError(f"{text!r} is not {_alternatives(known)}")


def _alternatives(words: Iterable[str]) -> str:
    """Return words as a list of alternatives: "a, b or c"."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last

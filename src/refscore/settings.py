"""Settings: their declaration, checks and signatures, for everything that has settings.

Metrics, tests, re-segmentation and overlaps are dataclasses with fields declared by `setting`. The declaration is the
single source for the checks of values, the signature and its parser, the options of commands, and the tables of
settings in the documentation.

A signature is a name and `key:value` pairs between bars: `bleu|case:mixed|norm:none|tok:13a|order:4|…|version:0.1.0`.
"""

from __future__ import annotations

import inspect
import math
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypeVar

import numpy as np

from refscore._version import __version__
from refscore.cached import cached_property
from refscore.errors import InputError, SettingError, SignatureError, UnknownNameError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "Choice",
    "Flag",
    "HasSettings",
    "Kind",
    "Number",
    "OrNone",
    "Setting",
    "Share",
    "WholeNumber",
    "choice",
    "setting",
    "with_default",
]

T = TypeVar("T")

_FLAG_WORDS = {"yes": True, "true": True, "no": False, "false": False}

# What a text in a signature is written without: bars, line ends, control characters, and the sign that sacrebleu puts
# between a signature and a score.
_ESCAPED = re.compile("[%|=\x00-\x1f]|[^\x00-\x7e]")
_UTF8 = ("utf-8", "surrogatepass")
_ESCAPES = re.compile("(%[0-9A-F]{2})+")


class Kind:
    """The type of a setting's values: how they are checked, written and read.

    This class accepts any text. Subclasses accept numbers, flags, names from a list, and so on.

    Example:
        >>> Kind().check("label", "x"), Kind().values
        ('x', ('a name',))
    """

    values: tuple[str, ...] = ("a name",)
    """The accepted values, in words."""

    def check(self, name: str, value: object) -> Any:
        """Return the value in its plain type, or raise a SettingError."""
        if not isinstance(value, str):
            raise SettingError(f"{name} must be a string, not {value!r}")
        return value

    def write(self, value: Any) -> str:
        """Return the value as one line of ASCII without bars and equals signs, which end the settings of signatures."""
        return _ESCAPED.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode(*_UTF8)), str(value))

    def read(self, text: str) -> Any:
        """Return the value from the text of `write`. Raise a ValueError if there is none."""
        return _ESCAPES.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode(*_UTF8), text)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text. Raise a ValueError if there is none."""
        return self.read(Kind.write(self, text))

    def show(self, value: object) -> str:
        return show_value(value)

    def as_untrusted(self, value: Any) -> Any:
        """Return a value from a file. If using it can do harm, return an equal value that cannot be used."""
        return value

    def as_trusted(self, value: Any) -> Any:
        """Undo `as_untrusted`."""
        return value

    @property
    def signature_values(self) -> Iterable[str]:
        return self.values


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

    def check(self, name: str, value: object) -> Any:
        # 1 == True, but 1 is not a flag.
        if isinstance(value, (str, bool, type(None))) and value in self._names:
            return value
        if all(isinstance(known, str) for known in self._names):
            raise UnknownNameError.suggest(name, value, self._names)
        raise SettingError(f"{name} must be {alternatives(map(repr, self._names))}, not {value!r}")

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

    @property
    def signature_values(self) -> Iterable[str]:
        return self._names.values()


class Flag(Choice):
    """True or False.

    Example:
        >>> Flag().parse("yes"), Flag().write(False)
        (True, 'no')
    """

    def __init__(self) -> None:
        super().__init__({True: "yes", False: "no"})


class WholeNumber(Kind):
    """A whole number within bounds.

    Example:
        >>> WholeNumber(1, 64).values
        ('a whole number from 1 to 64',)
    """

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least = least
        self.most = most
        self.values = (f"a whole number{_bounds(least, most)}",)

    def check(self, name: str, value: object) -> int:
        return whole_number(name, value, self.least, self.most)

    def read(self, text: str) -> int:
        return int(text)


class Number(Kind):
    """A finite number within bounds.

    Example:
        >>> Number(0).check("beta", 2), Number(0).values
        (2.0, ('a number of at least 0',))
    """

    def __init__(self, least: float | None = None, most: float | None = None) -> None:
        self._least = least
        self._most = most
        self.values = (f"a number{_bounds(least, most)}",)

    def check(self, name: str, value: object) -> float:
        number = math.nan
        with suppress(TypeError, OverflowError):
            number = as_float(value)
        if math.isfinite(number) and self._allows(number):
            return number
        raise SettingError(f"{name} must be {self.values[0]}, not {value!r}")

    def _allows(self, number: float) -> bool:
        least = -math.inf if self._least is None else self._least
        return least <= number <= (math.inf if self._most is None else self._most)

    def write(self, value: float) -> str:
        return repr(value)

    def read(self, text: str) -> float:
        return float(text)


class Share(Number):
    """A number above 0 and below 1.

    Args:
        example: A value for error messages.
        may_be_1: Whether 1 is also allowed.

    Example:
        >>> Share(0.95).check("confidence", 95)
        Traceback (most recent call last):
        refscore.errors.SettingError: confidence must be a number between 0 and 1 such as 0.95, not 95
    """

    def __init__(self, example: float, *, may_be_1: bool = False) -> None:
        super().__init__(0, 1)
        self.may_be_1 = may_be_1
        bounds = "above 0 and at most 1" if may_be_1 else "between 0 and 1"
        self.values = (f"a number {bounds} such as {example:g}",)

    def _allows(self, number: float) -> bool:
        return 0 < number < 1 or (self.may_be_1 and number == 1)


class OrNone(Kind):
    """A value of a different kind, or None.

    Args:
        kind: The kind of all other values.
        none: The name of None in signatures.

    Example:
        >>> limit = OrNone(WholeNumber(1), none="all")
        >>> limit.write(None), limit.read("all"), limit.read("3"), limit.parse("none")
        ('all', None, 3, None)
    """

    def __init__(self, kind: Kind, none: str = "none") -> None:
        self.kind = kind
        self.none = none
        self.values = (*kind.values, "none")

    def check(self, name: str, value: object) -> Any:
        return None if value is None else self.kind.check(name, value)

    def write(self, value: Any) -> str:
        return self.none if value is None else self.kind.write(value)

    def read(self, text: str) -> Any:
        return None if text == self.none else self.kind.read(text)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text, or None for "none"."""
        return None if text.lower() == "none" else self.kind.parse(text)

    def show(self, value: object) -> str:
        return show_value(None) if value is None else self.kind.show(value)


class Digested(ABC):
    """Content of a setting, such as rules from a file, that compares by its digest. Signatures have only the digest."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """Return the content as bytes. Equal contents give equal bytes."""

    @cached_property
    def digest(self) -> str:
        """A digest of the content: sixteen hexadecimal digits."""
        from hashlib import sha256  # slow to import

        return sha256(self.to_bytes()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)


class DigestKind(Kind):
    values: tuple[str, ...] = ()

    def write(self, value: Digested | None) -> str:
        return "none" if value is None else value.digest


def _bounds(least: float | None, most: float | None) -> str:
    if least is None:
        return ""
    if most is not None and most >= 2**53:
        return f" from {least:,} to 2**{int(most).bit_length()} - 1"
    return f" of at least {least:,}" if most is None else f" from {least:,} to {most:,}"


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
    return str(value)


def as_float(value: Any) -> float:
    """Return a number as a float. Raise a TypeError if it is not a number, an OverflowError if it is too large."""
    if isinstance(value, (bool, str)) or not isinstance(value, Real):
        raise TypeError(value)
    return float(value)


def listed_strings(name: str, values: Iterable[Any]) -> tuple[str, ...]:
    """Return an iterable of strings as a tuple. Raise a SettingError if it is anything else."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise SettingError(f"{name} must be a list of strings, not {values!r}")
    listed = tuple(values)
    for i, value in enumerate(listed):
        if not isinstance(value, str):
            raise SettingError(f"{name}[{i}] must be a string, not {value!r}")
    return listed


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
    raise ValueError(f"{text!r} is not {alternatives(known)}")


def alternatives(words: Iterable[str]) -> str:
    """Return words as a list of alternatives: "a, b or c"."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


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
        key: The name in signatures, empty if a different setting includes it, or signatures omit it.
        title: The topic, in a word or two, empty if users do not choose the value.
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
        return (self.name,) if self.companion is None else (self.name, self.companion)

    def describe(self, settings: Mapping[str, Any]) -> str:
        """Return the meaning of the setting's value, given all settings, empty if there are no words for it."""
        template = self.words.get(settings[self.name], self.otherwise)
        shown = {self.name: self.show(settings[self.name])}
        if self.companion is not None:
            shown[self.companion] = show_value(settings[self.companion])
        return template.format(**shown)

    def show(self, value: object) -> str:
        return self.kind.show(value)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text. Raise a SettingError if there is none."""
        try:
            return self.kind.parse(text)
        except InputError:  # a file that cannot be read
            raise
        except ValueError:
            raise SettingError(f"{self.name} takes {alternatives(self.values)}, not {text!r}") from None


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


def _add_arguments(metric: type[Any]) -> None:
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


def _check_settings(instance: object) -> None:
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
    return {name: getattr(instance, name) for name in declared_settings(type(instance))}


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
        _add_arguments(cls)

    def __new__(cls, *values: Any, **settings: Any) -> Self:
        """Raise an error for an unknown setting, with a suggestion, and for settings without a name."""
        if values and len(values) > sum(each.init and not each.kw_only for each in fields(cls)):  # type: ignore[arg-type]
            example = f"{cls.__name__}({next(iter(cls.settings()))}=...)"
            raise TypeError(f"{cls.__name__}() takes settings by name, as in {example}")
        for name in settings:
            if name not in cls.__dataclass_fields__:  # type: ignore[attr-defined]
                raise unknown_setting(cls, name)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        _check_settings(self)
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
        >>> list(refscore.ExactMatch.settings())[:3]
        ['tokenizer', 'lowercase', 'normalize']
        """
        return declared_settings(cls)

    @cached_property
    def signature(self) -> str:
        """All settings that change the result, as text."""
        return _write_signature(self)

    def as_untrusted(self) -> Self:
        """Return an object with equal settings, which raises an error where using them can do harm.

        >>> import refscore
        >>> metric = refscore.ExactMatch(ignore_patterns=["a"])
        >>> metric.as_untrusted() == metric
        True
        """
        return self._with_each(lambda kind, value: kind.as_untrusted(value))

    def as_trusted(self) -> Self:
        """Undo `as_untrusted`.

        >>> import refscore
        >>> refscore.ExactMatch(ignore_patterns=["a"]).as_untrusted().as_trusted().corpus(["b"], ["ab"]).value
        1.0
        """
        return self._with_each(lambda kind, value: kind.as_trusted(value))

    def _with_each(self, convert: Callable[[Kind, Any], Any]) -> Self:
        values = {name: getattr(self, name) for name in self.settings()}
        changed = {name: convert(self.settings()[name].kind, value) for name, value in values.items()}
        changed = {name: value for name, value in changed.items() if value is not values[name]}
        return replace(self, **changed) if changed else self  # type: ignore[type-var]


def _rebuild(kind: type[T], settings: dict[str, Any]) -> T:
    return kind(**settings)


def join(name: str, pairs: dict[str, str]) -> str:
    return "|".join([name, *(f"{key}:{value}" for key, value in pairs.items())])


def split(text: str) -> tuple[str | None, dict[str, str]]:
    """Return the parts of a signature: refscore's name for the metric (None if there is none) and the pairs."""
    name: str | None = None
    pairs: dict[str, str] = {}
    for i, part in enumerate(text.strip().split("|")):
        key, colon, value = part.partition(":")
        if not colon:
            if i == 0 and part.isidentifier():
                name = part
                continue
            raise SignatureError(f"{text!r} is not a signature: {part!r} does not have the form key:value")
        if key in pairs:
            raise SignatureError(f"{text!r} is not a signature: it has {key!r} twice")
        pairs[key] = value
    return name, pairs


def _with_value(name: str, value: float | None) -> str:
    return name if value is None else f"{name}[{value!r}]"


def split_value(text: str) -> tuple[str, float | None]:
    """Return a name and its number in brackets, or None if it has none."""
    name, bracket, rest = text.partition("[")
    if not bracket:
        return name, None
    try:
        if not rest.endswith("]"):
            raise ValueError
        return name, float(rest[:-1])
    except ValueError:
        raise SignatureError(f"{text!r} must end with a number in brackets, like floor[0.1]") from None


def _in_signature(kind: type[Any]) -> list[Setting]:
    """Return the settings in signatures: first `first_keys`, then the others in the order of the fields."""
    first = {key: place for place, key in enumerate(kind.first_keys)}
    named = [declared for declared in declared_settings(kind).values() if declared.key]
    return sorted(named, key=lambda declared: first.get(declared.key, len(first)))


def signature_pairs(settings: Iterable[Setting], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the keys and values of settings in signatures, without rare settings that have their default."""
    pairs = {}
    for declared in settings:
        value = values[declared.name]
        if not declared.is_rare or value != declared.default:
            text = declared.kind.write(value)
            pairs[declared.key] = text if declared.companion is None else _with_value(text, values[declared.companion])
    return pairs


def _write_signature(instance: Any) -> str:
    """Return all settings that change the result, as text."""
    pairs = signature_pairs(_in_signature(type(instance)), settings_by_name(instance))
    return join(type(instance).name, {**pairs, "version": __version__})


def read_signature(kind: type[T], pairs: Mapping[str, str]) -> T:
    """Return the instance from the pairs of one of refscore's own signatures."""
    title = getattr(kind, "display_name", kind.__name__)
    declared = {entry.key: entry for entry in _in_signature(kind)}
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
            allowed = alternatives(entry.kind.signature_values)
            raise SignatureError(f"{key} in a signature must be {allowed}, not {text!r}") from None
    try:
        return kind(**settings)
    except ValueError as error:
        raise SignatureError(f"the signature cannot be used: {error}") from None

"""The errors that refscore raises on purpose, and their locations in the input.

RefscoreError
├── InputError        hypotheses, references or files that cannot be scored (also a ValueError)
│   ├── EmptyReferenceError  a reference without words, for a metric that needs words
│   └── LimitError    a segment with more tokens or references than `refscore.metrics.limits` allows
├── SettingError      a setting with an invalid value (also a ValueError)
│   └── UnknownNameError  a tokenizer, smoothing, preset or metric that does not exist
├── SignatureError    a signature that cannot be read (also a ValueError)
└── NotInstalledError a required package is not installed (also a ModuleNotFoundError)

SignatureWarning (a UserWarning) names the settings that were assumed because another tool's signature omits them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

E = TypeVar("E", bound="InputError")
T = TypeVar("T")


# Not frozen: creating a frozen one takes four times as long, and checks create many.
@dataclass(unsafe_hash=True, slots=True)
class Location:
    """The location of an error in the input. Unknown parts are None. Treat it as immutable.

    Attributes:
        side: "hypotheses", "references", "sources", "hypothesis" for a single segment, or the name of an argument.
        segment: The index of the segment.
        reference: The index of the reference in its segment.
        token: The index of the token.
        group: The index of the group in a batch of groups.
        file: The file that the segment was read from.
        line: The line in the file, counted from 1.
        field: The field or column in the file.

    Example:
        >>> print(Location("references", segment=3, reference=1))
        references[3][1]
        >>> print(Location("hypotheses", segment=3, file="system.txt", line=4))
        line 4 of system.txt
    """

    side: str = ""
    segment: int | None = None
    reference: int | None = None
    token: int | None = None
    group: int | None = None
    file: str | None = None
    line: int | None = None
    field: str | None = None

    def __str__(self) -> str:
        if self.file is not None:
            place = self.file if self.line is None else f"line {self.line} of {self.file}"
            return place if self.field is None else f"{self.field} in {place}"
        indexes = (self.group, self.segment, self.reference, self.token)
        return self.side + "".join(f"[{index}]" for index in indexes if index is not None)

    def after(self, segments: int) -> Location:
        """Return the location after a number of earlier segments.

        >>> print(Location("hypotheses", segment=3).after(100))
        hypotheses[103]
        """
        return self if self.segment is None else replace(self, segment=self.segment + segments)

    def in_one_segment(self) -> Location:
        """Return the location in the arguments of a call with a single segment.

        >>> print(Location("references", segment=0, reference=2).in_one_segment())
        references[2]
        """
        side = {"hypotheses": "hypothesis", "sources": "source"}.get(self.side, self.side)
        return replace(self, side=side, segment=None)

    def in_group(self, group: int) -> Location:
        """Return the location in one group of a batch of groups.

        >>> print(Location("references", segment=3).in_group(1))
        references[1][3]
        """
        return replace(self, group=group)

    def on_sides(self, **names: str) -> Location:
        """Return the location with the caller's names for the sides.

        >>> print(Location("hypotheses", segment=3).on_sides(hypotheses="completions"))
        completions[3]
        """
        return replace(self, side=names.get(self.side, self.side))


class RefscoreError(Exception):
    """The root of all errors that refscore raises on purpose.

    >>> import refscore
    >>> try:
    ...     refscore.BLEU(max_order=0)
    ... except refscore.RefscoreError as error:
    ...     print(error)
    max_order must be a whole number of at least 1, not 0
    """


ALL_METRICS = "*"
"""The name of all metrics that have a setting, on the command line and in `Argument.metric`."""


@dataclass(frozen=True)
class Argument:
    """An argument or setting in the text of an error or a warning, which every front end writes in its own form.

    Attributes:
        name: The name in Python.
        value: The value to pass, or None to only name the argument.
        metric: The name of the metric whose setting it is, empty for an argument.

    Example:
        >>> str(Argument("max_missing")), str(Argument("empty_reference", "skip", metric="ribes"))
        ('max_missing', "empty_reference='skip'")
    """

    name: str
    value: Any = None
    metric: str = ""

    def __str__(self) -> str:
        show = _show_argument.get()
        if show is not None:
            return show(self)
        return self.name if self.value is None else f"{self.name}={self.value!r}"


_show_argument: ContextVar[Callable[[Argument], str] | None] = ContextVar("refscore.errors", default=None)


@contextmanager
def arguments_shown_as(show: Callable[[Argument], str]) -> Iterator[None]:
    """Write arguments in errors and warnings in a front end's form inside a `with` block.

    >>> error = InputError(None, "a session is missing", ("raise ", Argument("max_missing")))
    >>> with arguments_shown_as(lambda argument: "--max-missing"):
    ...     print(error)
    a session is missing: raise --max-missing
    """
    before = _show_argument.set(show)
    try:
        yield
    finally:
        _show_argument.reset(before)


Fix: TypeAlias = "str | tuple[str | Argument, ...]"
"""What to do about an error: a text, or its parts."""


class InputError(RefscoreError, ValueError):
    """Raised for hypotheses, references or files that cannot be scored.

    Args:
        location: The location of the problem, or None if it concerns the input as a whole.
        problem: The problem, in words that follow the location: "is None".
        fix: What to do about it: a text, or a tuple of texts and `Argument` objects.

    Example:
        >>> import refscore
        >>> try:
        ...     refscore.bleu(["a cat", "a dog"], ["a cat", []])
        ... except refscore.InputError as error:
        ...     print(error)
        ...     print(error.location.side, error.location.segment)
        references[1] is empty: every segment needs at least one reference
        references 1
    """

    def __init__(self, location: Location | None, problem: str, fix: Fix = "") -> None:
        super().__init__(location, problem, fix)
        self.location = location
        self.problem = problem
        self.parts = (fix,) if isinstance(fix, str) else fix

    @property
    def fix(self) -> str:
        """What to do about it, as text."""
        return "".join(map(str, self.parts))

    def at(self: E, location: Location | None, *, fix: Fix | None = None) -> E:
        """Return the same error at a different location, with a different fix if one is given."""
        return type(self)(location, self.problem, self.parts if fix is None else fix)

    def __str__(self) -> str:
        text = f"{self.location} {self.problem}" if self.location is not None else self.problem
        return f"{text}: {self.fix}" if self.fix else text


class EmptyReferenceError(InputError):
    """Raised for a reference without words, by a metric that needs words.

    >>> import refscore
    >>> try:
    ...     refscore.ribes(["a cat", "a dog"], ["a cat", ""])
    ... except refscore.errors.EmptyReferenceError as error:
    ...     print(error.location.segment, error)
    1 references[1] has no words: add the text, or allow it with empty_reference='skip'
    """


class LimitError(InputError):
    """Raised for a segment with more tokens or references than `limits` allows.

    >>> import refscore
    >>> try:
    ...     with refscore.metrics.limits(max_tokens=3):
    ...         refscore.bleu(["a cat", "a very big dog"], ["a cat", "a dog"])
    ... except refscore.errors.LimitError as error:
    ...     print(error.location.segment, error)
    1 hypotheses[1] has 4 tokens, and the limit max_tokens is 3: raise max_tokens
    """


def check_instance(name: str, value: object, kind: type, fix: str) -> None:
    """Raise an InputError unless an argument is an instance of a class. `fix` says where such objects come from.

    >>> check_instance("threads", 2, int, "pass a number")
    """
    if not isinstance(value, kind):
        raise InputError(Location(name), f"must be of type {kind.__name__}, not {type(value).__name__}", fix)


class relocated:  # noqa: N801 - a context manager that is called like a function, but much faster than a generator
    """Replace the location of input errors raised in a `with` block by `move(location)`.

    >>> with relocated(lambda location: location.after(10)):
    ...     raise InputError(Location("hypotheses", segment=2), "is None")
    Traceback (most recent call last):
    refscore.errors.InputError: hypotheses[12] is None
    """

    __slots__ = ("_move",)

    def __init__(self, move: Callable[[Location], Location]) -> None:
        self._move = move

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, InputError) and error.location is not None:
            raise error.at(self._move(error.location)) from None


class SettingError(RefscoreError, ValueError):
    """Raised for a setting with an invalid value.

    >>> import refscore
    >>> try:
    ...     refscore.BLEU(weights=(0.5, 0.5))
    ... except refscore.SettingError as error:
    ...     print(error)
    weights has 2 entries for max_order=4: pass one weight per order, or use max_order=2
    """


class UnknownNameError(SettingError):
    """Raised for an unknown name. The message suggests a similar name and lists all names.

    >>> import refscore
    >>> try:
    ...     refscore.RIBES.preset("nlkt")
    ... except refscore.errors.UnknownNameError as error:
    ...     print(error)
    unknown preset of ribes 'nlkt'; did you mean 'nltk'? (there are: nltk, nltk-3.9, official)
    """

    @classmethod
    def suggest(
        cls, kind: str, name: object, known: Iterable[str], other_names: Mapping[str, str] | None = None
    ) -> UnknownNameError:
        """Return the error for a `name` that is not among the `known` names of a `kind`.

        `other_names` maps lowercase names that other tools use to known names.
        """
        import difflib  # slow to import, and only needed for errors

        names = sorted(known)
        folded = {**{known_name.lower(): known_name for known_name in names}, **(other_names or {})}
        near = difflib.get_close_matches(str(name).lower(), folded, n=1, cutoff=0.5)
        hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
        return cls(f"unknown {kind} {name!r}{hint} (there are: {', '.join(names) or 'none'})")


def look_up(kind: str, name: object, known: Mapping[str, T]) -> T:
    """Return what a name stands for, or raise an UnknownNameError. `kind` is the word for such names.

    >>> look_up("letter", "b", {"a": 1, "b": 2})
    2
    """
    try:
        return known[name]  # type: ignore[index]
    except (KeyError, TypeError):  # a TypeError for what cannot be hashed
        raise UnknownNameError.suggest(kind, name, known) from None


class SignatureError(RefscoreError, ValueError):
    """Raised for a signature that cannot be read.

    >>> import refscore
    >>> try:
    ...     refscore.from_signature("BLEU score")
    ... except refscore.errors.SignatureError as error:
    ...     print(error)
    'BLEU score' is not a signature: 'BLEU score' does not have the form key:value
    """


class NotInstalledError(RefscoreError, ModuleNotFoundError):
    """Raised if a required package is not installed. The message has the command that installs it.

    >>> import refscore
    >>> issubclass(refscore.errors.NotInstalledError, ImportError)
    True
    >>> print(refscore.errors.NotInstalledError("plots need matplotlib: pip install 'refscore[plot]'"))
    plots need matplotlib: pip install 'refscore[plot]' (in a source checkout: pip install '.[plot]')
    """

    def __init__(self, message: str, *, name: str | None = None, path: str | None = None) -> None:
        _, _, extra = message.partition("pip install 'refscore[")
        hint = f" (in a source checkout: pip install '.[{extra.partition(']')[0]}]')"
        super().__init__(message if not extra or message.endswith(hint) else message + hint, name=name, path=path)


@contextmanager
def requires(user: str, extra: str) -> Iterator[None]:
    """Raise an error with the install command if an import in the `with` block fails; `user` needs the import."""
    try:
        yield
    except ImportError as error:
        raise NotInstalledError(f"{user} needs {error.name}: pip install 'refscore[{extra}]'") from None


class SignatureWarning(UserWarning):
    """Issued if the signature of another tool omits a setting. The message names the assumed value.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     metric = refscore.from_signature("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0")
    >>> print(caught[0].message)
    sacrebleu's signature omits the n-gram order: assumed max_order=4
    """

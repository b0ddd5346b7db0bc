"""What can go wrong, as a tree.

RefscoreError
├── InputError        hypotheses, references or files that cannot be scored (also a ValueError)
│   ├── EmptyReferenceError  a reference without words, where a metric needs some
│   └── LimitError    a segment that is longer, or has more references, than `refscore.limits` allows
├── SettingError      an option with a value it cannot have (also a ValueError)
│   └── UnknownNameError  a tokenizer, smoothing, preset or metric that does not exist
├── SignatureError    a signature that cannot be read (also a ValueError)
└── NotInstalledError a package that is needed and not there (also a ModuleNotFoundError)

SignatureWarning (a UserWarning) says what was assumed where a signature of another tool leaves a setting out.
"""

from __future__ import annotations

from collections.abc import Iterable


class RefscoreError(Exception):
    """The root of all errors that refscore raises on purpose.

    >>> import refscore
    >>> try:
    ...     refscore.BLEU(max_order=0)
    ... except refscore.RefscoreError as error:
    ...     print(error)
    max_order must be a whole number of at least 1, not 0
    """


class InputError(RefscoreError, ValueError):
    """Raised for hypotheses, references or files that cannot be scored; says where and what to do.

    >>> import refscore
    >>> try:
    ...     refscore.bleu(["a cat"], [[]])
    ... except refscore.InputError as error:
    ...     print(error)
    references[0] is empty: every segment needs at least one reference
    """


class EmptyReferenceError(InputError):
    """Raised for a reference without words, where a metric needs some; `segment` and `reference` are its place.

    >>> import refscore
    >>> try:
    ...     refscore.ribes(["a cat", "a dog"], ["a cat", ""])
    ... except refscore.EmptyReferenceError as error:
    ...     print(error.segment, error.reference, error)
    1 0 references[1] has no words, which is an error unless empty_reference is set to 'skip' or 'zero'
    """

    def __init__(self, message: str, segment: int, reference: int) -> None:
        super().__init__(message, segment, reference)
        self.segment = segment
        self.reference = reference

    def __str__(self) -> str:
        return str(self.args[0])


class LimitError(InputError):
    """Raised for a segment that is longer, or has more references, than `limits` allows; says where and how many.

    >>> import refscore
    >>> try:
    ...     with refscore.limits(max_tokens=3):
    ...         refscore.bleu(["a cat", "a very big dog"], ["a cat", "a dog"])
    ... except refscore.LimitError as error:
    ...     print(error.segment, error)
    1 hypotheses[1] has 4 tokens, and max_tokens is 3
    """

    def __init__(self, place: str, problem: str, segment: int, reference: int | None = None) -> None:
        super().__init__(place, problem, segment, reference)
        self.place = place
        self.problem = problem
        self.segment = segment
        self.reference = reference

    def __str__(self) -> str:
        return f"{self.place} {self.problem}"

    def after(self, segments: int) -> LimitError:
        """The same, where so many segments come before those that were counted."""
        segment = self.segment + segments
        place = self.place.replace(f"[{self.segment}]", f"[{segment}]", 1)
        return LimitError(place, self.problem, segment, self.reference)


class SettingError(RefscoreError, ValueError):
    """Raised for an option with a value that it cannot have.

    >>> import refscore
    >>> try:
    ...     refscore.BLEU(weights=(0.5, 0.5))
    ... except refscore.SettingError as error:
    ...     print(error)
    weights has 2 entries for max_order=4: give one weight for each order, or set max_order=2
    """


class UnknownNameError(SettingError):
    """Raised for a name that does not exist; suggests the nearest and lists all.

    >>> import refscore
    >>> try:
    ...     refscore.RIBES.preset("nlkt")
    ... except refscore.UnknownNameError as error:
    ...     print(error)
    unknown preset 'nlkt'; did you mean 'nltk'? (there are: nltk, nltk-3.9, official)
    """

    @classmethod
    def of(cls, kind: str, name: object, known: Iterable[str]) -> UnknownNameError:
        """The error for `name`, which is no `kind` among `known`."""
        import difflib  # slow to import, and needed for mistakes alone

        names = sorted(known)
        folded = {known_name.lower(): known_name for known_name in names}
        near = difflib.get_close_matches(str(name).lower(), folded, n=1, cutoff=0.5)
        hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
        return cls(f"unknown {kind} {name!r}{hint} (there are: {', '.join(names)})")


class SignatureError(RefscoreError, ValueError):
    """Raised for a signature that cannot be read.

    >>> import refscore
    >>> try:
    ...     refscore.from_signature("BLEU score")
    ... except refscore.SignatureError as error:
    ...     print(error)
    'BLEU score' is no signature: 'BLEU score' is not of the form key:value
    """


class NotInstalledError(RefscoreError, ModuleNotFoundError):
    """Raised where something needs a package that is not installed; says how to get it.

    >>> import refscore
    >>> issubclass(refscore.NotInstalledError, ImportError)
    True
    """


class SignatureWarning(UserWarning):
    """Says what was assumed where another tool's signature leaves a setting out.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     metric = refscore.from_signature("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0")
    >>> print(said[0].message)
    sacrebleu's signature does not say the n-gram order: assumed max_order=4
    """

"""refscore's errors that are also of the types that sacrebleu raises."""

from __future__ import annotations

from refscore.errors import InputError, NotInstalledError, UnknownNameError


class WrongTypeError(InputError, TypeError):
    """Raised for hypotheses or references of a wrong type."""


class EmptyError(InputError, IndexError):
    """Raised if there is no hypothesis or no reference."""


class NoReferencesError(InputError, RuntimeError):
    """Raised if references are neither given nor cached."""


class UnknownTokenizerError(UnknownNameError, KeyError):
    """Raised for a tokenizer that does not exist."""

    __str__ = Exception.__str__  # KeyError shows a message in quotes


class UnknownOptionError(UnknownNameError, AssertionError):
    """Raised for a smoothing or a kind of test that does not exist."""


class NoTokenizerError(NotInstalledError, RuntimeError):
    """Raised for a tokenizer whose packages or files are missing."""

"""Errors of refscore's that are also of the types that sacrebleu raises in their place."""

from __future__ import annotations

from refscore.errors import InputError, NotInstalledError, UnknownNameError


class WrongTypeError(InputError, TypeError):
    """Raised for hypotheses or references that are not of the types a call takes."""


class EmptyError(InputError, IndexError):
    """Raised where there is no hypothesis or no reference."""


class NoReferencesError(InputError, RuntimeError):
    """Raised where references are neither given nor cached."""


class UnknownTokenizerError(UnknownNameError, KeyError):
    """Raised for a tokenizer that does not exist."""

    __str__ = Exception.__str__  # KeyError shows a message in quotes


class UnknownOptionError(UnknownNameError, AssertionError):
    """Raised for a smoothing or a kind of test that does not exist."""


class NoTokenizerError(NotInstalledError, RuntimeError):
    """Raised for a tokenizer whose packages or files are not there."""

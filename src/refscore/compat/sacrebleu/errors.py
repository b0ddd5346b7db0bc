"""refscore's errors that are also sacrebleu's."""

from __future__ import annotations

from refscore.errors import InputError, NotInstalledError, UnknownNameError


class WrongTypeError(InputError, TypeError):
    """Raised for hypotheses or references with the wrong type."""


class EmptyError(InputError, IndexError):
    """Raised if there are no hypotheses or no references."""


class NoReferencesError(InputError, RuntimeError):
    """Raised if references are neither passed nor cached."""


class UnknownTokenizerError(UnknownNameError, KeyError):
    """Raised for an unknown tokenizer."""

    __str__ = Exception.__str__  # KeyError would put the message in quotes


class UnknownOptionError(UnknownNameError, AssertionError):
    """Raised for an unknown smoothing or test."""


class NoTokenizerError(NotInstalledError, RuntimeError):
    """Raised for a tokenizer with missing packages or files."""

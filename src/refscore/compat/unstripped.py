"""Text for the built-in tokenizers as libraries read it that do not strip its end first.

refscore's tokenizers strip white space off the end, as sacrebleu does. It shows where a rule looks at what follows the
last word: an end-of-line hyphen under `13a`, punctuation after a digit under `intl`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping


def _of_13a(text: str) -> str:
    whole = text.replace("<skipped>", "")
    core = whole.rstrip()
    while core.endswith("-") and whole[len(core) :].startswith("\n"):
        text = whole = core[:-1]
        core = whole.rstrip()
    return text


def _of_intl(text: str) -> str:
    core = text.rstrip()
    if core and unicodedata.category(core[-1]).startswith("P"):
        return f"{core[:-1]} {core[-1]}"
    return text


_RULES: Mapping[str, Callable[[str], str]] = {"13a": _of_13a, "intl": _of_intl}


def unstripped(text: str, tokenizer: str) -> str:
    r"""A text whose tokens are those that the given one has if its end is not stripped.

    Example:
        >>> import refscore
        >>> from refscore.compat.unstripped import unstripped
        >>> refscore.tokenize("in 1984. ", "intl"), refscore.tokenize(unstripped("in 1984. ", "intl"), "intl")
        (['in', '1984.'], ['in', '1984', '.'])
    """
    rule = _RULES.get(tokenizer)
    return text if rule is None or not text[-1:].isspace() else rule(text)

"""What a metric is: its settings, presets and papers, as its class and its docstrings have them."""

from __future__ import annotations

import inspect
import re
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.presets import Preset

_KINDS: Mapping[Any, tuple[str, ...]] = {
    bool: ("yes", "no"),
    int: ("a whole number",),
    float: ("a number",),
    str: ("a name",),
    type(None): ("none",),
    tuple[float, ...]: ("numbers",),
}


@dataclass(frozen=True)
class Setting:
    """A setting of a metric.

    Attributes:
        name: As in the class.
        values: What it may be, in words: names of values, or a kind such as "a number".
        default: The value where none is given.
        meaning: What it does.

    Example:
        >>> import refscore
        >>> describe(refscore.CHRF).settings[-1].values
        ('micro', 'macro')
    """

    name: str
    values: tuple[str, ...]
    default: Any
    meaning: str


@dataclass(frozen=True)
class Description:
    """What a metric is.

    Attributes:
        name: In commands and signatures.
        summary: A sentence that begins with the metric's full name.
        scale: Range and direction in words.
        higher_is_better: The direction.
        details: Paragraphs on how it counts, and what it makes of empty input.
        settings: Those that can be written down, in the order of the class.
        presets: Whose numbers the metric can repeat, and by which settings.
        papers: One reference each.
        signature: With the default settings.

    Example:
        >>> import refscore
        >>> print(describe(refscore.TER).summary)
        TER: the edits that turn a hypothesis into the reference, moves of whole phrases among them, per reference word.
    """

    name: str
    summary: str
    scale: str
    higher_is_better: bool
    details: tuple[str, ...]
    settings: tuple[Setting, ...]
    presets: Mapping[str, Preset]
    papers: tuple[str, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists, ready for JSON.

        >>> import refscore
        >>> describe(refscore.GLEU).to_dict()["presets"]["nltk"]["settings"]
        {'tokenizer': 'none'}
        """
        return {
            "name": self.name,
            "summary": self.summary,
            "scale": self.scale,
            "higher_is_better": self.higher_is_better,
            "details": list(self.details),
            "settings": [
                {
                    "name": setting.name,
                    "values": list(setting.values),
                    "default": setting.default,
                    "meaning": setting.meaning,
                }
                for setting in self.settings
            ],
            "presets": {
                name: {
                    "source": preset.source,
                    "printed_scale": preset.scale,
                    "note": preset.note,
                    "settings": dict(preset),
                }
                for name, preset in self.presets.items()
            },
            "papers": list(self.papers),
            "signature": self.signature,
        }


def describe(metric: type[Metric[Any]]) -> Description:
    """The description of a metric's class.

    Example:
        >>> import refscore
        >>> description = describe(refscore.BLEU)
        >>> description.scale, description.presets["nltk"]["tokenizer"]
        ('0..1, higher is better', 'none')
        >>> print(description.papers[0])
        Papineni, Roukos, Ward, Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation. ACL.
    """
    about = _paragraphs(sys.modules[metric.__module__])
    head, *rest = _paragraphs(metric)
    details = [paragraph for paragraph in rest if not paragraph.startswith(("Args:", "Example:", " "))]
    meanings = _meanings(next((paragraph for paragraph in rest if paragraph.startswith("Args:")), ""))
    hints = get_type_hints(metric)
    settings = tuple(
        Setting(field.name, values, field.default, meanings.get(field.name, ""))
        for field in fields(metric)  # type: ignore[arg-type]
        if (values := _values(hints[field.name])) != ("none",)
    )
    return Description(
        name=metric.name,
        summary=_joined(about[0]),
        scale=_joined(head).rstrip(".").rpartition(". ")[2],
        higher_is_better=metric.higher_is_better,
        details=tuple(map(_joined, details)),
        settings=settings,
        presets=metric.presets,
        papers=_papers(about[1]) if len(about) > 1 else (),
        signature=metric().signature,
    )


def _paragraphs(documented: Any) -> list[str]:
    # Without docstrings (python -OO) the settings and presets are still there.
    return re.split(r"\n\n+", inspect.cleandoc(documented.__doc__ or "")) or [""]


def _joined(paragraph: str) -> str:
    return " ".join(paragraph.split())


def _meanings(arguments: str) -> dict[str, str]:
    """The texts of a docstring's `Args:`, by name."""
    entries = re.split(r"\n {4}(?=\w+: )", arguments)[1:]
    return {name: _joined(text) for name, _, text in (entry.partition(": ") for entry in entries)}


def _papers(paragraph: str) -> tuple[str, ...]:
    """The references of a paragraph: each begins on a line of its own, with authors and a year."""
    return tuple(map(_joined, re.split(r"\n(?=\S.*\(\d{4}\): )", paragraph)))


def _values(hint: Any) -> tuple[str, ...]:
    """What a setting of a type may be; functions are left out, since only code can pass them."""
    if get_origin(hint) in (Union, types.UnionType):
        found = [value for part in get_args(hint) for value in _values(part)]
        return tuple(dict.fromkeys(found))
    if get_origin(hint) is Literal:
        return tuple(map(str, get_args(hint)))
    return _KINDS.get(hint, ())

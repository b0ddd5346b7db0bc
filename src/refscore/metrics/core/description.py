"""What a metric is: its settings, presets and papers, as its class declares them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import Setting, show_value


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
        """Return all of it as dictionaries and lists, ready for JSON.

        >>> import refscore
        >>> describe(refscore.GLEU).to_dict()["presets"]["nltk"]["settings"]
        {'tokenizer': 'none'}
        """
        return {
            **vars(self),
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
                    "settings": {setting: _plain(value) for setting, value in preset.items()},
                }
                for name, preset in self.presets.items()
            },
            "papers": list(self.papers),
        }


def describe(metric: type[Metric[Any]]) -> Description:
    """Return the description of a metric's class.

    Example:
        >>> import refscore
        >>> description = describe(refscore.BLEU)
        >>> description.scale, description.presets["nltk"]["tokenizer"]
        ('0..1, higher is better', 'none')
        >>> print(description.papers[0])
        Papineni, Roukos, Ward, Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation. ACL.
    """
    # Without docstrings (python -OO) there are no details.
    first, *details = inspect.cleandoc(metric.__doc__ or "").partition("\n\nArgs:")[0].split("\n\n")
    return Description(
        name=metric.name,
        summary=metric.summary or first,
        scale=metric.scale,
        higher_is_better=metric.higher_is_better,
        details=tuple(" ".join(paragraph.split()) for paragraph in details),
        settings=tuple(setting for setting in metric.settings().values() if setting.values),
        presets=metric.presets,
        papers=metric.papers,
        signature=metric().signature,
    )


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool, type(None))) else show_value(value)

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refscore.errors import SettingError
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import RowMetric
from refscore.settings import Setting


@dataclass(frozen=True)
class Description:
    """A described metric; `details` are paragraphs on how the score is computed, and on empty input."""

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
        """Return the description as a dictionary, ready for JSON.

        >>> import refscore
        >>> describe(refscore.GLEU).to_dict()["presets"]["nltk"]["settings"]
        {'tokenizer': 'none'}
        """
        declared = {setting.name: setting for setting in self.settings}
        return {
            **vars(self),
            "details": list(self.details),
            "settings": [
                {
                    "name": setting.name,
                    "values": list(setting.values),
                    "default": list(setting.default) if isinstance(setting.default, tuple) else setting.default,
                    "meaning": setting.explanation,
                }
                for setting in self.settings
            ],
            "presets": {
                name: {
                    "source": preset.source,
                    "printed_scale": preset.scale,
                    "note": preset.note,
                    "settings": {setting: _plain(declared[setting], value) for setting, value in preset.items()},
                }
                for name, preset in self.presets.items()
            },
            "papers": list(self.papers),
        }


def describe(metric: type[RowMetric[Any]]) -> Description:
    """Describe a metric, given its class.

    Example:
        >>> import refscore
        >>> description = describe(refscore.BLEU)
        >>> description.scale, description.presets["nltk"]["tokenizer"]
        ('0..1, higher is better', 'none')
        >>> print(description.papers[0])
        Papineni, Roukos, Ward, Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation. ACL.
    """
    if not (isinstance(metric, type) and issubclass(metric, RowMetric)):
        raise SettingError(f"metric must be a class of metrics, such as refscore.BLEU, not {metric!r}")
    documentation = inspect.cleandoc(metric.__doc__ or "").partition("\n\nArgs:")[0]
    if documentation.startswith(f"{metric.__name__}("):  # from a dataclass without a docstring, as with python -OO
        documentation = f"{metric.display_name}."
    summary, *details = documentation.split("\n\n")
    return Description(
        name=metric.name,
        summary=summary,
        scale=metric.scale(),
        higher_is_better=metric.higher_is_better,
        details=tuple(" ".join(paragraph.split()) for paragraph in details),
        settings=tuple(setting for setting in metric.settings().values() if setting.values),
        presets=metric.presets,
        papers=metric.papers,
        signature=metric().signature,
    )


def _plain(declared: Setting, value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool, type(None))) else declared.show(value)

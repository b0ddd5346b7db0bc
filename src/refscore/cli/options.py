"""The options by which commands choose metrics and their settings."""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import click

from refscore.errors import SettingError, SignatureWarning, UnknownNameError
from refscore.metrics import METRICS, Metric, from_signature
from refscore.metrics.core.selection import own_names, read_name

F = TypeVar("F", bound=Callable[..., Any])

# What sacrebleu splits a test set's target language by, where its default would not do.
_TOKENIZERS = {"ja": "ja-mecab", "ko": "ko-mecab", "zh": "zh-sacrebleu"}

_FLAGS = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class MetricChoice:
    """What the options of a command line say about metrics.

    Example:
        >>> choice = MetricChoice(("bleu,chrf++",), ("bleu.smoothing=floor",))
        >>> {label: metric.title for label, metric in choice.metrics(()).items()}
        {'bleu': 'BLEU', 'chrf++': 'chrF2++'}
    """

    names: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    preset: str | None = None
    signatures: tuple[str, ...] = ()

    def metrics(self, default: Sequence[str]) -> dict[str, Metric[Any]]:
        """The metrics under the labels that they were asked for by.

        Args:
            default: The names of the metrics where none is chosen.
        """
        asked = self._asked()
        if self.names and not asked:
            raise SettingError(f"-m names no metric (there are: {', '.join(METRICS)})")
        if not asked and not self.signatures:
            asked = list(default)
        settings = parsed_settings(self.settings)
        chosen: dict[str, Metric[Any]] = {}
        for asked_for in asked:
            label, kind, preset = read_name(asked_for)
            if label in chosen:
                raise SettingError(f"-m names {label!r} twice")
            own = settings.get(kind.name, {})
            preset = self.preset if preset is None else preset
            if preset is not None and preset not in kind.presets and preset == self.preset:
                having = [other.name for other in METRICS.values() if preset in other.presets]
                if having:
                    raise SettingError(
                        f"{kind.name} has no preset {preset!r}, only {', '.join(having)}: "
                        f"choose presets one by one, as in -m {having[0]}:{preset},{kind.name}"
                    )
            chosen[label] = kind.with_settings({**own, "preset": preset})
        unused = settings.keys() - {metric.name for metric in chosen.values()}
        if unused:
            name = sorted(unused)[0]
            raise SettingError(f"--set {name}.… sets a metric that is not chosen: add -m {name}")
        if self.preset is not None and not asked:
            raise SettingError("--preset needs metrics to apply to: choose them with -m")
        for text in self.signatures:
            metric = _of_signature(text)
            label, number = metric.name, 2
            while label in chosen:
                label, number = f"{metric.name}-{number}", number + 1
            chosen[label] = metric
        return chosen

    def for_languages(self, pair: str | None, default: Sequence[str]) -> MetricChoice:
        """The choice for a test set: BLEU takes the tokenizer that sacrebleu takes for the language, if none is given.

        Args:
            pair: The languages of the test set, as in en-zh; None if there is none.
            default: The names of the metrics where none is chosen.

        Example:
            >>> MetricChoice().for_languages("en-zh", ["bleu"]).metrics(["bleu"])["bleu"].tokenizer
            'zh-sacrebleu'
        """
        tokenizer = _TOKENIZERS.get((pair or "").rpartition("-")[2])
        asked = self._asked() or ([] if self.signatures else list(default))
        named = [label.lower() for label in asked if label.lower().partition(":")[0] == "bleu"]
        told = self.preset is not None or any(text.startswith("bleu.tokenizer=") for text in self.settings)
        if tokenizer is None or named != ["bleu"] or told:
            return self
        return replace(self, settings=(*self.settings, f"bleu.tokenizer={tokenizer}"))

    def segment_metrics(self, metrics: Mapping[str, Metric[Any]]) -> dict[str, Metric[Any]]:
        """The metrics as they are usual for single segments: BLEU is sacrebleu's sentence_bleu unless told otherwise.

        Args:
            metrics: Those that `metrics` made, fitted where they have to be; they share their rows.
        """
        made = dict(metrics)
        settings = parsed_settings(self.settings).get("bleu", {})
        by_signature = self.signatures and "bleu" not in map(str.lower, self._asked())
        if "bleu" in made and self.preset is None and "effective_order" not in settings and not by_signature:
            made["bleu"] = METRICS["bleu"].with_settings({**settings, "preset": "sacrebleu-sentence"})
        return made

    def _asked(self) -> list[str]:
        return [name.strip() for names in self.names for name in names.split(",") if name.strip()]


def parsed_settings(texts: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The settings that --set gives, under the names of their metrics.

    Args:
        texts: What stands behind each --set.

    Example:
        >>> parsed_settings(["bleu.smoothing=floor", "bleu.max_order=2", "chrf.beta=1"])
        {'bleu': {'smoothing': 'floor', 'max_order': 2}, 'chrf': {'beta': 1.0}}
    """
    made: dict[str, dict[str, Any]] = {}
    for text in texts:
        place, equals, value = text.partition("=")
        name, dot, setting = place.partition(".")
        if not equals or not dot:
            raise SettingError(f"--set takes METRIC.SETTING=VALUE, as in bleu.smoothing=floor, not {text!r}")
        if name not in METRICS:
            raise UnknownNameError.suggest("metric", name, METRICS)
        made.setdefault(name, {})[setting] = parsed(METRICS[name], setting, value)
    return made


settings_option = click.option(
    "--set",
    "metric_settings",
    metavar="METRIC.SETTING=VALUE",
    multiple=True,
    help="A setting of a metric, as in bleu.tokenizer=zh; `refscore metrics NAME` lists them.",
)


def metric_options(command: F) -> F:
    """Adds the options that choose metrics; the command gets a `MetricChoice` as `choice`.

    Example:
        >>> import click
        >>> @click.command()
        ... @metric_options
        ... def names(choice: MetricChoice) -> None:
        ...     print(list(choice.metrics(["ter"])))
        >>> names(["-m", "bleu,ribes"], standalone_mode=False)
        ['bleu', 'ribes']
        >>> names([], standalone_mode=False)
        ['ter']
    """

    @functools.wraps(command)
    def with_choice(
        *arguments: Any,
        metric_names: tuple[str, ...],
        metric_settings: tuple[str, ...],
        metric_preset: str | None,
        metric_signatures: tuple[str, ...],
        **rest: Any,
    ) -> Any:
        choice = MetricChoice(metric_names, metric_settings, metric_preset, metric_signatures)
        return command(*arguments, choice=choice, **rest)

    options = [
        click.option(
            "-m",
            "--metric",
            "metric_names",
            metavar="NAME[:PRESET],…",
            multiple=True,
            shell_complete=_complete_metric,
            help=f"The metrics, with commas between: {', '.join(METRICS)}; also chrf++, rouge1, rougeL and the like, "
            "and bleu:nltk for a preset.",
        ),
        settings_option,
        click.option("--preset", "metric_preset", metavar="NAME", help="The preset of all metrics, as in sacrebleu."),
        click.option(
            "--signature",
            "metric_signatures",
            metavar="TEXT",
            multiple=True,
            help="A metric with the settings of a published signature, of refscore or of sacrebleu.",
        ),
    ]
    wrapped: Any = with_choice
    for option in reversed(options):
        wrapped = option(wrapped)
    made: F = wrapped
    return made


def titles(metrics: Mapping[str, Metric[Any]]) -> dict[str, str]:
    """How the metrics are called in tables: as papers do, with the label where that says too little.

    Example:
        >>> import refscore
        >>> titles({"bleu": refscore.BLEU(), "bleu:nltk": refscore.BLEU.preset("nltk"), "ter": refscore.TER()})
        {'bleu': 'BLEU', 'bleu:nltk': 'BLEU (nltk)', 'ter': 'TER'}
    """
    names = [metric.title for metric in metrics.values()]
    made = {}
    for label, metric in metrics.items():
        detail = label.partition(":")[2] or (label if label != metric.name else "")
        unclear = names.count(metric.title) > 1
        made[label] = f"{metric.title} ({detail})" if unclear and detail else metric.title
    return made


def parsed(kind: type[Metric[Any]], setting: str, text: str) -> Any:
    """The value that a text stands for, by the type of the setting.

    Args:
        kind: The class of the metric.
        setting: The setting's name.
        text: What stands behind the equals sign.

    Example:
        >>> import refscore
        >>> parsed(refscore.BLEU, "max_order", "2"), parsed(refscore.BLEU, "weights", "0.5,0.5")
        (2, (0.5, 0.5))
    """
    hints = get_type_hints(kind)
    known = {field.name: _alternatives(hints[field.name]) for field in fields(kind)}  # type: ignore[arg-type]
    if setting not in known:
        raise UnknownNameError.suggest(f"setting of {kind.name}", setting, known)
    choices = known[setting]
    words = [choice for choice in choices if isinstance(choice, str)]
    if type(None) in choices and str not in choices and text.lower() == "none":
        return None
    if bool in choices and text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    for number_type in (int, float):
        if number_type in choices:
            with suppress(ValueError):
                return number_type(text)
    if tuple[float, ...] in choices:
        with suppress(ValueError):
            return tuple(float(part) for part in text.split(","))
    if str in choices or text in words:
        return text
    kinds = {
        bool: "yes or no",
        int: "a whole number",
        float: "a number",
        tuple[float, ...]: "numbers with commas between",
    }
    wanted = [*(words_for for choice, words_for in kinds.items() if choice in choices), *words]
    raise SettingError(f"{kind.name}.{setting} takes {' or '.join(wanted) or 'no text'}, not {text!r}")


def _alternatives(hint: Any) -> list[Any]:
    """The types of a union, and the words of a literal, one by one."""
    if get_origin(hint) in (Union, types.UnionType):
        return [choice for part in get_args(hint) for choice in _alternatives(part)]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [hint]


def _of_signature(text: str) -> Metric[Any]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", SignatureWarning)
        metric = from_signature(text)
    for warning in said:
        click.echo(f"refscore: note: {warning.message}", err=True)
    return metric


def _complete_metric(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    done, comma, begun = incomplete.rpartition(",")
    presets = [f"{name}:{preset}" for name, kind in METRICS.items() for preset in kind.presets]
    names = [*METRICS, *(preset for _, preset in own_names().values())]
    return [done + comma + name for name in [*names, *presets] if name.startswith(begun)]

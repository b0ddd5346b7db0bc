"""Logs of evaluation harnesses as systems. Their scores of samples become given scores, matched by the samples' ids."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from refscore.data_warnings import UnmatchedSamplesWarning
from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation
from refscore.evaluation.scoring import Block
from refscore.metrics import Given, RowMetric, Rows, metric_names, parse_row_metrics
from refscore.readers.formats import format_by_name
from refscore.readers.json_lines import json_error, located_values
from refscore.readers.parquet import column_names, read_rows
from refscore.readers.source import Source
from refscore.text_display import counted, joined, visible

# The grouping of an evaluation that has the ids of samples.
SAMPLE = "sample"
# More metrics fill no table, so the user has to choose some.
_MOST_METRICS = 8
# The part of a JSON file that shows which program wrote it.
_HEAD = 1 << 16
_LISTED = 3

# How inspect_ai writes verdicts: correct, partially correct, incorrect, no answer.
_VERDICTS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


@dataclass(frozen=True)
class Sample:
    """A sample of a log.

    Attributes:
        id: What identifies the sample in every log of the same task.
        scores: The scores by metric. Values that are not numbers are ignored.
        output: What the system wrote, if the log has it.
        target: The reference, or several, if the log has them.
        prompt: The input of the system, if the log has it.
    """

    id: str
    scores: Mapping[str, Any]
    output: object = None
    target: object = None
    prompt: object = None


@dataclass(frozen=True)
class LogFormat:
    """A kind of log.

    Attributes:
        program: The program that writes it.
        file_format: The format of its files.
        is_log: Whether a file begins like such a log, or has its columns.
        samples: Yield the samples of an item of the file. An id may occur several times.
        repeats: Whether an id that occurs again with the same metrics is a repetition of the sample, whose scores are
            averaged, as the program does.
        directions: Return which metrics are better if higher, as far as files beside the log say so.
    """

    program: str
    file_format: str
    is_log: Callable[[str], bool]
    samples: Callable[[Any], Iterator[Sample]]
    repeats: bool = False
    directions: Callable[[Path], Mapping[str, bool]] = lambda _: {}


def read_harness_log(path: str | Path, metrics: Sequence[str] = (), name: str = "log") -> Evaluation:
    r"""Return the evaluation of a harness' log: one given score per sample and metric, with the samples' ids.

    Args:
        path: A log of samples from lm-evaluation-harness (`samples_*.jsonl`), inspect_ai (JSON), lighteval (Parquet) or
            HELM (`per_instance_stats.json`).
        metrics: The metrics to read; all by default.
        name: The system's name.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import read_harness_log
        >>> line = '{"doc_id": 0, "target": "b", "resps": [["b"]], "metrics": ["acc"], "acc": 1.0}\n'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "samples_quiz.jsonl")
        ...     _ = file.write_text(line)
        ...     evaluation = read_harness_log(file)
        >>> evaluation["log"]["acc"].value, evaluation.groups
        (1.0, {'sample': ['0']})
    """
    log = find_format(path)
    if log is None:
        known = joined([each.program for each in _FORMATS])
        fix = f"pass a log of {known}"
        raise InputError(Location(file=str(path)), "is not a log of samples from a known program", fix)
    return _read(Path(path), log, metrics, name)


def read_system(path: str | Path, field: str | None, name: str) -> Evaluation | None:
    """Return the evaluation of a file if it is a log, and None if it is not, or if the field names texts in it.

    The field has the names of metrics, separated by commas.
    """
    log = find_format(path)
    if log is None:
        return None
    names = [] if field is None else [part.strip() for part in field.split(",")]
    if names and not {*names} <= _labels(_samples(Path(path), log)).keys():
        return None
    return _read(Path(path), log, names, name)


def find_format(path: str | Path) -> LogFormat | None:
    """Return the kind of log that a file is, or None."""
    file_format = format_by_name(path)
    candidates = [each for each in _FORMATS if each.file_format == file_format]
    if not candidates or not Path(path).is_file():
        return None
    if file_format == "parquet":
        head = " ".join(column_names(path))
    else:
        with Source(path) as source:
            head = next(iter(source.texts()), "")[:_HEAD]
    return next((each for each in candidates if each.is_log(head)), None)


def _read(path: Path, log: LogFormat, metrics: Sequence[str], name: str) -> Evaluation:
    file = str(path)
    samples = _samples(path, log)
    labels = _labels(samples)
    if not labels:
        problem = f"has no scores of samples, although it is a log of {log.program}"
        raise InputError(Location(file=file), problem, "log a metric that scores each sample")
    if metrics:
        for missing in (metric for metric in metrics if metric not in labels):
            raise InputError(Location(file=file), f"has no metric {missing!r}", f"it has: {', '.join(labels)}")
    elif len(labels) > _MOST_METRICS:
        some = ",".join([*labels][:2])
        problem = f"has {len(labels)} metrics: {', '.join(map(visible, labels))}"
        raise InputError(Location(file=file), problem, f"choose some, as in {file}:{some}")
    directions = log.directions(path)
    chosen: dict[str, RowMetric[Any]] = {}
    rows = {}
    for label in metrics or labels:
        base = label.partition("/")[0]
        is_better = directions.get(base, not _is_lower_better(base))
        metric = Given(re.sub(r"[|=]", "_", label), missing="skip", higher_is_better=is_better)
        chosen[label] = metric
        rows[label] = {name: metric.stats([_mean(sample.scores.get(label, ())) for sample in samples.values()])}
    evaluation = Evaluation.from_rows(chosen, rows, groups={SAMPLE: [*samples]})
    evaluation.notes["files"] = [file]
    evaluation.texts = _texts([*samples.values()])
    return evaluation


def _texts(samples: Sequence[Sample]) -> Block | None:
    """Return the texts of the samples, if each has a target and a single output."""
    if not all(isinstance(sample.output, str) and _is_reference(sample.target) for sample in samples):
        return None
    prompts = [sample.prompt for sample in samples]
    has_prompts = all(isinstance(prompt, str) for prompt in prompts)
    return Block(
        [[sample.output for sample in samples]],
        [sample.target for sample in samples],
        prompts if has_prompts else None,
        groups={SAMPLE: [sample.id for sample in samples]},
    )


def _is_reference(target: object) -> bool:
    several = target if isinstance(target, list) and target else [target]
    return all(isinstance(text, str) for text in several)


def _samples(path: Path, log: LogFormat) -> dict[str, Sample]:
    """Return the samples by id. Their scores are lists with one number per repetition."""
    samples: dict[str, Sample] = {}
    for location, item in _items(path, log):
        try:
            found = [_checked(sample) for sample in log.samples(item)]
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError):
            problem = f"is not a sample as {log.program} writes it"
            raise InputError(location, problem, "pass the log as the program wrote it") from None
        for sample in found:
            before = samples.setdefault(sample.id, replace(sample, scores={}))
            for label, value in sample.scores.items():
                values = before.scores.setdefault(label, [])  # type: ignore[attr-defined]
                if values and not log.repeats:
                    raise InputError(location, f"has the sample {sample.id} again", "join no logs of the same task")
                values.append(value)
    if not samples:
        raise InputError(Location(file=str(path)), "has no samples", "log samples, not only results")
    return samples


def _checked(sample: Sample) -> Sample:
    """Return the sample with numbers as scores. Raise a TypeError if it is not as `Sample` says."""
    if not isinstance(sample.id, str) or not all(isinstance(label, str) for label in sample.scores):
        raise TypeError(sample)
    return replace(sample, scores={label: _number(value) for label, value in sample.scores.items()})


def _items(path: Path, log: LogFormat) -> Iterator[tuple[Location, Any]]:
    if log.file_format == "parquet":
        yield from read_rows(path)
        return
    with Source(path) as source:
        if log.file_format == "jsonl":
            yield from located_values(source.name, source.numbered_lines())
            return
        try:
            content = json.loads(source.read_text())
        except (ValueError, RecursionError) as error:
            raise json_error(source, error) from None
    items = content.get("samples") if isinstance(content, dict) else content
    for index, item in enumerate(items if isinstance(items, list) else (), 1):
        yield Location(file=str(path), field=f"sample {index}"), item


def _labels(samples: Mapping[str, Sample]) -> dict[str, None]:
    """Return the metrics that have a number for some sample, as they first occur."""
    return {
        label: None
        for sample in samples.values()
        for label, values in sample.scores.items()
        if not all(map(math.isnan, values))
    }


def _number(value: Any) -> float:
    if isinstance(value, (bool, int, float)):
        number = float(value)
        return number if math.isfinite(number) else math.nan
    return math.nan


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def match_samples(evaluations: Sequence[Evaluation], names: Sequence[str]) -> list[Evaluation]:
    """Return the evaluations of logs with only the samples that all have, in the order of the first.

    A warning counts and names the others. A sample without a score in one log has none in any.
    """
    ids = [evaluation.groups[SAMPLE] for evaluation in evaluations]
    shared = reduce(set.intersection, map(set, ids))
    order = [each for each in ids[0] if each in shared]
    if not order:
        examples = " and ".join(f"{name} has {visible(str(each[0]))}" for name, each in zip(names, ids, strict=True))
        raise InputError(None, f"the logs share no sample: {examples}", "pass logs of the same task")
    places = [{each: place for place, each in enumerate(own)} for own in ids]
    chosen = [np.array([own[each] for each in order]) for own in places]
    rows = [
        {
            label: [evaluation.rows_of_run(label, run)[indexes] for run in range(len(evaluation.runs))]
            for label in evaluation.metrics
        }
        for evaluation, indexes in zip(evaluations, chosen, strict=True)
    ]
    _omit_missing(evaluations, rows)
    matched = []
    for evaluation, by_label, indexes in zip(evaluations, rows, chosen, strict=True):
        by_system = {
            label: {name: [tables[run] for run in evaluation.run_indexes(name)] for name in evaluation.systems}
            for label, tables in by_label.items()
        }
        part = Evaluation.from_rows(evaluation.metrics, by_system, groups={SAMPLE: order})
        part.notes, part.texts = evaluation.notes, _part(evaluation.texts, indexes.tolist(), order)
        matched.append(part)
    lost = [
        f"{counted(len(own) - len(order), 'sample')} only in {name} ({_listed([k for k in own if k not in shared])})"
        for name, own in zip(names, ids, strict=True)
        if len(own) > len(order)
    ]
    if lost:
        matched[0].add_warning(UnmatchedSamplesWarning(f"left out: {joined(lost)}"))
    return matched


def _omit_missing(evaluations: Sequence[Evaluation], rows: Sequence[Mapping[str, Sequence[Rows]]]) -> None:
    """Remove the scores of samples that have no score by the same metric in another log."""
    for label in {label: None for by_label in rows for label in by_label}:
        tables = [
            (evaluation.metrics[label], table)
            for evaluation, by_label in zip(evaluations, rows, strict=True)
            for table in by_label.get(label, ())
        ]
        missing = np.logical_or.reduce([np.isnan(metric.values(table)) for metric, table in tables])
        for _, table in tables:
            table[missing] = 0


def _part(texts: Block | None, indexes: Sequence[int], order: Sequence[Any]) -> Block | None:
    if texts is None:
        return None
    return Block(
        [[side[k] for k in indexes] for side in texts.hypotheses],
        [texts.references[k] for k in indexes],
        None if texts.sources is None else [texts.sources[k] for k in indexes],
        groups={SAMPLE: order},
    )


def _listed(ids: Sequence[Any]) -> str:
    rest = len(ids) - _LISTED
    return ", ".join([visible(str(each)) for each in ids[:_LISTED]] + ([f"{rest} more"] if rest > 0 else []))


def _is_lower_better(name: str) -> bool:
    """Return whether a metric's name says that lower values are better."""
    if name in metric_names():
        return not all(metric.higher_is_better for metric in parse_row_metrics(name).values())
    return "perplexity" in name or name.startswith("bits_per_")


def _lm_eval(line: dict[str, Any]) -> Iterator[Sample]:
    number, digest = line["doc_id"], line.get("doc_hash")
    names = line["metrics"] if "metrics" in line else [name for name in line if name not in _LM_EVAL_FIELDS]
    kind = line.get("filter", "none")
    first = next(iter(line.get("arguments") or [None]), None)
    first = line["arguments"][first] if isinstance(first, str) else first
    prompt = first.get("arg_0") if isinstance(first, dict) else None
    responses = line.get("filtered_resps") or [None]
    yield Sample(
        str(number) if digest is None else f"{number}-{digest[:8]}",
        {name if kind == "none" else f"{name}/{kind}": line[name] for name in names},
        responses[0],
        line.get("target"),
        prompt,
    )


_LM_EVAL_FIELDS = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter"),
    *("doc_hash", "prompt_hash", "target_hash", "metrics"),
}


def _lm_eval_directions(path: Path) -> dict[str, bool]:
    """Read the directions of metrics from the results that lm_eval writes beside the samples."""
    match = re.fullmatch(r"samples_(.+)_(\d{4}-\d\d-\d\dT.+)\.jsonl", path.name)
    results = path.with_name(f"results_{match[2]}.json") if match else path
    if match is None or not results.is_file():
        return {}
    try:
        directions = json.loads(results.read_text("utf-8-sig"))["higher_is_better"][match[1]]
        return {name: bool(value) for name, value in directions.items() if value is not None}
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError):
        return {}


def _inspect(sample: dict[str, Any]) -> Iterator[Sample]:
    scores: dict[str, Any] = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score["value"]
        parts = {f"{scorer}/{key}": each for key, each in value.items()} if isinstance(value, dict) else {scorer: value}
        scores |= {name: _VERDICTS.get(each, each) if isinstance(each, str) else each for name, each in parts.items()}
    output = (sample.get("output") or {}).get("completion")
    yield Sample(str(sample["id"]), scores, output, sample.get("target"), sample.get("input"))


def _lighteval(row: dict[str, Any]) -> Iterator[Sample]:
    doc, response = row["doc"], row["model_response"]
    choices, gold = doc.get("choices") or [], doc.get("gold_index")
    targets = [choices[k] for k in ([gold] if isinstance(gold, int) else gold or []) if 0 <= k < len(choices)]
    texts = response.get("text_post_processed") or response.get("text") or [None]
    number = doc.get("id") or doc["query"]
    yield Sample(str(number), row["metric"], texts[0], targets or None, doc.get("query"))


def _helm(item: dict[str, Any]) -> Iterator[Sample]:
    perturbation = (item.get("perturbation") or {}).get("name")
    number = item["instance_id"] if perturbation is None else f"{item['instance_id']}-{perturbation}"
    scores = {stat["name"]["name"]: stat["sum"] / stat["count"] for stat in item["stats"] if stat["count"]}
    yield Sample(number, scores)


def _has(*keys: str) -> Callable[[str], bool]:
    """Return a function that tells whether a text has all keys of a JSON object."""
    return lambda head: all(f'"{key}"' in head for key in keys)


_FORMATS = (
    LogFormat("lm-evaluation-harness", "jsonl", _has("doc_id", "resps"), _lm_eval, directions=_lm_eval_directions),
    LogFormat("inspect_ai", "json", _has("eval", "eval_id", "task"), _inspect, repeats=True),
    LogFormat("HELM", "json", _has("instance_id", "train_trial_index", "stats"), _helm, repeats=True),
    LogFormat(
        "lighteval", "parquet", lambda names: {"doc", "model_response", "metric"} <= {*names.split()}, _lighteval
    ),
)

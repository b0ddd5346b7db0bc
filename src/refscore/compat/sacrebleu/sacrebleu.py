"""sacrebleu's command line."""

from __future__ import annotations

import codecs
import io
import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, NoReturn

from refscore.compat.sacrebleu import testsets
from refscore.compat.sacrebleu.arguments import OUTPUT_FORMATS, parser
from refscore.compat.sacrebleu.metrics import METRICS
from refscore.compat.sacrebleu.metrics.base import Metric
from refscore.compat.sacrebleu.utils import (
    Color,
    args_to_dict,
    filter_subset,
    print_results_table,
    print_single_results,
    print_subset_results,
    sanity_check_lengths,
    smart_open,
)
from refscore.errors import RefscoreError

sacrelogger = logging.getLogger("sacrebleu")

_WRONG_FIELDS = 17


def parse_args() -> Namespace:
    """The arguments of the command line; the environment's SACREBLEU_FORMAT goes before `--format`."""
    made: ArgumentParser = parser()
    args = made.parse_args()
    wanted = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if wanted in OUTPUT_FORMATS:
        args.format = wanted
    return args


def main() -> None:
    """Runs the command line, and ends the program where sacrebleu's does."""
    args = parse_args()
    _die_with_the_pipe()
    sys.stdin = open(sys.stdin.fileno(), encoding="utf-8", newline="\n")  # noqa: SIM115
    sys.stdout = open(sys.stdout.fileno(), "w", encoding="utf-8", buffering=1)  # noqa: SIM115
    if os.environ.get("NO_COLOR") or args.no_color or not sys.stdout.isatty():
        Color.ENABLE_COLORS = False
    if not args.quiet:
        logging.basicConfig(level=logging.INFO, format="sacreBLEU: %(message)s")
    try:
        _run(args)
    except (RefscoreError, OSError, UnicodeError) as error:
        _fail(str(error))


def _die_with_the_pipe() -> None:
    """As other filters: without a word where nobody reads on."""
    import signal

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def _fail(*messages: str, status: int = 1) -> NoReturn:
    for message in messages:
        sacrelogger.error(message)
    sys.exit(status)


def _run(args: Namespace) -> None:
    if args.download:
        testsets.download_test_set(args.download, args.langpair)
    elif args.list:
        _list(args)
    elif args.sentence_level and len(args.metrics) > 1:
        _fail("Scores of sentences are of one metric: give one to -m.")
    elif args.citation:
        _cite(args)
    else:
        _check_references(args)
        if args.echo:
            for test_set in args.test_set.split(","):
                testsets.print_test_set(test_set, args.langpair, args.echo, args.origlang, args.subset)
        else:
            _score(args)


def _list(args: Namespace) -> None:
    datasets = testsets.dataset().DATASETS
    if args.test_set:
        for pair in [args.langpair] if args.langpair else testsets.get_langpairs_for_testset(args.test_set):
            print(f"{pair}: {', '.join(datasets[args.test_set].fieldnames(pair))}")
        return
    if args.langpair:
        print(f"The available test sets for {args.langpair} are:")
        names = testsets.get_available_testsets_for_langpair(args.langpair)
    else:
        print("The available test sets are:")
        names = testsets.get_available_testsets()
    for name in sorted(names):
        print(f"{name:<30}: {datasets[name].description.strip()}")


def _cite(args: Namespace) -> None:
    if not args.test_set:
        _fail("Which test set is to be cited? Name it with -t.")
    for name in args.test_set.split(","):
        citation = testsets.dataset().DATASETS[name].citation
        if citation:
            print(citation)
        else:
            sacrelogger.error("There is no citation of %s.", name)


def _check_references(args: Namespace) -> None:
    """Ends the program unless it is clear where references come from."""
    if args.num_refs != 1 and (args.test_set is not None or len(args.refs) > 1):
        _fail("--num-refs is for one file of references, whose columns are separated by tabs; not for -t.")
    if args.test_set is None:
        if not args.refs:
            _fail(
                "Give files of references, before -i/--input; or the name of a test set with -t, "
                "of which --list shows all."
            )
        return
    if args.refs:
        _fail("Give either files of references or a test set (-t), not both.")
    for test_set in args.test_set.split(","):
        if test_set not in testsets.dataset().DATASETS:
            _fail(f"There is no test set {test_set!r}; --list shows all.")
    if args.langpair is None:
        _fail("A test set needs a pair of languages (-l); with -t, --list shows those it has.")
    for test_set in args.test_set.split(","):
        pairs = testsets.get_langpairs_for_testset(test_set)
        if args.langpair not in pairs:
            _fail(f"The test set {test_set!r} has no pair {args.langpair!r}, only {', '.join(pairs)}.")


def _score(args: Namespace) -> None:
    try:
        codecs.lookup(args.encoding)
    except LookupError as error:
        _fail(f"--encoding: {error}.")
    is_test = args.paired_bs or args.paired_ar
    if args.langpair:
        args.bleu_trg_lang = args.langpair.split("-")[1]
    if args.test_set is not None and args.bleu_tokenize == "none":
        sacrelogger.warning("Without BLEU's tokenizer, scores cannot be compared with those of others.")
    full_refs = _references(args)
    args.num_refs = len(full_refs)
    full_systems, names = _systems(args, is_test)
    _check_modes(args, len(names), is_test)
    found = filter_subset([*full_systems, *full_refs], args.test_set, args.langpair, args.origlang, args.subset)
    systems, refs = found[: len(names)], found[len(names) :]
    for system in systems:
        if not system:
            _fail(f"There is nothing to score: no sentence of {args.test_set!r} is of that origin or subset.")
        sanity_check_lengths(system, refs, test_set=args.test_set)
    metrics = {
        name.upper(): METRICS[name.upper()](**args_to_dict(args, name, strip_prefix=True), references=refs)
        for name in args.metrics
    }
    if args.sentence_level:
        _print_sentences(next(iter(metrics.values())), systems[0], refs, args)
    elif len(systems) == 1:
        _print_system(metrics, systems[0], full_systems[0], full_refs, args)
    else:
        _print_systems(metrics, list(zip(names, systems, strict=True)), args)


def _references(args: Namespace) -> list[list[str]]:
    """Streams of references; of several test sets, one after the other."""
    files = [args.refs]
    if args.test_set is not None:
        files = [testsets.get_reference_files(name, args.langpair) for name in args.test_set.split(",")]
    streams: list[list[str]] = [[] for _ in range(max(len(files[0]), args.num_refs))]
    for paths in files:
        for k, path in enumerate(paths):
            for number, line in enumerate(_lines(path, args.encoding), 1):
                if args.num_refs == 1:
                    streams[k].append(line)
                    continue
                columns = line.split("\t", maxsplit=args.num_refs - 1)
                if len(columns) != args.num_refs:
                    _fail(
                        f"{path}, line {number}: {len(columns)} columns, where --num-refs is {args.num_refs}.",
                        status=_WRONG_FIELDS,
                    )
                for stream, text in zip(streams, columns, strict=True):
                    stream.append(text)
    return streams


def _lines(path: str, encoding: str) -> list[str]:
    with smart_open(path, encoding=encoding) as file:
        return [line.rstrip() for line in file]


def _systems(args: Namespace, is_test: bool) -> tuple[list[list[str]], list[str]]:
    """The lines of each system, and their names; in a test the first is the baseline."""
    systems: list[list[str]] = []
    names: list[str] = []
    if args.input is None:
        systems = _columns(args.encoding)
        first = ["Baseline"] if is_test else []
        names = first + [f"System {k}" for k in range(1, len(systems) - len(first) + 1)]
        return systems, names
    for path in args.input:
        if path in names:
            if not is_test or path != names[0]:
                _fail(f"{path!r} is given twice: every system needs a name of its own.")
            sacrelogger.info("%r is the baseline, and is not compared with itself.", path)
            continue
        systems.append(_lines(path, args.encoding))
        names.append(path)
    if is_test:
        names[0] = f"Baseline: {names[0]}"
    return systems, names


def _columns(encoding: str) -> list[list[str]]:
    """The columns of standard input, separated by tabs."""
    lines = [line.rstrip().split("\t") for line in io.TextIOWrapper(sys.stdin.buffer, encoding=encoding)] or [[""]]
    for number, columns in enumerate(lines, 1):
        if len(columns) != len(lines[0]):
            _fail(
                f"standard input, line {number}: {len(columns)} columns, where line 1 has {len(lines[0])}.",
                status=_WRONG_FIELDS,
            )
    first, *rest = lines
    return [[first[k], *(columns[k].rstrip() for columns in rest)] for k in range(len(first))]


def _check_modes(args: Namespace, systems: int, is_test: bool) -> None:
    """Ends the program for what cannot be asked for at once."""
    if args.sentence_level:
        if systems > 1:
            _fail("Scores of sentences are of one system.")
        if args.confidence or is_test:
            _fail("There are no tests and intervals of single sentences.")
        args.bleu_effective_order = True
    if is_test and systems == 1:
        _fail("A paired test needs several systems: give their files to -i/--input.")
    if systems > 1 and args.confidence:
        _fail("For several systems there are paired tests: --paired-bs and --paired-ar.")


def _print_sentences(metric: Metric, system: Sequence[str], refs: Sequence[Sequence[str]], args: Namespace) -> None:
    for hypothesis, *references in zip(system, *refs, strict=True):
        score = metric.sentence_score(hypothesis, references)
        print(score.format(args.width, args.score_only, metric.get_signature().format(args.short)))


def _print_system(
    metrics: dict[str, Any],
    system: list[str],
    full_system: list[str],
    full_refs: list[list[str]],
    args: Namespace,
) -> None:
    if args.detail and args.format == "json":
        args.format = "text"
    is_json = args.format == "json"
    results = []
    for name in sorted(metrics):
        metric = metrics[name]
        score = metric.corpus_score(system, None, n_bootstrap=args.confidence_n if args.confidence else 1)
        signature = metric.get_signature().format(args.short and not is_json)
        results.append(score.format(args.width, args.score_only, signature, is_json))
    print_single_results(results, args)
    if args.detail:
        print_subset_results(metrics, full_system, full_refs, args)


def _print_systems(metrics: dict[str, Any], systems: list[tuple[str, list[str]]], args: Namespace) -> None:
    signatures: dict[str, str] = {}
    if args.paired_bs or args.paired_ar:
        from refscore.compat.sacrebleu.significance import PairedTest

        kind, count = ("bs", args.paired_bs_n) if args.paired_bs else ("ar", args.paired_ar_n)
        found, results = PairedTest(systems, metrics, None, kind, count, n_jobs=args.paired_jobs)()
        signatures = {name: signature.format(args.short) for name, signature in found.items()}
    else:
        results = {"System": [name for name, _ in systems]}
        for _, system in systems:
            for name in sorted(metrics):
                score = metrics[name].corpus_score(system, None)
                signatures[score.name] = metrics[name].get_signature().format(args.short)
                results.setdefault(score.name, []).append(score.format(args.width, True))
    print_results_table(results, signatures, args)


if __name__ == "__main__":
    main()

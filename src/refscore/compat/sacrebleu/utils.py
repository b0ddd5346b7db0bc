"""sacrebleu's `utils`: files, colours, how results are printed; what concerns test sets is the installed package's."""

from __future__ import annotations

import gzip
import json
import logging
import math
import os
import re
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from refscore.compat.sacrebleu import testsets
from refscore.compat.sacrebleu.grids import grid, tabular
from refscore.compat.sacrebleu.testsets import (
    download_file,
    download_test_set,
    extract_tarball,
    filter_subset,
    get_available_origlangs,
    get_available_subsets,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_files,
    get_langpairs_for_testset,
    get_md5sum,
    get_reference_files,
    get_source_file,
    print_test_set,
)

__all__ = [
    "SACREBLEU_DIR",
    "USERHOME",
    "Color",
    "args_to_dict",
    "download_file",
    "download_test_set",
    "extract_tarball",
    "filter_subset",
    "get_available_origlangs",
    "get_available_subsets",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_md5sum",
    "get_reference_files",
    "get_source_file",
    "my_log",
    "print_results_table",
    "print_single_results",
    "print_subset_results",
    "print_test_set",
    "sacrelogger",
    "sanity_check_lengths",
    "smart_open",
    "sum_of_lists",
]

USERHOME = os.path.expanduser("~")
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(USERHOME, ".sacrebleu"))

sacrelogger = logging.getLogger("sacrebleu")

_ANSI = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36, "white": 37, "black": 30}
_INTERVAL = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")


def __getattr__(name: str) -> object:
    if name in ("DATASETS", "SUBSETS"):
        value: object = getattr(testsets.dataset(), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Color:
    """Colours for terminals, which can be turned off for all."""

    ENABLE_COLORS: ClassVar[bool] = True

    @staticmethod
    def format(msg: str, color: str) -> str:
        """The message in a colour, if colours are on and there is such a one."""
        code = _ANSI.get(color.lower())
        return f"\x1b[{code}m{msg}\x1b[0m" if Color.ENABLE_COLORS and code is not None else msg


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    r"""Opens a text file, compressed or not.

    Args:
        file: The path; one that ends in `.gz` is of gzip.
        mode: To read or to write.
        encoding: How characters are stored.

    Returns:
        The file. Its lines end at line feeds alone.

    Example:
        >>> import os, tempfile
        >>> from refscore.compat.sacrebleu import smart_open
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "text.gz")
        ...     with smart_open(path, "wt") as file:
        ...         count = file.write("one\ntwo\n")
        ...     with smart_open(path) as file:
        ...         print(file.readlines())
        ['one\n', 'two\n']
    """
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """The logarithm; a very low number for 0."""
    return math.log(num) if num else -9999999999


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Any:
    """Lists of numbers added up, place by place."""
    return lists[0] if len(lists) == 1 else [sum(column) for column in zip(*lists, strict=True)]


def args_to_dict(args: Namespace, prefix: str, strip_prefix: bool = False) -> dict[str, Any]:
    """The arguments whose names begin with a prefix, with it or without."""
    start = f"{prefix}_"
    found = {name: value for name, value in vars(args).items() if name.startswith(start)}
    return {name.replace(start, ""): value for name, value in found.items()} if strip_prefix else found


def sanity_check_lengths(system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None) -> None:
    """Ends the program unless all streams of references are as long as the system."""
    if all(len(stream) == len(system) for stream in refs):
        return
    lengths = ", ".join(str(len(stream)) for stream in refs)
    sacrelogger.error("The system has %d lines, but the references have %s.", len(system), lengths)
    if test_set:
        sacrelogger.error(
            "If the system's output is complete, remove %s/%s so that the test set is downloaded again.",
            SACREBLEU_DIR,
            test_set,
        )
    sys.exit(1)


def _format_score_lines(scores: dict[str, Any], width: int = 2, multiline: bool = True) -> dict[str, list[str]]:
    """Results as text, ready for a table."""
    lines = {"System": scores.pop("System")}
    with_intervals = False
    for metric, results in scores.items():
        cells = []
        for result in results:
            if isinstance(result, str):
                cells.append(result)
                continue
            text = f"{result.score:.{width}f}"
            if result.mean is not None:
                with_intervals = True
                text += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
            if result.p_value is not None:
                p = f"(p = {result.p_value:.4f})"
                shown = Color.format(p, "red") if result.p_value > 0.05 else f"{p}*"
                text += f"{chr(10) if multiline else ' '}{shown}"
            cells.append(text)
        lines[f"{metric} (μ ± 95% CI)" if with_intervals else metric] = cells
    return lines


def print_results_table(results: dict[str, Any], signatures: dict[str, Any], args: Namespace) -> None:
    """Prints the scores of several systems, and what the tests of them mean."""
    if args.format == "json":
        _print_json(results)
        return
    is_latex = args.format == "latex"
    lines = _format_score_lines(results, args.width, multiline=not is_latex)
    columns: dict[str, list[str]] = {}
    baseline = ""
    for name, cells in lines.items():
        if cells[0].startswith("Baseline:"):
            baseline = cells[0]
        shown = [Color.format(cells[0], "yellow"), *cells[1:]] if baseline else cells
        columns[Color.format(name, "cyan")] = shown
    print((tabular if is_latex else grid)(columns, args.width))
    print()
    if args.paired_bs or args.paired_ar:
        _print_test(baseline, args)
    print("-----------------\nMetric signatures\n-----------------")
    for name, signature in signatures.items():
        print(f" - {name:<10} {signature}")


def _print_json(results: dict[str, Any]) -> None:
    found = []
    for i, system in enumerate(results["System"]):
        entry = {"system": system}
        for name, column in results.items():
            if name != "System":
                entry[name] = column[i] if isinstance(column[i], str) else vars(column[i])
        found.append(entry)
    print(json.dumps(found, indent=4))


def _print_test(baseline: str, args: Namespace) -> None:
    """What was tested, in the words that sacrebleu prints."""
    if args.paired_bs:
        title = f"Paired bootstrap resampling test with {args.paired_bs_n} resampling trials"
        shown = "Actual system score / bootstrap estimated true mean / 95% CI are provided for each metric."
    else:
        title = f"Paired approximate randomization test with {args.paired_ar_n} trials"
        shown = "Actual system score is provided for each metric."
    other = Color.format("baseline", "yellow")
    null = Color.format("Null hypothesis", "green")
    red = Color.format("highlighted in red", "red")
    rule = "-" * len(title)
    print(f"{rule}\n{title}\n{rule}")
    print(f""" - Each system is pairwise compared to {Color.format(baseline, "yellow")}.
   {shown}

 - {null}: the system and the {other} translations are essentially
   generated by the same underlying process. For a given system and the {other},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null.lower()} is correct.

 - Assuming a significance threshold of 0.05, the {null.lower()} can be rejected
   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly "different" than the {other}.
   Otherwise, the p-values are {red}.

 - NOTE: Significance does not tell whether a system is "better" than the {other} but rather
   emphasizes the "difference" of the systems in terms of the replicability of the delta.
""")


def print_single_results(results: list[str], args: Namespace) -> None:
    """Prints the scores of one system, their numbers below each other."""
    if args.format == "json":
        print(results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]")
        return
    if "μ" in results[0]:
        results[:] = [_INTERVAL.sub(lambda found: Color.format(found.group(), "cyan"), line) for line in results]
    if len(results) == 1:
        print(results[0])
        return
    named = [line for line in results if "=" in line]
    for line in results:
        if "=" not in line:  # numbers alone
            print(line)
    width = max((line.index("=") - 1 for line in named), default=0)
    for line in named:
        place = line.index("=") - 1
        print(f"{line[:place]:>{width}}{line[place:]}")


def print_subset_results(metrics: Mapping[str, Any], full_system: Any, full_refs: Any, args: Namespace) -> None:
    """Prints the scores of each subset of a test set that a system has sentences of."""
    lines: list[tuple[str, int, Any]] = []
    for origlang in [args.origlang] if args.origlang else get_available_origlangs(args.test_set, args.langpair):
        subsets = [args.subset] if args.subset is not None else get_available_subsets(args.test_set, args.langpair)
        for subset in [None, *subsets]:
            system, *refs = filter_subset([full_system, *full_refs], args.test_set, args.langpair, origlang, subset)
            if system:
                key = f"origlang={origlang} {_subset_key(subset)}"
                lines += [(key, len(system), metric.corpus_score(system, refs)) for metric in metrics.values()]
    if not lines:
        print("No subset information found. Consider using --origlang argument.")
        return
    width = max(len(key) for key, *_ in lines) + 1
    name_width = max(len(score.name) for *_, score in lines)
    for key, count, score in lines:
        title = Color.format(f"{key:<{width}}", "yellow")
        print(f"{title}: sentences={count:<6} {score.name:<{name_width}} = {score.score:.{args.width}f}")


def _subset_key(subset: str | None) -> str:
    if subset is None:
        return "domain=ALL"
    country = subset.removeprefix("country:")
    return f"domain={subset}" if country == subset else f"country={country}"

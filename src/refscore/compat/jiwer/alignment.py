"""jiwer's `jiwer.alignment`: show alignments and errors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from refscore.alignments.text import NOTHING, LineStyle, write_lines
from refscore.compat.jiwer.process import CharacterOutput, WordOutput
from refscore.errors import InputError

__all__ = ["collect_error_counts", "visualize_alignment", "visualize_error_counts"]

# jiwer counts characters, not cells of a terminal.
_WORDS = LineStyle(("REF: ", "HYP: ", "     "), width=len)
_CHARACTERS = replace(_WORDS, separator="")
_MARKS = {"equal": " ", "substitute": "S", "delete": "D", "insert": "I"}


def visualize_alignment(
    output: WordOutput | CharacterOutput,
    show_measures: bool = True,
    skip_correct: bool = True,
    line_width: int | None = None,
) -> str:
    """Return each reference above its hypothesis, with marks for the errors.

    Example:
        >>> from refscore.compat import jiwer
        >>> output = jiwer.process_words("short one here", "shoe order one")
        >>> print(jiwer.visualize_alignment(output, show_measures=False))
        === SENTENCE 1 ===
        <BLANKLINE>
        REF: **** short one here
        HYP: shoe order one ****
                I     S        D
        <BLANKLINE>
    """
    style = _CHARACTERS if _is_of_characters(output) else _WORDS
    parts = []
    pairs = zip(output.references, output.hypotheses, output.alignments, strict=False)
    for number, (reference, hypothesis, chunks) in enumerate(pairs, 1):
        is_correct = len(chunks) == 0 or (len(chunks) == 1 and chunks[0].type == "equal")
        if is_correct and skip_correct:
            continue
        columns = _columns(reference, hypothesis, chunks)
        parts.append(f"=== SENTENCE {number} ===\n\n{write_lines(columns, style, line_width)}\n\n")
    text = "".join(parts)
    return text + _summary(output) if show_measures else text[:-1]


def _is_of_characters(output: Any) -> bool:
    if type(output) is WordOutput:
        return False
    return not isinstance(output, WordOutput) and (isinstance(output, CharacterOutput) or hasattr(output, "cer"))


def _columns(reference: list[str], hypothesis: list[str], chunks: Any) -> Iterator[tuple[str, str, str]]:
    for chunk in chunks:
        above = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        below = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        if chunk.type not in _MARKS:
            raise InputError(None, f"a chunk has the unknown type {chunk.type!r}")
        mark = _MARKS[chunk.type]
        if chunk.type == "delete":
            below = [NOTHING] * len(above)
        elif chunk.type == "insert":
            above = [NOTHING] * len(below)
        yield from ((word, other, mark) for word, other in zip(above, below, strict=False))


def _summary(output: Any) -> str:
    if _is_of_characters(output):
        measures = f"cer={output.cer * 100:.2f}%"
    else:
        mer, wil, wip, wer = output.mer, output.wil, output.wip, output.wer
        measures = f"mer={mer * 100:.2f}%\nwil={wil * 100:.2f}%\nwip={wip * 100:.2f}%\nwer={wer * 100:.2f}%"
    return (
        f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n"
        f"substitutions={output.substitutions} deletions={output.deletions} "
        f"insertions={output.insertions} hits={output.hits}\n\n{measures}\n"
    )


def collect_error_counts(
    output: WordOutput | CharacterOutput,
) -> tuple[dict[tuple[str, str], int], dict[str, int], dict[str, int]]:
    """Count substituted words by (from, to), and the inserted and deleted runs.

    Example:
        >>> from refscore.compat import jiwer
        >>> substitutions, insertions, deletions = jiwer.collect_error_counts(jiwer.process_words("a b c", "a x c d"))
        >>> dict(substitutions), dict(insertions), dict(deletions)
        ({('b', 'x'): 1}, {'d': 1}, {})
    """
    substitutions: defaultdict[tuple[str, str], int] = defaultdict(int)
    insertions: defaultdict[str, int] = defaultdict(int)
    deletions: defaultdict[str, int] = defaultdict(int)
    separator = "" if _is_of_characters(output) else " "
    for reference, hypothesis, chunks in zip(output.references, output.hypotheses, output.alignments, strict=False):
        for chunk in chunks:
            kind = chunk.type
            if kind == "equal":
                continue
            if kind == "insert":
                insertions[separator.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])] += 1
                continue
            before = separator.join(reference[chunk.ref_start_idx : chunk.ref_end_idx])
            if kind == "delete":
                deletions[before] += 1
            elif kind == "substitute":
                substitutions[before, separator.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])] += 1
    return substitutions, insertions, deletions


def visualize_error_counts(
    output: WordOutput | CharacterOutput,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: int | None = None,
) -> str:
    """Return the errors in an output as text, the most frequent first.

    Example:
        >>> from refscore.compat import jiwer
        >>> print(jiwer.visualize_error_counts(jiwer.process_words("a b c", "a x c d"), show_deletions=False))
        === SUBSTITUTIONS ===
        b --> x = 1x
        <BLANKLINE>
        === INSERTIONS ===
        d = 1x
    """
    if top_k is not None and top_k < 1:
        raise InputError(None, f"top_k must be at least 1, or None for all, not {top_k!r}")
    substitutions, insertions, deletions = collect_error_counts(output)
    sections = [
        f"=== {title} ===\n{_frequent(errors, top_k)}"
        for title, errors, is_shown in (
            ("SUBSTITUTIONS", substitutions, show_substitutions),
            ("INSERTIONS", insertions, show_insertions),
            ("DELETIONS", deletions, show_deletions),
        )
        if is_shown
    ]
    return "\n".join(sections).removesuffix("\n")


def _frequent(errors: Mapping[Any, int], top_k: int | None) -> str:
    """Return one line per error. Without errors, return a word without a line break, so no empty line follows."""
    if not errors:
        return "none"
    shown = sorted(errors.items(), key=itemgetter(1), reverse=True)[:top_k]
    if isinstance(shown[0][0], str):
        width = max([len(error) for error, _ in shown])
        return "".join([f"{error:<{width}} = {count}x\n" for error, count in shown])
    width = max([max(len(before), len(after)) for (before, after), _ in shown])
    return "".join([f"{before:<{width}} --> {after:<{width}} = {count}x\n" for (before, after), count in shown])

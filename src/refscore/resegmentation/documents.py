"""Documents: references and hypotheses with the same label belong together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refscore.errors import InputError, Location


def group_documents(
    segments: int, lines: int, documents: Iterable[Any] | None, hypothesis_documents: Iterable[Any] | None
) -> list[tuple[list[int], list[int]]]:
    """Return the indexes of the segments and of the hypothesis' lines of each document.

    >>> group_documents(3, 2, ["a", "a", "b"], ["b", "a"])
    [([0, 1], [1]), ([2], [0])]
    """
    if documents is None:
        if hypothesis_documents is not None:
            fix = "pass documents too: one label per entry of references"
            raise InputError(Location("hypothesis_documents"), "needs the documents of the references", fix)
        return [([*range(segments)], [*range(lines)])]
    labels = _check(documents, segments, "documents", "one label per entry of references")
    by_label: dict[Any, tuple[list[int], list[int]]] = {}
    for index, label in enumerate(labels):
        by_label.setdefault(label, ([], []))[0].append(index)
    if hypothesis_documents is None:
        if len(by_label) != lines:
            fix = "pass one line per document in their order, or the label of each line as hypothesis_documents"
            raise InputError(
                Location("hypothesis"), f"has {_counted(lines, 'line')} for {_counted(len(by_label), 'document')}", fix
            )
        line_labels: list[Any] = [*by_label]
    else:
        line_labels = _check(
            hypothesis_documents, lines, "hypothesis_documents", "one label per line of the hypothesis"
        )
    for index, label in enumerate(line_labels):
        if label not in by_label:
            problem = f"is {label!r}, which is not a document of the references"
            raise InputError(Location("hypothesis_documents", index), problem, "use the labels of documents")
        by_label[label][1].append(index)
    for index, label in enumerate(labels):
        if not by_label[label][1]:
            problem = f"is {label!r}, which has no line in the hypothesis"
            raise InputError(Location("documents", index), problem, "add an empty line for a document without output")
    return [*by_label.values()]


def _check(labels: Iterable[Any], size: int, side: str, rule: str) -> list[Any]:
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InputError(Location(side), "is not a list", f"pass {rule}")
    listed = [*labels]
    if len(listed) != size:
        raise InputError(Location(side), f"has {_counted(len(listed), 'label')} for {size:,}", f"pass {rule}")
    for index, label in enumerate(listed):
        try:
            hash(label)
        except TypeError:
            raise InputError(Location(side, index), "is not hashable", "pass a string or a number") from None
        if label is None:
            raise InputError(Location(side, index), "is None", "every segment needs a label")
    return listed


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

"""Check the captions of images: dictionaries of lists of texts, by image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refscore.compat.error_types import InputAssertionError
from refscore.errors import Location

__all__: list[str] = []

Captions = Mapping[Any, list[str]]
"""Captions by image."""


def check_captions(gts: Captions, res: Captions) -> tuple[list[str], list[Any]]:
    """Return the caption and the references of each image, in the order of `gts`."""
    for name, captions in (("gts", gts), ("res", res)):
        if not isinstance(captions, Mapping):
            raise InputAssertionError(
                Location(name), f"is {type(captions).__name__}", "pass a dictionary of lists of captions"
            )
    if gts.keys() != res.keys():
        image = next(iter(gts.keys() ^ res.keys()))
        missing = "res" if image in gts else "gts"
        raise InputAssertionError(Location(missing), f"lacks the image {image!r}", "gts and res need the same images")
    if not gts:
        raise InputAssertionError(Location("gts"), "is empty", "pass at least one image")
    for image in gts:
        if not _are_texts(res[image]) or len(res[image]) != 1:
            check_candidate(res[image], f"res[{image!r}]")
        if not _are_texts(gts[image]):
            check_texts(gts[image], f"gts[{image!r}]")
    return [res[image][0] for image in gts], [list(gts[image]) for image in gts]


def _are_texts(captions: Any) -> bool:
    """Return whether these are texts, without the name that an error needs."""
    return type(captions) is list and {*map(type, captions)} == {str}


def check_candidate(captions: Any, name: str) -> None:
    check_texts(captions, name)
    if len(captions) != 1:
        raise InputAssertionError(Location(name), f"has {len(captions)} captions", "pass a list of one caption")


def check_texts(captions: Any, name: str) -> None:
    """Raise an InputError unless this is a non-empty list of texts."""
    if not isinstance(captions, list) or not captions:
        raise InputAssertionError(Location(name), "is not a list of captions", "pass a list with at least one text")
    for caption in captions:
        if not isinstance(caption, str):
            problem = f"has {caption!r}, which is not a text"
            raise InputAssertionError(Location(name), problem, "pass tokenized captions, as from PTBTokenizer.tokenize")

"""pycocoevalcap's `pycocoevalcap.tokenizer.ptbtokenizer`: the PTB tokenizer of Stanford CoreNLP, without Java."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from refscore.errors import InputError, Location
from refscore.tokenizers.registry import get

__all__ = ["PTBTokenizer"]


class PTBTokenizer:
    """Tokenize captions: lowercased words without punctuation.

    Example:
        >>> from refscore.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
        >>> PTBTokenizer().tokenize({1: [{"caption": "A dog's ball."}, {"caption": "Two balls, I think!"}]})
        {1: ["a dog 's ball", 'two balls i think']}
    """

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Mapping[str, Any]]]) -> dict[Any, list[str]]:
        texts: list[str] = []
        for image, captions in captions_for_image.items():
            for caption in captions:
                text = caption["caption"]
                if not isinstance(text, str):
                    place = Location(f"captions_for_image[{image!r}]")
                    raise InputError(place, f"has the caption {text!r}", "pass a text")
                texts.append(text.replace("\n", " "))
        tokens = iter(get("ptb-coco").tokenize_all(texts))
        return {
            image: [" ".join(map(str, next(tokens))) for _ in captions]
            for image, captions in captions_for_image.items()
            if captions
        }

"""pycocoevalcap's `pycocoevalcap.tokenizer.ptbtokenizer`: the PTB tokenizer of Stanford CoreNLP, without Java."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from refscore.compat.strictness import tolerate
from refscore.errors import InputError, Location
from refscore.tokenizers.registry import get

__all__ = ["PTBTokenizer"]

PUNCTUATIONS = [
    *("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"),
]

_BREAKS = "\n\v\f\r\u2028\u2029"
_BREAK = re.compile(f"\r\n|[{_BREAKS}]")
_GAP = re.compile(r"[\t \x85\xa0\u2000-\u200a\u3000]")
# The ends of lines with tokens that depend on the next line: "plan B." before "The", and "No." before a digit.
_OPEN_END = re.compile(r"(?<![a-z])([a-z]|art|bldg|ca|figs?|nos?|op|pp|prop)\.[\t \x85\xa0\u2000-\u200a\u3000]*$", re.I)
# Tokens that may contain line breaks: a tag with an open quotation mark, and a face.
_NAME = "[A-Za-z][-A-Za-z0-9_:.]*"
_LONG_TOKEN = re.compile(
    rf"""(?<!<)<{_NAME}(?: +{_NAME}(?: *= *(?:'[^']*'|"[^"]*"))?)* */? *>|[\^x=~<>]\.\[\^x=[^<]*<>\]"""
)
# These characters stand for line breaks inside a token. The tokenizer would skip them outside.
_HIDDEN = {ord(character): 0xE000 + i for i, character in enumerate(_BREAKS)}
_SHOWN = {hidden: character for character, hidden in _HIDDEN.items()}
_FACE = re.compile(r"[<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]]$")


class PTBTokenizer:
    """Tokenize captions: lowercased words without punctuation.

    Example:
        >>> from refscore.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
        >>> PTBTokenizer().tokenize({1: [{"caption": "A dog's ball."}, {"caption": "Two balls, I think!"}]})
        {1: ["a dog 's ball", 'two balls i think']}
    """

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Mapping[str, Any]]]) -> dict[Any, list[str]]:
        """Return the tokenized captions of each image.

        All captions are tokenized as one file, as in pycocoevalcap, so a caption may depend on the next one.
        """
        images, texts = [], []
        for image, captions in captions_for_image.items():
            for caption in captions:
                images.append(image)
                texts.append(_text(image, caption["caption"]))
        tokenized: dict[Any, list[str]] = {}
        for image, line in zip(images, _tokenized_lines("\n".join(texts)), strict=False):
            words = [word for word in line.rstrip().split(" ") if word not in PUNCTUATIONS]
            tokenized.setdefault(image, []).append(" ".join(words))
        return tokenized


def _text(image: Any, caption: Any) -> str:
    location = Location(f"captions_for_image[{image!r}]")
    if not isinstance(caption, str):
        raise InputError(location, f"has the caption {caption!r}", "pass a text")
    text = caption.replace("\n", " ")
    if _BREAK.search(text):
        consequence = "all following captions may be those of the previous image"
        tolerate("pycocoevalcap", location, f"has a line break in {caption!r}", "replace it by a space", consequence)
    return text


def _tokenized_lines(text: str) -> list[str]:
    """Return the tokens of each line of a file, separated by spaces."""
    if "<" in text:
        text = _LONG_TOKEN.sub(lambda match: match[0].translate(_HIDDEN), text)
    lines = _BREAK.split(text)
    tokenizer = get("ptb")
    tokens = tokenizer.tokenize_all(lines)
    counts = list(map(len, tokens))
    # An open end is tokenized together with the next line that is not empty.
    joined, positions = [], []
    following = len(lines) - 1
    for i in range(len(lines) - 2, -1, -1):
        if _OPEN_END.search(lines[i]) and _may_change_line_before(lines, following):
            joined.append(lines[i] + "\r" * (following - i) + lines[following])
            positions.append((i, following))
        if _GAP.sub("", lines[i]):
            following = i
    for (i, following), both in zip(positions, tokenizer.tokenize_all(joined), strict=True):
        tokens[i] = both[: len(both) - counts[following]]
    tokens[-1] = _last_tokens(lines[-1])
    written = (" ".join(map(str, line)).lower() for line in tokens)
    return "\n".join(written).translate(_SHOWN).split("\n")


def _may_change_line_before(lines: list[str], index: int) -> bool:
    """Return whether a line can change the tokens before it. The last word of the file must be followed by a gap."""
    line = lines[index]
    return index < len(lines) - 1 or line[:1].isdigit() or _GAP.search(line.lstrip()) is not None


def _last_tokens(line: str) -> Any:
    """Return the tokens of the last line. No line break follows, which some rules need."""
    tokenize = get("ptb").tokenize
    tokens = tokenize(line)
    face = _FACE.search(line)
    if face is not None and str(tokens[-1]).replace("-LRB-", "(").replace("-RRB-", ")") == face[0]:
        return [*tokenize(line[:-1]), *tokenize(line[-1])]
    # A quotation mark, which is dropped later, ends every other token.
    return tokens if _GAP.fullmatch(line[-1:]) else tokenize(f'{line}"')

"""The words of subtitles with their times and line breaks, as metrics of subtitles read them."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence

from refscore import _native

Microseconds = int
END_OF_LINE, END_OF_CUE = "<eol>", "<eob>"

# Hours, minutes and seconds, minutes and seconds as in WebVTT, or seconds.
_TIME = r"(?:(?:(\d{1,9}):)?([0-5]?\d):)?(\d{1,9})(?:[.,](\d{1,6}))?"
_TIMES = re.compile(rf"\s*{_TIME}\s*-+>\s*{_TIME}(?:\s.*)?")
# A tag of one letter, the longer tags of SRT and WebVTT, times of words, and the overrides of SSA.
_TAGS = re.compile(
    r"</?[^>]>|</?(?:font|ruby|rt|lang|c|v|i|b|u|s)(?:[\s.][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}",
    re.IGNORECASE,
)
_PUNCTUATION = str.maketrans("", "", string.punctuation + "…")


def read_times(line: str) -> tuple[Microseconds, Microseconds] | None:
    """Return the start and end of a cue from its line with times, or None if it is a different line."""
    match = _TIMES.fullmatch(line) if "->" in line else None
    if match is None:
        return None
    parts = match.groups()
    start, end = (_microseconds(*parts[at : at + 4]) for at in (0, 4))
    return None if start is None or end is None else (start, end)


def _microseconds(hours: str | None, minutes: str | None, seconds: str, fraction: str | None) -> Microseconds | None:
    """Return a time, or None if its seconds are not below 60 although it has minutes."""
    if minutes is not None and int(seconds) >= 60:
        return None
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds)
    return whole * 10**6 + int((fraction or "0").ljust(6, "0"))


def write_time(time: Microseconds) -> str:
    seconds, fraction = divmod(time, 10**6)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    digits = f"{fraction:06}"
    return f"{hours:02}:{minutes:02}:{seconds:02},{digits[:3] if digits.endswith('000') else digits}"


def remove_tags(line: str) -> str:
    return _TAGS.sub("", line) if "<" in line or "{" in line else line


def without_punctuation(word: str) -> list[str]:
    """Return the word without ASCII punctuation and ellipses, unless it has nothing else."""
    return [word.translate(_PUNCTUATION) or word]


def split_punctuation(word: str) -> list[str]:
    return _native.tokenize(word, _native.TextRules("tercom-norm"))


class SubtitleTokens:
    """A tokenizer of cues: each begins with a line of times.

    A cue becomes a token with its times, the words of its lines, `<eol>` after each line and `<eob>` after the last.
    Numbers before the times are skipped. Text without times has neither.
    """

    def __init__(self, split: Callable[[str], list[str]]) -> None:
        self._split = split

    def __call__(self, text: str) -> list[str]:
        return self.batch([text])[0]

    def batch(self, texts: Sequence[str], threads: int = 0) -> list[list[str]]:
        known = {END_OF_LINE: [END_OF_LINE], END_OF_CUE: [END_OF_CUE]}
        return [self._tokens(text, known) for text in texts]

    def _tokens(self, text: str, known: dict[str, list[str]]) -> list[str]:
        tokens: list[str] = []
        has_times = False
        number_at: int | None = None
        for line in text.split("\n") if "->" in text else [text]:
            times = read_times(line)
            if times is not None and times[0] <= times[1]:
                if number_at is not None:
                    del tokens[number_at:]
                _end_cue(tokens)
                tokens.append("-->".join(map(write_time, times)))
                has_times, number_at = True, None
                continue
            words = remove_tags(line).split()
            # A number belongs to the next cue if no empty line follows.
            number_at = len(tokens) if len(words) == 1 and words[0].isdecimal() else None
            for word in words:
                pieces = known.get(word)
                if pieces is None:
                    pieces = known[word] = self._split(word)
                tokens += pieces
            if has_times and words:
                tokens.append(END_OF_LINE)
        if has_times:
            _end_cue(tokens)
        return tokens

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SubtitleTokens) and other._split == self._split

    def __hash__(self) -> int:
        return hash(self._split)


def _end_cue(tokens: list[str]) -> None:
    """End the last cue, unless it has no words."""
    if tokens and tokens[-1] == END_OF_LINE:
        tokens[-1] = END_OF_CUE

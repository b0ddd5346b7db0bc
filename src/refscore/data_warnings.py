"""Warnings about data that does not fit a metric. They never change a score.

DataWarning (a UserWarning)
├── UnspacedTextWarning   text without spaces between words, and a tokenizer that needs them
├── TokenizedTextWarning  text that is already tokenized, and a tokenizer that expects raw text
├── IdenticalTextWarning  a system with the text of a reference
├── NamedTextWarning      texts that begin or end with the names of utterances
├── WrittenFormWarning    an error rate whose errors are mostly case and punctuation
├── ShiftedTextWarning    texts that fit the references of other lines better
├── LengthWarning         hypotheses and references of very different lengths
├── ZeroScoreWarning      a score of 0 because the settings for a corpus do not suit short text
├── LoopWarning           outputs that repeat the same words many times in a row
└── SingleSegmentWarning  a corpus of one segment under a metric with different settings for segments

`metrics/core/data_checks.py` has the rules.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from contextvars import ContextVar, Token
from typing import ClassVar


class DataWarning(UserWarning):
    """Issued for data that does not fit a metric. Each kind of problem has a subclass. Scores do not change.

    Args:
        *args: The text, in parts: texts and `refscore.errors.Argument` objects.

    Attributes:
        kind: The name of the kind, as `--no-warn` takes it and JSON output has it.

    Example:
        >>> import refscore, warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore", refscore.data_warnings.DataWarning)
        ...     refscore.bleu(["two words"], ["two words"]).value
        0.0
    """

    kind: ClassVar[str] = ""

    def __str__(self) -> str:
        return "".join(map(str, self.args))

    def to_dict(self) -> dict[str, str]:
        """Return the kind and the message, ready for JSON."""
        return {"kind": self.kind, "message": str(self)}


class UnspacedTextWarning(DataWarning):
    """Issued for text without spaces between words, such as Japanese, if the tokenizer needs spaces.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.bleu(["私は昨日、友達と一緒に映画を見ました。"], ["昨日、私は友達と映画を見ました。"])
    >>> print(caught[0].message)
    the text is Japanese, which has no spaces between words, but the tokenizer of BLEU (13a) \
needs spaces: use tokenizer='ja-mecab' (or char)
    """

    kind = "unspaced"


class TokenizedTextWarning(DataWarning):
    """Issued for text that looks tokenized, if the metric's tokenizer expects raw text.

    >>> import refscore, warnings
    >>> texts = ["it is raining .", "we left .", "nobody came .", "so what .", "it was late ."]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.bleu(texts, ["it rains.", "we left.", "no one came.", "so what.", "it was late."])
    >>> print(caught[0].message)
    5 of 5 hypotheses that end in a period have a space before it, so they seem to be tokenized, but the \
tokenizer of BLEU (13a) expects raw text: detokenize them, or, if all texts are tokenized, use tokenizer='none'
    """

    kind = "tokenized"


class IdenticalTextWarning(DataWarning):
    """Issued if nearly all segments of a system are identical to a reference.

    >>> import refscore, warnings
    >>> texts = [f"sentence number {number}" for number in range(20)]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.chrf(texts, texts)
    >>> print(caught[0].message)
    20 of 20 hypotheses are identical to a reference: is this the output of a system?
    """

    kind = "identical"


class NamedTextWarning(DataWarning):
    """Issued if all texts begin or end with the name of an utterance, which counts as a word.

    >>> import refscore, warnings
    >>> names = [f"utt{number:03}" for number in range(20)]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.wer([f"{name} a cat" for name in names], [f"{name} the cat" for name in names])
    >>> print(caught[0].message)
    hypotheses and references begin with names, such as utt000, which count as words: remove the names
    """

    kind = "names"


class WrittenFormWarning(DataWarning):
    """Issued if case and punctuation, which only one side has, are most of the errors of an error rate.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.wer(["it rained all day in the valley"] * 10, ["It rained all day, in the Valley."] * 10)
    >>> print(caught[0].message)
    case and punctuation explain 100% of the errors of WER (42.86, or 0.00 without them): use normalize='whisper-en' \
for English, or lowercase=True and normalize='nopunct'
    """

    kind = "form"


class ShiftedTextWarning(DataWarning):
    """Issued if many texts are much more like the reference of the next or previous segment than like their own.

    >>> import refscore, warnings
    >>> import refscore, warnings
    >>> lines = [" ".join(f"{line}-{word}" for word in range(2 + line % 5)) for line in range(21)]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.chrf(lines[1:], lines[:-1])
    >>> print(caught[0].message)
    19 of 20 hypotheses are much more like the reference of the next segment: is a line missing, or one too many?
    """

    kind = "shifted"


class LengthWarning(DataWarning):
    """Issued if the lengths of hypotheses and references are so different that they may not belong together.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.chrf(["a short one"] * 10, ["a reference that is several times as long"] * 10)
    >>> print(caught[0].message)
    the references are 3.5 times as long as the hypotheses: do the segments belong together?
    """

    kind = "lengths"


class LoopWarning(DataWarning):
    """Issued if outputs repeat the same words many times in a row, and their references do not.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     texts = ["thank you. " * 9, "we left early", "so so so so so"]
    ...     evaluation = refscore.evaluate(texts, ["thanks", "we left", "so it is"], "chrf")
    >>> print(caught[0].message)
    2 of 3 hypotheses have a loop, such as segment 1, which has 'thank you' 9 times in a row
    """

    kind = "loops"


class ZeroScoreWarning(DataWarning):
    """Issued for a score of 0 that is not 0 with the metric's settings for single segments.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     values = refscore.BLEU().segments(["a short one", "two words"], ["a short one", "two words"])
    >>> print(values, caught[0].message)
    [0. 0.] BLEU is 0 for 2 segments only because its settings are for a corpus: use effective_order=True for \
single segments
    """

    kind = "zero"


class SingleSegmentWarning(DataWarning):
    """Issued for a corpus of one segment, if the metric has different settings for single segments.

    >>> import refscore, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = refscore.bleu(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> print(caught[0].message)
    BLEU has the settings for a corpus, but there is only one segment: score all segments together, or use \
effective_order=True for single segments
    """

    kind = "single"


class UnmatchedSamplesWarning(DataWarning):
    r"""Issued if logs of evaluation harnesses have different samples, so some are left out.

    >>> import json, pathlib, refscore, tempfile, warnings
    >>> from refscore.readers import evaluate_files
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     for name, ids in {"old": [0, 1], "new": [1]}.items():
    ...         lines = [json.dumps({"doc_id": each, "resps": [], "metrics": ["acc"], "acc": 1}) for each in ids]
    ...         _ = pathlib.Path(folder, f"{name}.jsonl").write_text("\n".join(lines))
    ...     evaluation = evaluate_files({name: f"{folder}/{name}.jsonl" for name in ("old", "new")}, [])
    >>> print(caught[0].message)
    left out: 1 sample only in old (0)
    """

    kind = "samples"


KINDS: dict[str, type[DataWarning]] = {
    each.kind: each
    for each in (
        UnspacedTextWarning,
        TokenizedTextWarning,
        IdenticalTextWarning,
        NamedTextWarning,
        WrittenFormWarning,
        ShiftedTextWarning,
        LengthWarning,
        LoopWarning,
        ZeroScoreWarning,
        SingleSegmentWarning,
        UnmatchedSamplesWarning,
    )
}

_is_checked: ContextVar[bool] = ContextVar("refscore.data_warnings", default=True)
is_checked = _is_checked.get


class unchecked:  # noqa: N801 - a context manager that reads like a function, and a class because it is faster
    """Do not check data inside a `with` block, because the caller has checked it, or must not warn.

    >>> import refscore
    >>> from refscore.data_warnings import unchecked
    >>> with unchecked():
    ...     refscore.bleu(["two words"], ["two words"]).value
    0.0
    """

    __slots__ = ("_before",)

    _before: Token[bool]

    def __enter__(self) -> None:
        self._before = _is_checked.set(False)

    def __exit__(self, *_: object) -> None:
        _is_checked.reset(self._before)


# Packages whose callers get no warnings.
_silent: set[str] = set()


def keep_silent(package: str) -> None:
    """Issue no warnings in calls through a package of refscore, such as the drop-ins, which print what others print."""
    _silent.add(package)


def issue(found: Iterable[Warning]) -> None:
    """Issue warnings at the line outside of refscore that called it, so Python shows each once per line."""
    for warning in found:
        level = _caller_level()
        if level is not None:
            warnings.warn(warning, stacklevel=level)


def _caller_level() -> int | None:
    """Return the `stacklevel` of the line outside of refscore for `warnings.warn` in `issue`, or None to be silent."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None:
        name = frame.f_globals.get("__name__") or ""
        if name.partition(".")[0] != "refscore":
            break
        if any(name == package or name.startswith(f"{package}.") for package in _silent):
            return None
        frame, level = frame.f_back, level + 1
    return level

"""Generated meetings, and calls of meeteval. Each returns plain numbers, so values can be compared."""

from __future__ import annotations

import logging
import random
import warnings
from typing import Any

from .peers import optional

meeteval: Any = optional("meeteval")
pyannote: Any = optional("pyannote.metrics.diarization")

Utterances = list[dict[str, Any]]


def meeting(seed: int, speakers: int, words: int, minutes: int) -> tuple[Utterances, Utterances]:
    """Return the reference and the hypothesis of one session, with 15 % wrong words and 5 % wrong speakers."""
    generator = random.Random(seed)
    vocabulary = [f"word{int(generator.paretovariate(0.8)) % 3000}" for _ in range(20_000)]
    reference: Utterances = []
    hypothesis: Utterances = []
    time, count = 0.0, 0
    while count < words:
        texts = generator.choices(vocabulary, k=generator.randint(2, 20))
        length = len(texts) / 3
        common = {"session_id": "meeting", "start_time": round(time, 2), "end_time": round(time + length, 2)}
        speaker = generator.randrange(speakers)
        reference.append({**common, "speaker": f"r{speaker}", "words": " ".join(texts)})
        heard = [generator.choice(vocabulary) if generator.random() < 0.1 else word for word in texts]
        heard = [word for word in heard if generator.random() > 0.05]
        stream = generator.randrange(speakers) if generator.random() < 0.05 else speakers - 1 - speaker
        hypothesis.append({**common, "speaker": f"h{stream}", "words": " ".join(heard)})
        count += len(texts)
        time += 60 * minutes * len(texts) / words * generator.uniform(0.6, 1.4)
    return reference, hypothesis


def rate(name: str, sides: tuple[Utterances, Utterances], **settings: Any) -> float:
    """Return the rate of one session."""
    logging.disable(logging.WARNING)  # about utterances that overlap
    from meeteval.wer import api

    name = "greedy_dicpwer" if name == "dicpwer" else name
    return float(getattr(api, name)(*sides, **settings)["meeting"].error_rate)


def as_annotations(sides: tuple[Utterances, Utterances]) -> list[Any]:
    """Return the turns of both sides as pyannote takes them."""
    from pyannote.core import Annotation, Segment

    found = []
    for side in sides:
        annotation = Annotation()
        for track, each in enumerate(side):
            annotation[Segment(each["start_time"], each["end_time"]), track] = each["speaker"]
        found.append(annotation)
    return found


def diarization_rate(name: str, sides: list[Any], **settings: Any) -> float:
    """Return the rate of one session."""
    kinds = {"der": pyannote.DiarizationErrorRate, "jer": pyannote.JaccardErrorRate}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the missing UEM
        return float(kinds[name](**settings)(*sides))

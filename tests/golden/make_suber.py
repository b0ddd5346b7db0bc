"""Record the SubER scores of subtitle-edit-rate, and the scores that it prints after re-segmentation, as
tests/golden/suber.json.

    python -m tests.golden.make_suber

It needs subtitle-edit-rate 0.4.0 (`pip install subtitle-edit-rate==0.4.0`, which also installs sacrebleu 2.5.1).
"""

import json
import random
import tempfile
from pathlib import Path

WORDS = "the a cat sat on mat Mat, cat. it's well-known ... ? … 3.5 U.S. Über straße don't - –".split()  # noqa: SIM905


def time(milliseconds):
    seconds, milliseconds = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},{milliseconds:03}"


def written(cues):
    return "\n".join(
        f"{number}\n{time(start)} --> {time(end)}\n" + "".join(f"{line}\n" for line in lines)
        for number, (start, end, lines) in enumerate(cues, 1)
    )


def drawn_reference(generator, count):
    start, cues = generator.choice([0, 500, 1000]), []
    for _ in range(count):
        duration = generator.choice([300, 1000, 1500, 2500])
        lines = [
            " ".join(generator.choices(WORDS, k=generator.choice([1, 2, 4, 7])))
            for _ in range(generator.choice([0, 1, 1, 2, 2, 3]))
        ]
        cues.append((start, start + duration, lines))
        start += generator.choice([0, 0, duration // 2, duration, duration, duration + 200, duration + 2000])
    return cues


def changed(generator, cues, rate):
    """Return cues with other words, lines, orders and times. Some are missing."""
    found = []
    for start, end, lines in cues:
        words = []
        for word in " ".join(lines).split():
            draw = generator.random()
            if draw > rate / 3:
                words.append(generator.choice(WORDS) if draw < 2 * rate / 3 else word)
            if draw > 1 - rate / 3:
                words.append(generator.choice(WORDS))
        if generator.random() < rate and len(words) > 3:
            middle = generator.randrange(1, len(words))
            words = words[middle:] + words[:middle]
        broken = []
        while words:
            size = generator.choice([2, 4, 6, 9])
            broken.append(" ".join(words[:size]))
            words = words[size:]
        shift = generator.choice([0, 0, 0, -200, 300, 1000]) if generator.random() < 2 * rate else 0
        begin = max(0, start + shift)
        until = max(begin + 1, end + generator.choice([0, 0, shift, -100, 400]))
        if generator.random() > rate / 4:
            found.append((begin, until, broken))
    return sorted(found, key=lambda cue: cue[0])


def corpus():
    """Return pairs of subtitles: a hypothesis and its reference."""
    pairs = []
    for seed in range(120):
        generator = random.Random(seed)
        reference = drawn_reference(generator, generator.choice([1, 2, 5, 12, 30]))
        hypothesis = changed(generator, reference, generator.choice([0.05, 0.2, 0.6]))
        pairs.append((written(hypothesis), written(reference)))
    return pairs


def read(hypothesis, reference):
    from suber.file_readers import read_input_file

    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for name, text in (("hypothesis", hypothesis), ("reference", reference)):
            file = Path(folder, f"{name}.srt")
            file.write_text(text, encoding="utf-8")
            sides.append(read_input_file(str(file), "SRT"))
    return sides


def scores(hypothesis, reference):
    from suber.metrics import suber
    from suber.metrics.suber_statistics import SubERStatisticsCollector

    suber.round = lambda value, _: value  # it rounds to three digits
    sides = read(hypothesis, reference)
    found = {}
    for name in ("SubER", "SubER-cased"):
        statistics = SubERStatisticsCollector()
        value = suber.calculate_SubER(*sides, name, statistics)
        found[name] = {"value": value, **statistics.get_statistics()}
    return found


def aligned(hypothesis, reference):
    """Return the cues of the references with the words of the hypothesis, and scores of these texts."""
    from suber import hyp_to_ref_alignment
    from suber.metrics import cer, jiwer_interface, sacrebleu_interface
    from suber.utilities import segment_to_string

    for module in (cer, jiwer_interface, sacrebleu_interface):
        module.round = lambda value, _: value  # they round to three digits
    sides = read(hypothesis, reference)
    if not any(segment.word_list for segment in sides[1]):
        return None
    cues = {
        "times": hyp_to_ref_alignment.time_align_hypothesis_to_reference(*sides),
        "words": hyp_to_ref_alignment.levenshtein_align_hypothesis_to_reference(*sides),
    }
    found = {}
    for name, segments in cues.items():
        texts = [segment_to_string(each, include_line_breaks=True) for each in segments]
        found[name] = {"cues": [text.replace("<eol>", "eol").replace("<eob>", "eob") for text in texts]}
        for metric in ("BLEU", "BLEU-seg", "TER", "TER-seg", "chrF"):
            found[name][metric] = sacrebleu_interface.calculate_sacrebleu_metric(segments, sides[1], metric)
        for metric in ("CER", "CER-cased"):
            found[name][metric] = cer.calculate_character_error_rate(segments, sides[1], metric)
        if all(segment.word_list for segment in sides[1]):
            for metric in ("WER", "WER-cased", "WER-seg"):
                found[name][metric] = jiwer_interface.calculate_word_error_rate(segments, sides[1], metric)
    return found


def main():
    pairs = corpus()
    record = {
        "command": "python -m tests.golden.make_suber",
        "version": "subtitle-edit-rate 0.4.0",
        "pairs": pairs,
        "scores": [scores(*pair) for pair in pairs],
        "aligned": [aligned(*pair) for pair in pairs],
    }
    path = Path(__file__).parent / "suber.json"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Warnings about data that does not fit a metric: on data that has the problem, and not on normal data."""

import json
import random
import subprocess
import sys
import warnings

import numpy as np
import pytest

import refscore
from refscore.data_warnings import KINDS, unchecked
from refscore.inputs import read_side
from refscore.metrics import METRICS
from refscore.metrics.core.data_checks import MANY, check_data
from refscore.tokenizers.scripts import SCRIPTS, find_unspaced
from tests.cli.running import command, json_of, status_of, write_lines
from tests.derived_sources import derive_sources

pytestmark = pytest.mark.filterwarnings("error::refscore.data_warnings.DataWarning")

ENGLISH = [
    "The committee will meet again on Tuesday.",
    "Nobody expected the bridge to close so early in the year.",
    "She bought three apples, two pears and a melon.",
    "Is there a train to the coast after nine?",
    "The museum opens at ten, but the garden opens at eight.",
    "He wrote that the results were “better than expected”.",
]
GERMAN = [
    "Der Ausschuss tagt am Dienstag wieder.",
    "Niemand hatte erwartet, dass die Brücke so früh gesperrt wird.",
    "Sie kaufte drei Äpfel, zwei Birnen und eine Melone.",
]
RUSSIAN = ["Комитет снова соберётся во вторник.", "Никто не ожидал, что мост закроют так рано."]
KOREAN = ["위원회는 화요일에 다시 열릴 예정입니다.", "아무도 다리가 그렇게 일찍 닫힐 줄 몰랐다."]
ARABIC = ["ستجتمع اللجنة مرة أخرى يوم الثلاثاء.", "لم يتوقع أحد أن يغلق الجسر مبكرا."]
HINDI = ["समिति मंगलवार को फिर से बैठक करेगी ।", "किसी ने नहीं सोचा था कि पुल बंद हो जाएगा ।"]
FRENCH = ["Y a-t-il un train après neuf heures ?", "Personne ne s'y attendait !", "Le comité se réunira mardi."]

UNSPACED = {
    "Japanese": ["委員会は火曜日に再び会議を開く予定です。", "橋がこんなに早く閉鎖されるとは誰も思わなかった。"],
    "Chinese": ["委员会将于星期二再次召开会议。", "没有人料到这座桥会这么早就关闭。"],
    "Thai": ["คณะกรรมการจะประชุมอีกครั้งในวันอังคาร", "ไม่มีใครคาดคิดว่าสะพานจะปิดเร็วขนาดนี้"],
    "Lao": ["ຄະນະກຳມະການຈະປະຊຸມອີກຄັ້ງໃນວັນອັງຄານ", "ບໍ່ມີໃຜຄາດຄິດວ່າຂົວຈະປິດໄວແບບນີ້"],
    "Khmer": ["គណៈកម្មាធិការនឹងជួបប្រជុំម្តងទៀតនៅថ្ងៃអង្គារ", "គ្មាននរណារំពឹងថាស្ពាននឹងបិទឆាប់បែបនេះទេ"],
    "Burmese": ["ကော်မတီသည်အင်္ဂါနေ့တွင်ထပ်မံတွေ့ဆုံမည်ဖြစ်သည်", "တံတားကိုဒီလောက်စောစောပိတ်လိမ့်မယ်လို့ဘယ်သူမှမထင်ခဲ့ဘူး"],
}


def changed(texts):
    """Return texts that differ a little from the given ones, as those of a system do."""
    return [text[: len(text) // 2] + text[len(text) // 2 + 2 :] for text in texts]


def normal(count=200):
    """Return normal hypotheses and references, of lengths that vary."""
    generator = random.Random(0)
    references = [" ".join(generator.choices(ENGLISH, k=generator.randint(1, 4))) for _ in range(count)]
    return changed(references), references


def different(count=200):
    """Return hypotheses and references with words of a large vocabulary, so neighbours have few words in common."""
    generator = random.Random(1)
    references = [
        " ".join(f"word{generator.randrange(5000)}" for _ in range(generator.randint(3, 25))) for _ in range(count)
    ]
    return [text.replace("1", "2") for text in references], references


def recorded(call, *arguments, **options):
    """Return the result of a call and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call(*arguments, **options)
    return result, [warning.message for warning in caught]


def kinds(call, *arguments, **options):
    """Return the kinds of the warnings of a call."""
    return [warning.kind for warning in recorded(call, *arguments, **options)[1]]


# For each kind, data that has the problem and a metric that it does not fit.
PROBLEMS = {
    "unspaced": (changed(UNSPACED["Japanese"]), UNSPACED["Japanese"], "bleu"),
    "tokenized": (
        ["it rains , it seems ."] * 3 + ["we left at nine ."] * 3,
        ["it rains, it seems."] * 3 + ["we left at nine."] * 3,
        "bleu",
    ),
    "identical": (normal()[1], normal()[1], "chrf"),
    "names": (
        [f"spk-{number:02} it rains ({number})" for number in range(12)],
        [f"spk-{number:02} it rained ({number})" for number in range(12)],
        "wer",
    ),
    "form": (["it rained all day in the valley"] * 12, ["It rained all day, in the Valley."] * 12, "wer"),
    "shifted": (different()[0][1:], different()[1][:-1], "chrf"),
    "lengths": (["a short text"] * 12, ["a reference that is much longer, by any measure of length"] * 12, "chrf"),
    "loops": ([*normal()[0][:18], "so so so so", "we left " * 5], normal()[1][:20], "chrf"),
    "zero": (["two words"], ["two words"], "bleu"),
    "single": (["a corpus of only one segment"], ["the corpus of only one segment"], "bleu"),
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("line", "where"), [("s1-{} it rains", "begin"), ("it rains (s1-{})", "end")])
def test_names_of_utterances(line, where, order):
    names = [line.format(number) for number in range(12)]
    texts = [name.replace("rains", "rained") for name in names[::order]]
    message = str(recorded(refscore.wer, texts, names)[1][0])
    assert f"hypotheses and references {where} with" in message
    assert ("sort both by name" in message) == (order == -1)
    assert "names" not in kinds(refscore.wer, texts[:9], names[:9])
    assert "names" not in kinds(refscore.wer, [names[0], *texts[1:]], ["it rains", *names[1:]])
    assert "names" not in kinds(refscore.wer, texts, [*names[:-1], names[0]])
    assert "names" not in kinds(refscore.wer, [str(number) for number in range(12)], ["none"] * 12)
    for sides in ((texts, ["it rains"] * 12), (["it rains"] * 12, texts)):
        message = str(recorded(refscore.wer, *sides)[1][0])
        side = "hypotheses" if sides[0] is texts else "references"
        name = next(word for word in texts[0].split() if "-" in word)
        assert message.startswith(f"only {side} {where} with names, such as {name}, which count as words: remove")


def test_there_is_a_problem_of_each_kind():
    assert [*PROBLEMS, "samples"] == list(KINDS)  # only logs have samples: tests/readers/test_harness_logs.py
    assert all(issubclass(kind, refscore.data_warnings.DataWarning) for kind in KINDS.values())


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_interface_warns_once(kind):
    hypotheses, references, name = PROBLEMS[kind]
    metric = refscore.metrics.parse_metric(name)[1]
    assert kinds(metric.corpus, hypotheses, references) == ([] if kind == "loops" else [kind])
    assert kinds(metric.segments, hypotheses, references) == ([] if kind in ("loops", "single") else [kind])
    assert kinds(refscore.scores, hypotheses, references, [name, "ribes", "meteor"]) == [kind]
    if len(hypotheses) > 1:
        outputs = {"one": hypotheses, "two": hypotheses}
        assert kinds(refscore.compare, outputs, references, name, resamples=10, trials=10) == [kind]
    if kind not in ("zero", "single"):
        of_segments = kinds(refscore.segment_scores, hypotheses, references, [name, "ribes"])
        assert of_segments == ([] if kind == "loops" else [kind])
        evaluation = refscore.Evaluation([name, "ribes"])
        assert kinds(evaluation.add, hypotheses, references) == [kind]
        assert kinds(evaluation.add, hypotheses, references) == []


@pytest.mark.parametrize("kind", PROBLEMS)
def test_numbers_do_not_change(kind):
    hypotheses, references, _ = PROBLEMS[kind]
    for metric_class in METRICS.values():
        metric = derive_sources(metric_class())
        if metric.needs_references and not metric.needs_fit:
            score = recorded(metric.corpus, hypotheses, references)[0]
            assert score == metric.score(refscore.metrics.sum_rows(metric.stats(hypotheses, references)))
            values = recorded(metric.segments, hypotheses, references)[0]
            assert values.tolist() == metric.values(metric.stats(hypotheses, references)).tolist()


@pytest.mark.parametrize("kind", PROBLEMS)
def test_each_kind_can_be_silenced(kind):
    hypotheses, references, name = PROBLEMS[kind]
    for silenced in (KINDS[kind], refscore.data_warnings.DataWarning):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", silenced)
            refscore.scores(hypotheses, references, name)
    with unchecked():
        refscore.scores(hypotheses, references, name)
    with warnings.catch_warnings():
        for other in KINDS:
            if other != kind:
                warnings.simplefilter("ignore", KINDS[other])
        with pytest.raises(KINDS[kind]):
            refscore.scores(hypotheses, references, name)


def test_a_warning_names_the_callers_line_so_python_shows_it_once(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import refscore\nfor _ in range(3):\n    refscore.bleu(['two words'], ['two words'])\n")
    shown = subprocess.run([sys.executable, program], capture_output=True, check=True, text=True, timeout=300).stderr
    assert shown.count("ZeroScoreWarning") == 1
    assert f"{program}:3: " in shown


NORMAL = {
    "English": ENGLISH * 20,
    "German": GERMAN * 20,
    "Russian": RUSSIAN * 20,
    "Korean": KOREAN * 20,
    "Arabic": ARABIC * 20,
    "Hindi": HINDI * 20,
    "French": FRENCH * 20,
}


@pytest.mark.parametrize("language", NORMAL)
def test_normal_data_has_no_warnings(language):
    texts = NORMAL[language]
    metrics = ["bleu", "chrf++", "ter", "wer", "meteor", "ribes", "gleu", "nist"]
    refscore.scores(changed(texts), texts, metrics)
    refscore.scores(changed(texts), [[text, changed([text])[0] + " x", None] for text in texts], metrics)
    refscore.segment_scores(changed(texts), texts, metrics)


def test_normal_data_in_any_order_has_no_warnings():
    hypotheses, references = normal()
    for _ in range(3):
        refscore.scores(hypotheses, references)
        order = sorted(range(len(hypotheses)), key=lambda i: len(hypotheses[i]))
        hypotheses, references = [hypotheses[i] for i in order], [references[i] for i in order]


@pytest.mark.parametrize("language", UNSPACED)
@pytest.mark.parametrize("tokenizer", ["13a", "intl", "none"])
def test_scripts_without_spaces(language, tokenizer):
    texts = UNSPACED[language]
    (warning,) = recorded(refscore.bleu, changed(texts), texts, tokenizer=tokenizer)[1]
    assert isinstance(warning, refscore.data_warnings.UnspacedTextWarning)
    script = next(script for script in SCRIPTS if script.name == language)
    assert f"is {language}," in str(warning) and f"({tokenizer})" in str(warning)
    first, *others = script.tokenizers
    assert str(warning).endswith(f": use tokenizer={first!r} (or {' or '.join(others)})")
    refscore.bleu(changed(texts), texts, tokenizer="char")
    refscore.chrf(changed(texts), texts)
    refscore.cer(changed(texts), texts)


@pytest.mark.parametrize(
    ("language", "tokenizer", "module"),
    [
        ("Japanese", "ja-mecab", "MeCab"),
        ("Chinese", "zh", None),
        ("Chinese", "unicode", None),
        ("Chinese", "tercom-norm-asian", None),
        ("Thai", "th-newmm", "pythainlp"),
        *((language, "icu", "icu4py") for language in UNSPACED),
    ],
)
def test_tokenizers_that_split_these_scripts(language, tokenizer, module):
    if module is not None:
        pytest.importorskip(module)
    texts = UNSPACED[language]
    refscore.bleu(changed(texts), texts, tokenizer=tokenizer)


def test_text_that_is_already_split_into_words():
    texts = [
        "委員会 は 火曜日 に 再び 会議 を 開く 予定 です 。",
        "橋 が こんな に 早く 閉鎖 さ れる と は 誰 も 思わ なかっ た 。",
    ]
    refscore.scores(changed(texts), texts)
    refscore.bleu([text.split() for text in texts], [[text.split()] for text in changed(texts)])


def test_a_tokenizer_that_drops_the_script():
    texts = UNSPACED["Chinese"]
    assert kinds(refscore.rouge, changed(texts), texts) == ["unspaced"]


def test_functions_as_tokenizers():
    texts = UNSPACED["Chinese"]
    refscore.bleu(changed(texts), texts, tokenizer=list)
    refscore.bleu(changed(texts), texts, tokenizer=lambda text: [*map(ord, text)])
    assert kinds(refscore.bleu, changed(texts), texts, tokenizer=str.split) == ["unspaced"]


def test_foreign_names_in_text_with_spaces():
    texts = [f"{text} The Japanese name is 橋本." for text in ENGLISH]
    refscore.scores(changed(texts), texts)


def test_answers_are_not_split():
    texts = UNSPACED["Japanese"]
    assert kinds(refscore.exact_match, changed(texts), texts) == []
    assert kinds(refscore.token_f1, changed(texts), texts) == ["unspaced"]


def test_metrics_are_named_together():
    texts = UNSPACED["Japanese"]
    (warning,) = recorded(refscore.scores, changed(texts), texts, ["bleu", "chrf", "ter", "wer"])[1]
    assert "the tokenizers of BLEU (13a), TER (tercom) and WER (jiwer) need spaces" in str(warning)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_find_unspaced_by_definition(script):
    for first, last in script.ranges:
        assert first % 32 == 0 and last % 32 == 31
        for code in (first, last):
            assert find_unspaced(f"a{chr(code)}")[1] == 0.5
        assert find_unspaced(f"é{chr(last + 1)}")[1] in (0, 0.5)  # Han follows kana, Lao follows Thai


def test_find_unspaced_with_lone_surrogates():
    assert find_unspaced("\ud800\udfffa\0") == (None, 0.0)


def test_tokenized_text():
    tokenized, raw = ["it rains again ."] * 10, ["it rains again."] * 10
    assert kinds(refscore.bleu, tokenized, raw) == ["tokenized"]
    assert kinds(refscore.bleu, raw, tokenized) == ["tokenized"]
    assert "references that end" in str(recorded(refscore.bleu, raw, tokenized)[1][0])
    assert kinds(refscore.bleu, tokenized[:4], raw[:4]) == []
    assert kinds(refscore.bleu, [*tokenized, *raw, "we left."], [*raw, *raw, "we left"]) == []  # half of all periods
    assert kinds(refscore.bleu, tokenized, raw, tokenizer="none") == []
    assert kinds(refscore.wer, tokenized, raw) == []
    assert kinds(refscore.chrf, tokenized, raw) == []


def test_identical_text():
    hypotheses, references = normal(100)
    assert kinds(refscore.chrf, references[:19], references[:19]) == []
    assert kinds(refscore.chrf, references[:95] + hypotheses[95:], references) == ["identical"]
    assert kinds(refscore.chrf, references[:90] + hypotheses[90:], references) == []
    several = [[hypothesis, reference] for hypothesis, reference in zip(hypotheses, references, strict=True)]
    assert kinds(refscore.chrf, references, several) == ["identical"]
    mixed = [[reference] if i % 2 else reference[:-1] + " and more" for i, reference in enumerate(references)]
    assert kinds(refscore.chrf, [text[:9] for text in references[:50]], [[text] for text in references[:50]]) == [
        "lengths"
    ]
    assert kinds(refscore.chrf, references, mixed) == []
    tokens = [text.split() for text in references]
    assert kinds(refscore.bleu, tokens, [[words] for words in tokens]) == ["identical"]
    assert kinds(refscore.bleu, tokens, [[[*words[1:], "x"]] for words in tokens]) == []


def test_identical_text_counts_all_segments():
    hypotheses, references = normal(3 * MANY)
    (warning,) = recorded(refscore.chrf, references[:-3] + hypotheses[-3:], references)[1]
    assert f"{3 * MANY - 3:,} of {3 * MANY:,} hypotheses are" in str(warning)


def test_lengths():
    hypotheses, references = normal(400)
    assert kinds(refscore.chrf, hypotheses[7:] + hypotheses[:7], references) == ["lengths"]
    generator = random.Random(1)
    # Lengths of sentences in news vary by about this much.
    references = ["word " * max(1, round(generator.lognormvariate(3, 0.6))) for _ in range(400)]
    hypotheses = [text + "more words" for text in references]
    assert kinds(refscore.chrf, hypotheses, references) == []
    assert kinds(refscore.chrf, hypotheses[1:] + hypotheses[:1], references) == ["lengths"]
    assert kinds(refscore.chrf, [""] * 10, references[:10]) == ["lengths"]
    assert kinds(refscore.chrf, ["yes."] * 10, ["yes, I do."] * 10) == []
    assert kinds(refscore.chrf, ["a cat"] * 9, ["a cat " * 10] * 9) == []
    ids = [[*range(8)]] * 10
    assert kinds(refscore.wer, ids, [[[1, 2, 3]]] * 10) == []
    assert kinds(refscore.wer, ids, [[[*range(50)]]] * 10) == ["lengths"]


@pytest.mark.parametrize("place", ["next", "previous"])
@pytest.mark.parametrize("size", [12, 40, 3000])
def test_shifted_lines(size, place):
    """Lines are shifted from the first line on, or from the middle on, on one side or the other."""
    hypotheses, references = different(size)
    for begin in (0, size // 2) if size > 12 else (0,):
        without = [[*side[:begin], *side[begin + 1 :]] for side in (hypotheses, references)]
        sides = (without[0], references[:-1]) if place == "next" else (hypotheses[:-1], without[1])
        (warning,) = recorded(refscore.chrf, *sides)[1]
        assert warning.kind == "shifted" and f"the reference of the {place} segment: " in str(warning)
        listed = [[text, "another reference"] for text in sides[1]]
        assert kinds(refscore.chrf, sides[0], listed) == ["shifted"]
    assert kinds(refscore.chrf, hypotheses, references) == []
    assert "shifted" not in kinds(refscore.chrf, hypotheses, references[::-1])
    assert "shifted" not in kinds(refscore.chrf, normal(size)[0], normal(size)[1][::-1])
    assert "shifted" not in kinds(refscore.chrf, ["yes", "no"] * (size // 2), ["no", "yes"] * (size // 2))


def test_zero_scores():
    bleu = refscore.BLEU()
    assert kinds(bleu.segment, "two words", "two words") == ["zero"]
    assert kinds(bleu.segment, ["two", "words"], [["two", "words"]]) == ["zero"]
    assert kinds(bleu.segment, "two words", "no match") == []
    assert kinds(bleu.segment, "a perfect match of six words", "a perfect match of six words") == []
    assert kinds(bleu.segments, ["two words", "no", "four words and more"], ["two words", "yes", "none"]) == ["zero"]
    assert kinds(bleu.segments, ["four words match here"], ["four words match here"]) == []
    assert kinds(bleu.corpus, ["two words", "no"], ["two words", "no"]) == ["zero"]
    assert kinds(bleu.corpus, ["two words", "four words match here"], ["two words", "four words match here"]) == []
    for metric in (bleu.for_segments(), refscore.BLEU(smoothing="none"), refscore.BLEU.preset("nltk"), refscore.GLEU()):
        metric.segment("two words", "two others")
        metric.segments(["two words"], ["two others"])
        metric.corpus(["two words"], ["two others"])


def test_single_segments():
    sides = PROBLEMS["single"][:2]
    bleu = refscore.BLEU()
    assert kinds(bleu.segment, sides[0][0], sides[1][0]) == []
    assert kinds(bleu.corpus, [text.split() for text in sides[0]], [[text.split()] for text in sides[1]]) == ["single"]
    assert kinds(bleu.corpus, sides[0], bleu.prepare(sides[1])) == ["single"]
    assert kinds(bleu.corpus, sides[0] * 2, sides[1] * 2) == []
    assert kinds(bleu.corpus, ["no"], ["match"]) == ["single"]
    chosen = (bleu.for_segments(), refscore.BLEU.preset("nltk"), refscore.CHRF(), refscore.TER())
    assert kinds(refscore.scores, *sides, dict(zip("abcd", chosen, strict=True))) == []


def test_zero_scores_of_many_segments_and_prepared_references():
    texts = ["two words"] * 2000
    (warning,) = recorded(refscore.BLEU().segments, texts, texts[:10] + ["others"] * 1990)[1]
    assert "for at least 10 segments" in str(warning)
    prepared = refscore.BLEU().prepare(["two words"])
    assert kinds(refscore.BLEU().segment, "two words", prepared) == ["zero"]
    assert kinds(refscore.BLEU().corpus, ["two words"], prepared) == ["zero"]


def test_loops():
    outputs, references = PROBLEMS["loops"][:2]

    def found(outputs, references):
        return [str(each) for each in recorded(refscore.evaluate, outputs, references, "chrf")[1]]

    assert found(outputs, references) == [
        "2 of 20 hypotheses have a loop, such as segment 19, which has 'so' 4 times in a row"
    ]
    assert found(outputs, [*references[:18], ["we left", "so so so so"], "we left " * 4]) == []
    assert found(outputs[:-1], references[:-1]) == []
    tokens = [[text.split() for text in outputs], [[text.split()] for text in references]]
    assert found(*tokens) == found(outputs, references)
    few = [*["it rained"] * 2000, "so " * 9, *["we left"] * 200]
    assert found(few, ["it is"] * len(few)) == []
    many = ["so " * 9 if k % 9 == 8 else "it rained" for k in range(3000)]
    (message,) = found(many, ["it is"] * 3000)
    assert "have a loop, such as segment 9, " in message
    long = ["one two three four five six seven eight nine ten " * 4] * 2
    assert "'one two three four five six seven eight …' 4 times" in found(long, ["it is"] * 2)[0]


def test_segment_scores():
    hypotheses, references = ["two words", "no"], [["two words", "a"], ["yes", None]]
    values = refscore.segment_scores(hypotheses, references, {"B": "bleu", "chrF": refscore.CHRF(), "N": "nist"})
    assert list(values) == ["B", "chrF", "N"]
    assert values["B"].tolist() == refscore.BLEU().for_segments().segments(hypotheses, references).tolist() == [1, 0]
    assert values["N"].tolist() == refscore.NIST().fit(references).segments(hypotheses, references).tolist()
    assert all(array.dtype == np.float64 for array in values.values())
    again = refscore.segment_scores(iter(hypotheses), iter(references), ["bleu", "chrf"], threads=1)
    assert again["bleu"].tolist() == [1, 0] and again["chrf"].tolist() == values["chrF"].tolist()


def test_iterators_are_checked():
    hypotheses, references = PROBLEMS["identical"][:2]
    assert kinds(refscore.chrf, iter(hypotheses), iter(references)) == ["identical"]


def test_input_that_cannot_be_checked_is_scored():
    hypotheses, references = PROBLEMS["identical"][:2]
    metric = refscore.CHRF()
    assert metric.corpus(hypotheses, metric.prepare(references)) == 1
    batch = refscore.inputs.padded(np.ones((30, 3), dtype=np.int64))
    refscore.BLEU(max_order=2).corpus(batch, batch)
    for hypotheses, references in ((3, None), ([], [])):
        assert check_data([metric], {"": read_side(hypotheses)}, read_side(references)) == []


def test_columns_are_checked():
    polars, pandas, pyarrow = map(pytest.importorskip, ("polars", "pandas", "pyarrow"))
    hypotheses, references, _ = PROBLEMS["identical"]
    for column in (polars.Series, pandas.Series, pyarrow.array, np.array):
        assert kinds(refscore.scores, column(hypotheses), column(references), ["chrf", "wer"]) == ["identical"]
    table = {"hyp": hypotheses, "ref": references}
    frames = refscore.frames
    for frame in (pandas.DataFrame(table), polars.DataFrame(table), pyarrow.table(table)):
        for call in (frames.corpus, frames.with_scores):
            assert kinds(call, frame, "hyp", "ref", ["chrf", "wer"]) == ["identical"]


def test_drop_ins_print_what_the_originals_print():
    from refscore.compat import nltk, sacrebleu, sacrebleu_r

    for hypotheses, references, _ in PROBLEMS.values():
        for metric in (sacrebleu.metrics.BLEU(), sacrebleu.metrics.CHRF(), sacrebleu.metrics.TER()):
            metric.corpus_score(hypotheses, [references])
        sacrebleu.sentence_bleu(hypotheses[0], [references[0]])
        tokens = [text.split() for text in hypotheses], [[text.split()] for text in references]
        nltk.translate.gleu_score.corpus_gleu(tokens[1], tokens[0])
        sacrebleu_r.bleu_corpus_ids(tokens[1], tokens[0]) if hasattr(sacrebleu_r, "bleu_corpus_ids") else None


def test_explanations_and_rewards_do_not_warn():
    refscore.BLEU().explain("two words", "two words")
    hypotheses, references, name = PROBLEMS["unspaced"]
    refscore.rewards.Reward(name, references="answer")(completions=hypotheses, answer=references)


def files(tmp_path, kind):
    hypotheses, references, name = PROBLEMS[kind]
    write_lines(tmp_path, hyp=hypotheses, ref=references)
    return [tmp_path / "hyp", "-r", tmp_path / "ref", "-m", name]


def errors_of(capsys, *arguments):
    capsys.readouterr()
    assert status_of(arguments) == 0
    return capsys.readouterr().err


@pytest.mark.parametrize("kind", PROBLEMS)
def test_the_command_line(kind, tmp_path, capsys):
    arguments = files(tmp_path, kind)
    shown = errors_of(capsys, "score", *arguments)
    assert shown.count("\n") == shown.count("refscore: warning: ") == shown.count(f" [{kind}]\n") == 1
    others = [option for other in KINDS if other != kind for option in ("--no-warn", other)]
    assert errors_of(capsys, "score", *arguments, *others) == shown
    for silenced in (["--no-warn", kind], ["--no-warn", "all"], ["-q"]):
        assert errors_of(capsys, "score", *arguments, *silenced) == ""
    if kind not in ("zero", "single"):  # which need all scores
        assert errors_of(capsys, "stats", *arguments, "-o", tmp_path / "x.refscore") == shown
        assert errors_of(capsys, "stats", *arguments, "-o", tmp_path / "x.refscore", "--no-warn", kind) == ""


def test_json_lists_warnings(tmp_path, capsys):
    arguments = files(tmp_path, "unspaced")
    content = json_of(capsys, "score", *arguments, "-q")
    assert [warning["kind"] for warning in content["warnings"]] == ["unspaced"]
    assert content["warnings"][0]["message"].startswith("the text is Japanese, ")
    assert "warnings" not in json_of(capsys, "score", *arguments, "--no-warn", "unspaced")
    content = json_of(capsys, "compare", *arguments, f"two={tmp_path / 'hyp'}", "-q", "--resamples", 10)
    assert [warning["kind"] for warning in content["warnings"]] == ["unspaced"]


def test_systems_are_named(tmp_path, capsys):
    hypotheses, references = normal(50)
    write_lines(tmp_path, one=hypotheses, two=references, ref=references)
    arguments = [tmp_path / "one", tmp_path / "two", "-r", tmp_path / "ref", "-m", "chrf"]
    shown = errors_of(capsys, "compare", *arguments, "--resamples", 10, "--trials", 10)
    assert shown.startswith("refscore: warning: 50 of 50 hypotheses of two are identical to a reference")
    assert shown.count("\n") == 1


def test_an_archive_is_not_text(tmp_path):
    import tarfile

    write_lines(tmp_path, hyp=ENGLISH)
    with tarfile.open(tmp_path / "hyp.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "hyp", "hyp")
    result = command("score", tmp_path / "hyp.tar.gz", "-r", tmp_path / "hyp.tar.gz")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"is a tar archive: unpack it: tar -xf" in result.stderr


@pytest.mark.slow
def test_reports_list_warnings(tmp_path, capsys):
    pytest.importorskip("vl_convert")
    arguments = files(tmp_path, "unspaced")
    shown = errors_of(capsys, "report", *arguments, "-o", tmp_path / "x.html")
    assert shown.count("refscore: warning: ") == 1
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert '<aside class="warnings"' in page and "<li>The text is Japanese, which has no spaces" in page
    assert errors_of(capsys, "report", *arguments, "-o", tmp_path / "x.html", "--no-warn", "unspaced") == ""
    assert '<aside class="warnings"' not in (tmp_path / "x.html").read_text(encoding="utf-8")
    hypotheses, references, name = PROBLEMS["unspaced"]
    report, found = recorded(refscore.report.build_report, {"a": hypotheses, "b": references}, references, metrics=name)
    assert [warning.kind for warning in found] == [warning.kind for warning in report.warnings] == ["unspaced"]
    assert json.dumps([warning.to_dict() for warning in report.warnings])


def test_written_form():
    spoken, written = ["it rained all day in the valley"] * 12, ["It rained all day, in the Valley."] * 12
    assert kinds(refscore.cer, spoken, written) == ["form"]
    assert kinds(refscore.wer, [text.upper() for text in spoken], spoken) == ["form"]
    assert kinds(refscore.wer, spoken, written, normalize="whisper-en") == []
    assert kinds(refscore.wer, spoken[:9], written[:9]) == []
    assert kinds(refscore.wer, ["nothing of this kind is there"] * 12, written) == []
    assert kinds(refscore.chrf, spoken, written) == []


def test_tokens_in_place_of_references():
    hypotheses = ["the cat sat", "it rained all day"]
    tokens = [text.split() for text in hypotheses]
    assert kinds(refscore.wer, hypotheses, tokens) == ["tokenized"]
    assert kinds(refscore.wer, hypotheses[:1], tokens[:1]) == ["tokenized"]
    assert kinds(refscore.wer, tokens, [[words] for words in tokens]) == []
    assert kinds(refscore.wer, ["Paris", "the cat"], [["Paris", "Lyon", "Nice"], ["a", "b", "c"]]) == []

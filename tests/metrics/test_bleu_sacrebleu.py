"""Cases of sacrebleu's BLEU and chrF that the common comparison (test_originals.py) does not have."""

import pytest
import sacrebleu

import refscore
from tests.corpora import SENTENCES
from tests.differential import streams
from tests.reference import close


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(refscore.bleu, sacrebleu.corpus_bleu), (refscore.chrf, sacrebleu.corpus_chrf)],
    ids=["bleu", "chrf"],
)
def test_forms_of_references(ours, theirs):
    """Streams, and one reference without a list."""
    hypotheses, references = SENTENCES
    expected = theirs(hypotheses, streams(references)).score
    assert close(ours(hypotheses, refscore.from_streams(streams(references))).percent, expected)
    first = [refs[0] for refs in references]
    assert close(ours(hypotheses, first).percent, theirs(hypotheses, [first]).score)


def test_chinese_keeps_the_defect_only_in_the_preset():
    """sacrebleu treats U+2026 as Chinese, but not extension B."""
    assert refscore.BLEU.preset("sacrebleu", tokenizer="zh") == refscore.BLEU(tokenizer="zh-sacrebleu")
    own = refscore.BLEU(tokenizer="zh").segment("他说……𠮷野家", "他说…𠮷野屋")
    assert own.hyp_len == len(["他", "说", "……", "𠮷", "野", "家"])

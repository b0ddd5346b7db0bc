"""Drop-ins and original libraries, called once for each segment, as many programs call them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bench import peers
from bench.data import Corpus
from bench.tasks.drop_in_jiwer_rouge import against
from bench.timing import Task
from refscore.compat import editdistance, jiwer, nltk, rouge, rouge_chinese, sacrebleu
from refscore.compat.pycocoevalcap.bleu import bleu
from refscore.compat.pycocoevalcap.cider import cider
from refscore.compat.pycocoevalcap.rouge import rouge as coco_rouge

_CALLS = 200
# The originals take milliseconds per call.
_SLOW_CALLS = 20


def _pairs(corpus: Corpus, count: int = _CALLS) -> tuple[list[str], list[str]]:
    return corpus.hypotheses[:count], corpus.first_references()[:count]


def _words(corpus: Corpus, count: int) -> tuple[list[list[str]], list[list[str]]]:
    hypotheses, references = _pairs(corpus, count)
    return [text.split() for text in hypotheses], [text.split() for text in references]


def _each(call: Callable[[Any, Any, Any], Any], library: Any, pairs: Any) -> list[Any]:
    return [call(library, hypothesis, reference) for hypothesis, reference in zip(*pairs, strict=True)]


def _task(name: str, title: str, libraries: tuple[Any, Any], call: Callable[[Any, Any, Any], Any], source: Any) -> Task:
    return against(name, f"one call of {title}", libraries, partial(_each, call), source, len(source[0]))


def _f_scores(library: Any, hypothesis: str, reference: str) -> list[float]:
    return [score["f"] for score in library.Rouge().get_scores(hypothesis, reference)[0].values()]


def rouge_call(corpus: Corpus, seed: int) -> Task:
    """Time ROUGE-1, 2 and L of one pair."""
    libraries = (rouge, peers.optional("rouge"))
    return _task("rouge-call", "Rouge().get_scores", libraries, _f_scores, _pairs(corpus, _SLOW_CALLS))


def rouge_chinese_call(corpus: Corpus, seed: int) -> Task:
    """Time ROUGE-1, 2 and L of one pair. The words can be of any language."""
    libraries = (rouge_chinese, peers.optional("rouge_chinese"))
    return _task("rouge-chinese-call", "Rouge().get_scores", libraries, _f_scores, _pairs(corpus, _SLOW_CALLS))


def _distance(library: Any, hypothesis: Any, reference: Any) -> float:
    return float(library.eval(hypothesis, reference))


def editdistance_call(corpus: Corpus, seed: int) -> Task:
    """Time the distance of two texts."""
    libraries = (editdistance, peers.optional("editdistance"))
    return _task("editdistance-call", "editdistance.eval, text", libraries, _distance, _pairs(corpus))


def editdistance_words_call(corpus: Corpus, seed: int) -> Task:
    """Time the distance of two token lists."""
    libraries = (editdistance, peers.optional("editdistance"))
    title = "editdistance.eval, token lists"
    return _task("editdistance-words-call", title, libraries, _distance, _words(corpus, _CALLS))


def nltk_edit_distance_call(corpus: Corpus, seed: int) -> Task:
    """Time the distance of two token lists."""

    def call(library: Any, hypothesis: Any, reference: Any) -> float:
        return float(library.edit_distance(hypothesis, reference))

    libraries = (nltk, peers.optional("nltk.metrics.distance"))
    title = "nltk.edit_distance, token lists"
    return _task("nltk-edit-distance-call", title, libraries, call, _words(corpus, _SLOW_CALLS))


def jiwer_alignments_call(corpus: Corpus, seed: int) -> Task:
    """Time the alignments of one pair."""

    def call(library: Any, hypothesis: str, reference: str) -> float:
        return float(len(library.process_words(reference, hypothesis).alignments[0]))

    libraries = (jiwer, peers.optional("jiwer"))
    return _task("jiwer-alignments-call", "jiwer.process_words, alignments read", libraries, call, _pairs(corpus))


def sacrebleu_corpus_bleu_call(corpus: Corpus, seed: int) -> Task:
    """Time `corpus_bleu` of a single segment."""

    def call(library: Any, hypothesis: str, reference: str) -> float:
        return float(library.corpus_bleu([hypothesis], [[reference]]).score)

    libraries = (sacrebleu, peers.sacrebleu)
    return _task("sacrebleu-corpus-bleu-call", "corpus_bleu of one segment", libraries, call, _pairs(corpus))


def sacrebleu_ngrams_call(corpus: Corpus, seed: int) -> Task:
    """Time the n-grams and lengths of 20 references and the n-grams of a hypothesis, as mbrs reads them."""
    _, references = _pairs(corpus, 20)

    def call(library: Any, hypothesis: str, reference: str) -> float:
        metric = library.BLEU(effective_order=True)
        known = metric._cache_references([references])
        ngrams = [info["ref_ngrams"] for info in known]
        lengths = [info["ref_lens"][0] for info in known]
        counted, _ = library.metrics.helpers.extract_all_word_ngrams(metric._preprocess_segment(hypothesis), 1, 4)
        return float(sum(map(len, ngrams)) + sum(lengths) + len(counted))

    libraries = (sacrebleu, peers.sacrebleu)
    return _task("sacrebleu-ngrams-call", "n-grams of 20 references", libraries, call, _pairs(corpus, _SLOW_CALLS))


def _coco_task(name: str, ours: type, theirs: Any, options: dict[str, Any], corpus: Corpus) -> Task:
    def call(library: Any, hypothesis: str, reference: str) -> Any:
        return library().compute_score({1: [reference], 2: ["a b"]}, {1: [hypothesis], 2: ["a c"]}, **options)[0]

    source = _pairs(corpus, _SLOW_CALLS)
    return _task(f"pycocoevalcap-{name}-call", f"{ours.__name__}().compute_score", (ours, theirs), call, source)


def pycocoevalcap_bleu_call(corpus: Corpus, seed: int) -> Task:
    """Time BLEU of two images."""
    theirs = getattr(peers.optional("pycocoevalcap.bleu.bleu"), "Bleu", None)
    return _coco_task("bleu", bleu.Bleu, theirs, {"verbose": 0}, corpus)


def pycocoevalcap_cider_call(corpus: Corpus, seed: int) -> Task:
    """Time CIDEr of two images."""
    theirs = getattr(peers.optional("pycocoevalcap.cider.cider"), "Cider", None)
    return _coco_task("cider", cider.Cider, theirs, {}, corpus)


def pycocoevalcap_rouge_call(corpus: Corpus, seed: int) -> Task:
    """Time ROUGE-L of two images."""
    theirs = getattr(peers.optional("pycocoevalcap.rouge.rouge"), "Rouge", None)
    return _coco_task("rouge", coco_rouge.Rouge, theirs, {}, corpus)


TASKS = (
    rouge_call, rouge_chinese_call, editdistance_call, editdistance_words_call, nltk_edit_distance_call,
    jiwer_alignments_call, sacrebleu_corpus_bleu_call, sacrebleu_ngrams_call,
    pycocoevalcap_bleu_call, pycocoevalcap_cider_call, pycocoevalcap_rouge_call,
)  # fmt: skip

"""What Hugging Face's modules compute, by the libraries that they call."""

import re
from statistics import mean, median
from xml.sax.saxutils import unescape

import jiwer
import numpy as np
import sacrebleu
from nltk.translate import gleu_score, nist_score
from rouge_score import rouge_scorer, scoring

from tests.reference import bleu_tools

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def tokens(text):
    """Tokenize by the four rules of mteval-v13a, without stripping first."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    return western(text)


def western(text):
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def transposed(groups):
    """Convert the references of each segment to sacrebleu's streams."""
    return [list(stream) for stream in zip(*groups, strict=True)]


def bleu(texts, groups, *, tokenizer=tokens, **options):
    return bleu_tools.nmt_bleu(
        list(map(tokenizer, texts)), [list(map(tokenizer, group)) for group in groups], **options
    )


def google_bleu(texts, groups, *, tokenizer=tokens, **options):
    references = [list(map(tokenizer, group)) for group in groups]
    return {"google_bleu": gleu_score.corpus_gleu(references, list(map(tokenizer, texts)), **options)}


def character(texts, groups, *, aggregate="mean", return_all_scores=False):
    from cer import calculate_cer

    scores = [
        min(calculate_cer(text.split(), reference.split()) for reference in group)
        for text, group in zip(texts, groups, strict=True)
    ]
    result = {"cer_score": {"mean": mean, "sum": sum, "median": median}[aggregate](scores)}
    return {**result, "cer_scores": scores} if return_all_scores else result


def attributes(score, names):
    return {name: getattr(score, name) for name in names.split()}


def sacre_bleu(texts, groups, *, force=True, **options):
    score = sacrebleu.corpus_bleu(texts, transposed(groups), force=True, **{"use_effective_order": False, **options})
    return attributes(score, "score counts totals precisions bp sys_len ref_len")


def chrf(texts, groups, **options):
    score = sacrebleu.CHRF(**options).corpus_score(texts, transposed(groups))
    return attributes(score, "score char_order word_order beta")


def ter(texts, groups, **options):
    names = {"ignore_punct": "no_punct", "support_zh_ja_chars": "asian_support"}
    metric = sacrebleu.TER(**{names.get(name, name): value for name, value in options.items()})
    return attributes(metric.corpus_score(texts, transposed(groups)), "score num_edits ref_length")


class Splitting:
    """A tokenizer with rouge-score's interface."""

    def tokenize(self, text):
        return text.split()


def rouge(texts, groups, *, rouge_types=ROUGE_TYPES, use_stemmer=False, use_aggregator=True, tokenizer=None, seed=7):
    scorer = rouge_scorer.RougeScorer(rouge_types, use_stemmer=use_stemmer, tokenizer=tokenizer and Splitting())
    scores = [scorer.score_multi(group, text) for text, group in zip(texts, groups, strict=True)]
    if not use_aggregator:
        return {name: [score[name].fmeasure for score in scores] for name in rouge_types}
    aggregator = scoring.BootstrapAggregator()
    for score in scores:
        aggregator.add_scores(score)
    np.random.seed(seed)
    return {name: aggregate.mid.fmeasure for name, aggregate in aggregator.aggregate().items()}


def error_rate(name, process):
    def rate(texts, references, *, concatenate_texts=True):
        if concatenate_texts:
            return getattr(process(references, texts), name)
        counts = [process(*pair) for pair in zip(references, texts, strict=True)]
        wrong = sum(count.substitutions + count.deletions + count.insertions for count in counts)
        return wrong / sum(count.substitutions + count.deletions + count.hits for count in counts)

    return rate


def nist_mt(texts, groups, *, n, **options):
    references = [[nist_words(text, **options) for text in group] for group in groups]
    return {"nist_mt": float(nist_score.corpus_nist(references, [nist_words(text, **options) for text in texts], n))}


def nist_words(text, *, lowercase, western_lang):
    entities = {"&apos;": "'", "&quot;": '"', "&#124;": "|", "&#91;": "[", "&#93;": "]"}
    text = unescape(text.replace("<skipped>", ""), entities).replace("\u2028", " ")
    return western(text.lower() if lowercase else text) if western_lang else text.split()


ORACLES = {"bleu": bleu, "google_bleu": google_bleu, "sacrebleu": sacre_bleu, "chrf": chrf, "ter": ter, "rouge": rouge}
ORACLES |= {"nist_mt": nist_mt, "wer": error_rate("wer", jiwer.process_words)}
ORACLES |= {"cer": error_rate("cer", jiwer.process_characters), "character": character}

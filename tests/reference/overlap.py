"""The overlap of segments with a corpus by sets of n-grams, in plain Python."""

from math import floor

from tests.reference.tokenizers import prepare


def ngrams(tokens, order):
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def counts(segments, corpus, order, max_documents=None):
    """Return a row of tokens, n-grams, matches and covered tokens for each segment. All texts are token sequences."""
    documents = {}
    for document in corpus:
        for ngram in set(ngrams(document, order)):
            documents[ngram] = documents.get(ngram, 0) + 1
    found = {ngram for ngram, count in documents.items() if max_documents is None or count <= max_documents}
    rows = []
    for segment in segments:
        all_ngrams = ngrams(segment, order)
        matching = [i for i, ngram in enumerate(all_ngrams) if ngram in found]
        covered = {i + k for i in matching for k in range(order)}
        rows.append([len(segment), len(all_ngrams), len(matching), len(covered)])
    return rows


def percentile_order(lengths, shortest, longest):
    """Return the order of GPT-3: the 5th percentile of the lengths, within bounds."""
    ranked = sorted(lengths)
    return max(shortest, min(longest, ranked[floor(0.05 * (len(ranked) - 1))]))


def tokens(texts, *, tokenizer="none", lowercase=False, normalize="none"):
    return [prepare(text, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize) for text in texts]


WORD = 2**64 - 1
FIRST, SECOND = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B
BASE, MIX = 0x243F6A8885A308D3, 0xB7E151628AED2A6B
FIRST_MIX, SECOND_MIX = 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1


def fold(a, b):
    return (a * b & WORD) ^ (a * b >> 64)


def token_hash(token):
    data = token.encode()

    def number(begin):
        return int.from_bytes(data[begin : begin + 8], "little")

    if len(data) <= 16:
        return fold(fold(number(0) ^ FIRST, number(8) ^ SECOND) ^ len(data), FIRST)
    value = FIRST ^ len(data)
    for begin in [*range(0, len(data) - 16, 16), len(data) - 16]:
        value = fold(number(begin) ^ SECOND ^ value, number(begin + 8) ^ FIRST)
    return fold(value, SECOND)


def filter_bits(words, order, blocks, hashes):
    """Return the positions of all bits that the n-grams set in a Bloom filter."""
    bits = set()
    for ngram in ngrams([*map(token_hash, words)], order):
        value = 0
        for number in ngram:
            value = (value * BASE + number) & WORD
        value = fold(value ^ MIX, BASE)
        block = (value >> 32) * blocks >> 32
        positions = fold(value ^ FIRST_MIX, SECOND_MIX), fold(value ^ SECOND_MIX, FIRST_MIX)
        bits |= {512 * block + (positions[k // 7] >> 9 * (k % 7) & 511) for k in range(hashes)}
    return sorted(bits)

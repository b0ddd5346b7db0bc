"""Loops by their definition: an n-gram that occurs several times in a row, for every place and order.

The compression ratio is that of Whisper's decoder: the bytes of a text by the bytes that zlib compresses them to.
"""

import zlib


def looped_tokens(tokens, *, max_order=100, repeats=4):
    """Return whether each token is inside a loop."""
    tokens, looped = [*tokens], [False] * len(tokens)
    for order in range(1, max_order + 1):
        for begin in range(len(tokens) - order * repeats + 1):
            ngrams = [tokens[begin + order * k : begin + order * (k + 1)] for k in range(repeats)]
            if all(ngram == ngrams[0] for ngram in ngrams):
                looped[begin : begin + order * repeats] = [True] * (order * repeats)
    return looped


def row(tokens, **settings):
    """Return the tokens inside loops, all tokens, whether there is a loop, and 1 for the segment."""
    looped = looped_tokens(tokens, **settings)
    return [sum(looped), len(looped), int(any(looped)), 1]


def compression_row(text):
    """Return the bytes of a text before and after compression."""
    data = text.encode("utf-8", "surrogatepass")
    return [len(data), len(zlib.compress(data))]

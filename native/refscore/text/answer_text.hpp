// How scripts for question answering read text: which characters and words they remove, and which tokens remain. The
// text is always the last one in the arena.
#pragma once

#include "refscore/text/text.hpp"
#include "refscore/text/tokenizers.hpp"

namespace refscore {

// Removes ASCII punctuation (Python's string.punctuation) and ASCII digits, each on request.
void remove_characters(Arena& arena, Span& text, bool punctuation, bool digits);

// SQuAD: removes ASCII punctuation and the words a, an and the, and splits at whitespace. Words are what
// `\b(a|an|the)\b` matches in Python: the articles of “the” and of an a with a combining accent are removed, too.
void tokenize_squad(Arena& arena, Span text, TokenSpans& out);

// MLQA for Chinese: removes all Unicode punctuation and splits at whitespace. An ideograph is a token.
void tokenize_mlqa_zh(Arena& arena, Span text, TokenSpans& out);

// evaluate: the text is one token. Trailing NUL characters are ignored, as in NumPy's arrays of strings.
void tokenize_text(const Arena& arena, Span text, TokenSpans& out);

}  // namespace refscore

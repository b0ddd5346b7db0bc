// The Penn Treebank tokenizer of coco-caption, which is Stanford CoreNLP's PTBTokenizer 3.4.1, without Java.
#pragma once

#include "refscore/text/text.hpp"

namespace refscore {

class TokenSpans;

struct PtbRules {
    bool coco;  // lowercase the tokens, drop punctuation, and split tokens at whitespace, as coco-caption's scorers do
};

// Replaces the last text in the arena by its tokens, which can be longer. The text is tokenized like a file of one
// line: line feeds inside it count as spaces, and nothing follows.
void tokenize_ptb(const PtbRules& rules, Arena& arena, Span text, TokenSpans& out);

}  // namespace refscore

// The steps of tercom's tokenizer after the text was split as in 13a, or at whitespace.
#pragma once

#include <cstdint>

#include "refscore/text/tokenizers.hpp"

namespace refscore {

struct TercomRules {
    bool normalized;
    bool no_punct;
    bool asian;
};

// Splits a final `'s` from tokens that are followed by a space, a symbol or the end of the text.
void split_possessives(const uint8_t* arena, uint32_t text_end, TokenSpans& tokens);

// Makes each Chinese or similar character a token.
void split_asian(const uint8_t* arena, TokenSpans& tokens);

// Removes punctuation from tokens in place, and drops tokens that contain nothing else.
void remove_punctuation(bool asian, uint8_t* arena, TokenSpans& tokens);

}  // namespace refscore

// What tercom's tokenizer does to tokens after the text was split like 13a's, or at white space.
#pragma once

#include <cstdint>

#include "tokenizers.hpp"

namespace refscore {

struct TercomRules {
    bool normalized;
    bool no_punct;
    bool asian;
};

// Takes `'s` off the end of tokens that a space, a symbol or the end of the text follows.
void split_possessives(const uint8_t* arena, uint32_t text_end, TokenSpans& tokens);

// Makes Chinese and similar characters tokens of their own.
void split_asian(const uint8_t* arena, TokenSpans& tokens);

// Takes punctuation out of tokens, in place, and leaves out tokens that have nothing else.
void remove_punctuation(bool asian, uint8_t* arena, TokenSpans& tokens);

}  // namespace refscore

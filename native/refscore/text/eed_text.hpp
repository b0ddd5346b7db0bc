// The text rules of EED: which characters a text has after its punctuation is separated.
#pragma once

#include <cstdint>

#include "refscore/text/tokenizers.hpp"

namespace refscore {

// The most characters that split_eed_en writes for `bytes` bytes.
constexpr size_t most_eed_characters(size_t bytes) { return 2 * bytes + 2; }

// English: a space before . , ! ? and at both ends, single spaces in between, and no spaces in some numbers and
// abbreviations. Added spaces are the byte at `padding`, which must be a space. Rewrites the text in place.
void split_eed_en(uint8_t* arena, Span text, uint32_t padding, TokenSpans& out);

// Japanese: all characters up to the last one that is not whitespace.
void split_eed_ja(const uint8_t* arena, Span text, TokenSpans& out);

}  // namespace refscore

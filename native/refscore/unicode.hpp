// Character classes of the tokenizers, by code point.
#pragma once

#include <cstdint>

namespace refscore {

// What a character is to a tokenizer. Combinable only in tables of bytes, where a class is a bit.
enum CharClass : uint8_t {
    kOther = 0,
    kSpace = 1,
    kSymbol = 2,  // always a token of its own
    kPoint = 4,   // a token of its own unless it stands between numbers
    kDash = 8,    // a token of its own after a number
    kNumber = 16,
    kMarkup = 32,  // may begin what 13a rewrites: an entity, <skipped>, a hyphenated line break
};

CharClass intl_class(uint32_t code);
// refscore's own choice of Chinese characters, and sacrebleu's, whose ranges lack the planes beyond the first.
CharClass zh_class(uint32_t code);
CharClass zh_sacrebleu_class(uint32_t code);

// Reads one character of (generalized) UTF-8 and moves past it.
inline uint32_t decode(const uint8_t*& in) {
    uint32_t lead = *in++;
    if (lead < 0x80) return lead;
    int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    uint32_t code = lead & (0x3fu >> more);
    for (; more > 0; --more) code = (code << 6) | (*in++ & 0x3fu);
    return code;
}

}  // namespace refscore

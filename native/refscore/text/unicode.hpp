// Character classes of the tokenizers, by code point.
#pragma once

#include <cstdint>

#include "refscore/text/text.hpp"

namespace refscore {

// The role of a character for a tokenizer. Each class is a bit, but only tables of bytes combine them.
enum CharClass : uint8_t {
    kOther = 0,
    kSpace = 1,
    kSymbol = 2,  // always a token
    kPoint = 4,   // a token, unless it is between numbers
    kDash = 8,    // a token after a number
    kNumber = 16,
    kMarkup = 32,  // may begin text that 13a rewrites: an entity, <skipped>, a hyphenated line break
};

CharClass intl_class(uint32_t code);
// refscore's choice of Chinese characters, and sacrebleu's, which lacks all planes beyond the first.
CharClass zh_class(uint32_t code);
CharClass zh_sacrebleu_class(uint32_t code);

// For the tokenizer `unicode`. kNumber begins or continues a word (letters and numbers). kPoint only continues one
// (marks and joiners). kSymbol is a word (ideographs, kana, bopomofo). Everything else is kSpace.
CharClass word_class(uint32_t code);

// Whether a character is a letter or a number, which is what `\w` matches in Python, except for `_`.
bool is_word_character(uint32_t code);
// Replaces this test for non-ASCII characters, because the caller's version of Unicode may differ. The function must be
// thread-safe.
void set_word_character_test(bool (*test)(uint32_t code));
// Whether a character is a decimal digit of any script, like `\d` in Python.
bool is_decimal(uint32_t code);

// Decodes one character of generalized UTF-8 and advances.
inline uint32_t decode(const uint8_t*& in) {
    uint32_t lead = *in++;
    if (lead < 0x80) return lead;
    int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    uint32_t code = lead & (0x3fu >> more);
    for (; more > 0; --more) code = (code << 6) | (*in++ & 0x3fu);
    return code;
}

// Encodes one character as generalized UTF-8 and returns the end of the output.
inline uint8_t* encode(uint32_t code, uint8_t* out) {
    if (code < 0x80) {
        *out++ = static_cast<uint8_t>(code);
    } else if (code < 0x800) {
        *out++ = static_cast<uint8_t>(0xc0 | (code >> 6));
        *out++ = static_cast<uint8_t>(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = static_cast<uint8_t>(0xe0 | (code >> 12));
        *out++ = static_cast<uint8_t>(0x80 | ((code >> 6) & 0x3f));
        *out++ = static_cast<uint8_t>(0x80 | (code & 0x3f));
    } else {
        *out++ = static_cast<uint8_t>(0xf0 | (code >> 18));
        *out++ = static_cast<uint8_t>(0x80 | ((code >> 12) & 0x3f));
        *out++ = static_cast<uint8_t>(0x80 | ((code >> 6) & 0x3f));
        *out++ = static_cast<uint8_t>(0x80 | (code & 0x3f));
    }
    return out;
}

}  // namespace refscore

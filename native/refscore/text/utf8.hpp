// Checks and decodes bytes that may be UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace refscore {

constexpr uint64_t kHighBits = 0x8080808080808080u;  // the highest bit of each byte, which is 0 in ASCII

// Whether the next eight bytes are ASCII.
inline bool is_ascii_word(const uint8_t* bytes) {
    uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return (word & kHighBits) == 0;
}

inline bool is_ascii(const uint8_t* bytes, size_t size) {
    constexpr size_t kWord = 8, kStretch = 4 * kWord;  // four independent loads per step, which the processor overlaps
    constexpr size_t kCheck = 1024;  // bytes between checks for an early exit; rare enough to cost nothing
    auto word_at = [&](size_t i) {
        uint64_t word;
        std::memcpy(&word, bytes + i, kWord);
        return word;
    };
    uint64_t all = 0;
    if (size < kWord) {
        for (size_t i = 0; i < size; ++i) all |= bytes[i];
    } else {
        size_t i = 0;
        for (; i + kStretch <= size; i += kStretch) {
            all |= (word_at(i) | word_at(i + kWord)) | (word_at(i + 2 * kWord) | word_at(i + 3 * kWord));
            if (i % kCheck == 0 && (all & kHighBits) != 0) return false;
        }
        for (; i + kWord <= size; i += kWord) all |= word_at(i);
        all |= word_at(size - kWord);
    }
    return (all & kHighBits) == 0;
}

// Strict: rejects surrogates, code points above U+10FFFF, and overlong forms.
inline bool is_utf8(const uint8_t* in, size_t size) {
    const uint8_t* end = in + size;
    auto is_more = [](uint8_t byte) { return (byte & 0xc0) == 0x80; };
    while (in != end) {
        if (end - in >= 8 && is_ascii_word(in)) {
            in += 8;
            continue;
        }
        uint8_t lead = *in;
        if (lead < 0x80) {
            ++in;
        } else if (lead < 0xe0) {
            if (lead < 0xc2 || end - in < 2 || !is_more(in[1])) return false;
            in += 2;
        } else if (lead < 0xf0) {
            if (end - in < 3 || !is_more(in[1]) || !is_more(in[2])) return false;
            if ((lead == 0xe0 && in[1] < 0xa0) || (lead == 0xed && in[1] >= 0xa0)) return false;
            in += 3;
        } else {
            if (lead > 0xf4 || end - in < 4 || !is_more(in[1]) || !is_more(in[2]) || !is_more(in[3])) return false;
            if ((lead == 0xf0 && in[1] < 0x90) || (lead == 0xf4 && in[1] >= 0x90)) return false;
            in += 4;
        }
    }
    return true;
}

// Decodes one character and advances, but never past the end: for text that may have changed since it was checked.
inline uint32_t decode_within(const uint8_t*& in, const uint8_t* end) {
    uint32_t lead = *in++;
    if (lead < 0x80) return lead;
    int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (end - in < more) {
        in = end;
        return '?';  // needs no more bytes than the input had
    }
    uint32_t code = lead & (0x3fu >> more);
    for (; more > 0; --more) code = (code << 6) | (*in++ & 0x3fu);
    return code;
}

}  // namespace refscore

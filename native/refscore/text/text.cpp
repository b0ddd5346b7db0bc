#include "refscore/text/text.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "refscore/base/byte_order.hpp"
#include "refscore/text/unicode.hpp"
#include "refscore/text/utf8.hpp"

namespace refscore {
namespace {

constexpr int kChunk = 8;                 // units per step: one 64-bit word of Latin-1 bytes
constexpr uint32_t kLastCode = 0x10ffff;  // of Unicode

// The number of leading ASCII units, at most a chunk.
template <class Unit>
inline int ascii_units(const Unit* in) {
    constexpr int kPerWord = 8 / sizeof(Unit), kUnitBits = 8 * sizeof(Unit);
    uint64_t wide = 0;
    for (int i = 0; i < kPerWord; ++i)
        wide |= (~uint64_t{0x7f} & (~uint64_t{0} >> (64 - kUnitBits))) << (i * kUnitBits);
    for (int i = 0; i < kChunk; i += kPerWord) {
        uint64_t word;
        std::memcpy(&word, in + i, sizeof word);
        word &= wide;
        if (word != 0) return i + leading_zeros_in_memory(word) / kUnitBits;
    }
    return kChunk;
}

// Most text is ASCII for long stretches, even if one character made the whole string wide. A chunk may be written past
// the end of its ASCII part: later text or the padding uses this memory anyway.
template <class Unit>
uint8_t* transcode(const TextView& text, Spaces spaces, const uint16_t* lower, uint8_t* out) {
    const Unit* in = static_cast<const Unit*>(text.data);
    const Unit* end = in + text.size;
    auto wide = [&](uint32_t code) {
        if (lower != nullptr && code <= kLastLower) code = lower[code];
        return spaces == Spaces::Unify && is_wide_space(code) ? uint32_t{'\t'} : code;
    };
    while (end - in >= kChunk) {
        for (int i = 0; i < kChunk; ++i) out[i] = static_cast<uint8_t>(in[i]);
        int ascii = ascii_units(in);
        in += ascii;
        out += ascii;
        if (ascii < kChunk) do
                out = encode(wide(*in++), out);
            while (in != end && *in >= 0x80);
    }
    for (; in != end; ++in) out = encode(*in < 0x80 ? *in : wide(*in), out);
    return out;
}

// The same for UTF-8: a plain copy, unless a non-ASCII character must be replaced. The caller may modify the text after
// it was checked, so only the copy is trusted.
uint8_t* copy_utf8(const TextView& text, Spaces spaces, const uint16_t* lower, uint8_t* out) {
    const uint8_t* in = static_cast<const uint8_t*>(text.data);
    const uint8_t* end = in + text.size;
    if (text.size > 0) std::memcpy(out, in, text.size);
    bool is_copy = spaces != Spaces::Unify && lower == nullptr && is_utf8(out, text.size);
    if (is_copy || is_ascii(out, text.size)) return out + text.size;
    while (in != end) {
        if (end - in >= kChunk) {
            std::memcpy(out, in, kChunk);
            if (is_ascii_word(out)) {
                in += kChunk;
                out += kChunk;
                continue;
            }
        }
        uint32_t code = decode_within(in, end);
        if (code > kLastCode) code = '?';
        if (code >= 0x80) {
            if (lower != nullptr && code <= kLastLower) code = lower[code];
            if (spaces == Spaces::Unify && is_wide_space(code)) code = '\t';
        }
        out = encode(code, out);
    }
    return out;
}

constexpr size_t kLimit = std::numeric_limits<uint32_t>::max() - Arena::kPadding;  // offsets are 32-bit

}  // namespace

Span Arena::append(const TextView& text, Spaces spaces, const uint16_t* lower) {
    constexpr size_t kWidest[] = {1, 2, 3, 4, 1};  // UTF-8 bytes per code unit, in the order of Encoding
    size_t widest = kWidest[static_cast<size_t>(text.encoding)];
    if (text.encoding == Encoding::Utf8 && lower != nullptr) widest = 2;  // lowercase can take one byte more
    if (text.size > (kLimit - size_) / widest) throw TooLarge();
    uint8_t* begin = bytes_.reserve(size_ + text.size * widest + kPadding, size_) + size_;
    uint8_t* end = begin + text.size;
    switch (text.encoding) {
        case Encoding::Ascii:
            if (text.size > 0) std::memcpy(begin, text.data, text.size);
            break;
        case Encoding::Latin1: end = transcode<uint8_t>(text, spaces, lower, begin); break;
        case Encoding::Ucs2: end = transcode<uint16_t>(text, spaces, lower, begin); break;
        case Encoding::Ucs4: end = transcode<uint32_t>(text, spaces, lower, begin); break;
        case Encoding::Utf8: end = copy_utf8(text, spaces, lower, begin); break;
    }
    Span span{static_cast<uint32_t>(size_), static_cast<uint32_t>(end - bytes_.data())};
    if (spaces == Spaces::Keep) {
        size_ = span.end;
    } else {
        cut(span.end);
    }
    return span;
}

Span Arena::append_utf8(const uint8_t* text, size_t size) {
    if (size > kLimit - size_) throw TooLarge();
    uint8_t* begin = bytes_.reserve(size_ + size + kPadding, size_) + size_;
    if (size > 0) std::memcpy(begin, text, size);
    Span span{static_cast<uint32_t>(size_), static_cast<uint32_t>(size_ + size)};
    cut(span.end);
    return span;
}

void Arena::cut(uint32_t end) {
    size_ = end;
    std::memset(bytes_.data() + size_, ' ', kPadding);
}

}  // namespace refscore

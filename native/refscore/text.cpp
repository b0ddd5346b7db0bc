#include "text.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace refscore {
namespace {

// What Python's str.split takes for white space, beyond ASCII.
constexpr bool is_wide_space(uint32_t code) {
    return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

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

// Eight units at a time while they are ASCII, which most text is even where one character made the string wide.
template <class Unit>
inline bool ascii_chunk(const Unit* in, uint8_t* out) {
    Unit any = 0;
    for (int i = 0; i < 8; ++i) any = static_cast<Unit>(any | in[i]);
    if (any >= 0x80) return false;
    for (int i = 0; i < 8; ++i) out[i] = static_cast<uint8_t>(in[i]);
    return true;
}

template <class Unit>
uint8_t* transcode(const void* data, size_t size, Spaces spaces, uint8_t* out) {
    const Unit* in = static_cast<const Unit*>(data);
    const Unit* end = in + size;
    while (in != end) {
        if (end - in >= 8 && ascii_chunk(in, out)) {
            in += 8;
            out += 8;
            continue;
        }
        const Unit* stop = in + std::min<ptrdiff_t>(8, end - in);
        for (; in != stop; ++in) {
            uint32_t code = *in;
            if (code >= 0x80 && spaces == Spaces::Unify && is_wide_space(code)) code = ' ';
            out = encode(code, out);
        }
    }
    return out;
}

}  // namespace

Span Arena::append(const TextView& text, Spaces spaces) {
    constexpr size_t kWidest[] = {1, 2, 3, 4};
    constexpr size_t kLimit = std::numeric_limits<uint32_t>::max() - kPadding;
    size_t widest = kWidest[static_cast<size_t>(text.encoding)];
    if (text.size > (kLimit - size_) / widest) throw TooLarge();
    uint8_t* begin = bytes_.room(size_ + text.size * widest + kPadding, size_) + size_;
    uint8_t* end = begin + text.size;
    switch (text.encoding) {
        case Encoding::Ascii:
            if (text.size > 0) std::memcpy(begin, text.data, text.size);
            break;
        case Encoding::Latin1: end = transcode<uint8_t>(text.data, text.size, spaces, begin); break;
        case Encoding::Ucs2: end = transcode<uint16_t>(text.data, text.size, spaces, begin); break;
        case Encoding::Ucs4: end = transcode<uint32_t>(text.data, text.size, spaces, begin); break;
    }
    Span span{static_cast<uint32_t>(size_), static_cast<uint32_t>(end - bytes_.data())};
    if (spaces == Spaces::Unify) {
        cut(span.end);
    } else {
        size_ = span.end;
    }
    return span;
}

void Arena::cut(uint32_t end) {
    size_ = end;
    std::memset(bytes_.data() + size_, ' ', kPadding);
}

}  // namespace refscore

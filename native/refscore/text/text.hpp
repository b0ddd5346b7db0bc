// Text in kernels: views of strings in CPython's encodings or UTF-8, and the arena that receives them as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>

#include "refscore/base/buffer.hpp"
#include "refscore/base/input_error.hpp"

namespace refscore {

constexpr bool is_ascii_space(uint32_t code) {
    return code == ' ' || (code >= '\t' && code <= '\r') || (code >= 0x1c && code <= 0x1f);
}

// Non-ASCII whitespace by the definition of Python's str.split.
constexpr bool is_wide_space(uint32_t code) {
    return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

constexpr bool is_space(uint32_t code) { return code < 0x80 ? is_ascii_space(code) : is_wide_space(code); }

enum class Encoding : uint8_t { Ascii, Latin1, Ucs2, Ucs4, Utf8 };

// Bytes.
constexpr size_t unit_size(Encoding encoding) {
    return encoding == Encoding::Ucs2 ? 2 : encoding == Encoding::Ucs4 ? 4 : 1;
}

struct TextView {
    const void* data;
    size_t size;  // in code units
    Encoding encoding;
};

// Thrown for input with more tokens or bytes than 32-bit numbers can count.
class TooLarge : public InputError {
  public:
    explicit TooLarge(const char* problem = "a segment and its references must be smaller than 4 GiB together")
        : InputError(std::nullopt, problem) {}
};

constexpr uint32_t kLastLower =
    0xffff;  // the last code point of the lowercase table: 65,536 entries of 2 bytes, 128 KiB

// A range of bytes in the arena.
struct Span {
    uint32_t begin;
    uint32_t end;
};

enum class Spaces : uint8_t {
    Keep,   // for tokens, which are compared byte by byte
    Unify,  // for text: non-ASCII whitespace becomes a tab, for tokenizers that treat all whitespace except ' ' alike
    Exact,  // for text of tokenizers that distinguish whitespace
};

// The UTF-8 bytes of one segment's texts. Kernels may read kPadding bytes past the end of the last text. These are
// spaces unless the text was appended with Spaces::Keep.
class Arena {
  public:
    static constexpr size_t kPadding = 64;  // a block of byte_classes.hpp, so the last block can be read completely

    void clear() { size_ = 0; }
    // Appends a copy of the text. Lone surrogates become generalized UTF-8. Unless `lower` is null, it replaces
    // non-ASCII characters up to kLastLower.
    Span append(const TextView& text, Spaces spaces, const uint16_t* lower = nullptr);
    // Appends text that is already in this encoding and not part of the arena.
    Span append_utf8(const uint8_t* text, size_t size);
    // Truncates the last text, for example after rewriting it in place.
    void cut(uint32_t end);
    const uint8_t* data() const { return bytes_.data(); }
    uint8_t* data() { return bytes_.data(); }

  private:
    Buffer<uint8_t> bytes_;
    size_t size_ = 0;
};

}  // namespace refscore

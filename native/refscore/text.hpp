// Text as the kernels see it: views of strings in any of CPython's encodings or in UTF-8, and the arena they are copied into as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>

#include "buffer.hpp"
#include "input_error.hpp"

namespace refscore {

constexpr bool is_ascii_space(uint32_t code) { return code == ' ' || (code >= '\t' && code <= '\r') || (code >= 0x1c && code <= 0x1f); }

// What Python's str.split takes for white space, beyond ASCII.
constexpr bool is_wide_space(uint32_t code) {
    return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

constexpr bool is_space(uint32_t code) { return code < 0x80 ? is_ascii_space(code) : is_wide_space(code); }

enum class Encoding : uint8_t { Ascii, Latin1, Ucs2, Ucs4, Utf8 };

struct TextView {
    const void* data;
    size_t size;  // in code units
    Encoding encoding;
};

// Thrown for input with too many tokens or bytes for 32-bit numbers.
class TooLarge : public InputError {
  public:
    explicit TooLarge(const char* problem = "a segment and its references must be smaller than 4 GiB together") : InputError(std::nullopt, problem) {}
};

constexpr uint32_t kLastLower = 0xffff;

// A stretch of the arena, in bytes.
struct Span {
    uint32_t begin;
    uint32_t end;
};

enum class Spaces : uint8_t {
    Keep,   // tokens: bytes are an identity
    Unify,  // text: every non-ASCII white space becomes a tab, for tokenizers that cannot tell it apart; a space some can
    Exact,  // text for tokenizers that can
};

// The UTF-8 bytes of one segment's texts. Kernels may read kPadding bytes past the end of the last text; they are spaces
// unless it was appended with Spaces::Keep.
class Arena {
  public:
    static constexpr size_t kPadding = 64;

    void clear() { size_ = 0; }
    // Copies the text to the end of the arena; lone surrogates come out as generalized UTF-8. Characters beyond ASCII and up to
    // kLastLower are replaced by what `lower` has for them, unless it is null.
    Span append(const TextView& text, Spaces spaces, const uint16_t* lower = nullptr);
    // Copies text that is such bytes already, from somewhere else.
    Span append_utf8(const uint8_t* text, size_t size);
    // Shortens the text appended last, e.g. after a rewrite in place.
    void cut(uint32_t end);
    const uint8_t* data() const { return bytes_.data(); }
    uint8_t* data() { return bytes_.data(); }

  private:
    Buffer<uint8_t> bytes_;
    size_t size_ = 0;
};

}  // namespace refscore

// Rewriting text before it is split: case, Unicode forms, punctuation, whitespace, brackets and literal replacements,
// by the rules of Python's `str` and `re`. All steps take linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "refscore/text/character_database.hpp"
#include "refscore/text/text.hpp"
#include "refscore/text/unicode.hpp"
#include "refscore/text/utf8.hpp"

namespace refscore {

// A text in generalized UTF-8 that steps change, with a second buffer for their output. Reuse it for many texts.
class RewrittenText {
  public:
    explicit RewrittenText(const CharacterDatabase& database) : database_(&database) {}

    // Requires generalized UTF-8, as Python's error handler "surrogatepass" writes it.
    void assign(const char* data, size_t size) {
        text_.assign(data, size);
        is_ascii_ = refscore::is_ascii(bytes(), size);
    }
    const std::string& text() const { return text_; }
    const CharacterDatabase& database() const { return *database_; }
    bool is_ascii() const { return is_ascii_; }
    // Allows steps to change the text in place.
    std::string& mutable_text() { return text_; }

    // An empty buffer for the next text. `replace_text` makes it the text.
    std::string& output() {
        output_.clear();
        return output_;
    }
    // `adds_wide`: whether the output may have non-ASCII characters that the text did not have.
    void replace_text(bool adds_wide = false) {
        text_.swap(output_);
        if (!is_ascii_ || adds_wide) is_ascii_ = refscore::is_ascii(bytes(), text_.size());
    }
    // For changes in place that may add or remove non-ASCII characters.
    void update_encoding() { is_ascii_ = refscore::is_ascii(bytes(), text_.size()); }

  private:
    const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(text_.data()); }

    const CharacterDatabase* database_;
    std::string text_, output_;
    bool is_ascii_ = true;
};

// The character at `at`, which must be before the end. Advances.
inline uint32_t next_code(std::string_view text, size_t& at) {
    const auto* begin = reinterpret_cast<const uint8_t*>(text.data());
    const uint8_t* in = begin + at;
    uint32_t code = decode_within(in, begin + text.size());
    at = static_cast<size_t>(in - begin);
    return code;
}
// The beginning of the character before `at`, which must not be 0.
inline size_t previous_start(std::string_view text, size_t at) {
    do --at;
    while (at > 0 && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80);
    return at;
}

// What `\w` matches in Python.
inline bool is_regex_word(uint32_t code) { return code == '_' || is_word_character(code); }
inline bool word_at(std::string_view text, size_t at) { return at < text.size() && is_regex_word(next_code(text, at)); }
inline bool word_before(std::string_view text, size_t at) { return at > 0 && word_at(text, previous_start(text, at)); }
// What `\b` matches in Python.
inline bool is_word_boundary(std::string_view text, size_t at) { return word_before(text, at) != word_at(text, at); }

// Compares bytes, so loops can be vectorized.
constexpr bool is_between(uint8_t byte, uint8_t first, uint8_t last) {
    return static_cast<uint8_t>(byte - first) <= static_cast<uint8_t>(last - first);
}
constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_lower(char c) { return c >= 'a' && c <= 'z'; }

// The first of two bytes from `at`, or npos. std::string::find_first_of calls a function for each byte.
inline size_t find_either(std::string_view text, char a, char b, size_t at = 0) {
    while (at < text.size() && text[at] != a && text[at] != b) ++at;
    return at < text.size() ? at : std::string_view::npos;
}

// The end of the characters at `at` that are not whitespace.
inline size_t end_of_word(std::string_view text, size_t at) {
    while (at < text.size()) {
        auto byte = static_cast<uint8_t>(text[at]);
        size_t next = at + 1;
        if ((byte <= ' ' || byte >= 0x80) && (next = at, is_space(next_code(text, next)))) break;
        at = next;
    }
    return at;
}

// The end of the whitespace at `at`.
size_t end_of_spaces(std::string_view text, size_t at);

void lower_text(RewrittenText& text);
void upper_text(RewrittenText& text);
// Returns whether the text may have changed.
bool convert_form(RewrittenText& text, UnicodeForm form);
// Removes whitespace at both ends, like str.strip.
void strip_text(RewrittenText& text);
// Replaces runs of at least `shortest` whitespace characters (1 or 2) by a space.
void join_spaces(RewrittenText& text, size_t shortest);
// Replaces each ASCII whitespace character of Python's string.whitespace by a space, or removes it.
void replace_whitespace(RewrittenText& text, bool by_space);
void remove_punctuation(RewrittenText& text);
// Removes text from < or [ to the next > or ].
void remove_brackets(RewrittenText& text);
// Removes text from ( to the next ), unless nothing is in between.
void remove_parentheses(RewrittenText& text);
// Replaces a literal, which must not be empty, at word boundaries on request. Returns whether there was one.
bool replace_literal(RewrittenText& text, std::string_view literal, std::string_view replacement,
                     bool boundary_before = false, bool boundary_after = false);

}  // namespace refscore

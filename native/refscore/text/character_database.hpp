// Properties of characters that depend on the version of Unicode. The caller provides them: Python's version decides
// how peers normalize text. Letters and numbers come from is_word_character.
#pragma once

#include <cstdint>
#include <string>

namespace refscore {

enum class UnicodeForm : uint8_t { Nfc, Nfkc, Nfkd };

// The part of Unicode's general category that normalizers distinguish.
enum class Category : uint8_t { Other, NonspacingMark, OtherMark, Symbol, Punctuation };

class CharacterDatabase {
  public:
    virtual ~CharacterDatabase() = default;
    // Only called for non-ASCII characters.
    virtual Category category(uint32_t code) const = 0;
    // The value of a decimal digit of any script, or -1.
    virtual int decimal(uint32_t code) const = 0;
    // Whether lowercasing leaves a non-ASCII character as it is.
    virtual bool is_lower(uint32_t code) const = 0;
    // Convert text in generalized UTF-8, only called if it is not ASCII.
    virtual void lower(std::string& text) const = 0;
    virtual void upper(std::string& text) const = 0;
    virtual void convert(UnicodeForm form, std::string& text) const = 0;
    // Whether a non-ASCII character is the same in this form and never joins the character before it. False if unknown.
    virtual bool is_inert(UnicodeForm form, uint32_t code) const = 0;
};

}  // namespace refscore

// All texts of a set, with token numbers from one shared vocabulary.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/segments/vocabulary.hpp"

namespace refscore {

// Numbers tokens from 1 in order of first occurrence. Unlike the vocabulary of a segment, it owns their bytes.
class Lexicon {
  public:
    Lexicon() { clear(); }

    uint32_t add(const Token& token, const uint8_t* arena);
    // Returns 0 if the token is unknown.
    uint32_t find(const Token& token, const uint8_t* arena) const { return view().find(token, arena); }
    uint32_t size() const { return static_cast<uint32_t>(tokens_.size() - 1); }
    // Returns the bytes of a token, which may be in `inlined`.
    using Inlined = std::array<uint8_t, Token::kInline>;
    std::span<const uint8_t> bytes(uint32_t number, Inlined& inlined) const;

    // Renumbers the tokens by the order of their bytes. Returns the new number for each old one.
    std::vector<uint32_t> sort();

  private:
    void clear();
    void grow();
    VocabularyView view() const { return {slots_.data(), mask_, tokens_.data(), bytes_.data()}; }

    std::vector<uint32_t> slots_;
    std::vector<Token> tokens_;   // by number; number 0 is unused
    std::vector<uint8_t> bytes_;  // of tokens that are too long to be stored inline
    uint32_t mask_ = 0;
};

// The token numbers of all texts, concatenated, with kUnknown after each text.
class Collection {
  public:
    // Adds texts; `tokens` contains the tokens of all of them, `lengths` the number of tokens per text.
    void add(std::span<const uint32_t> tokens, std::span<const uint32_t> lengths);
    // Replaces every token by its new number.
    void renumber(std::span<const uint32_t> numbers);

    size_t size() const { return starts_.size() - 1; }
    std::span<const uint32_t> tokens() const { return tokens_; }
    // The text that contains an index into `tokens`, and the range of a text there.
    uint32_t text_at(uint32_t place) const { return texts_[place]; }
    uint32_t begin(size_t text) const { return starts_[text]; }
    uint32_t end(size_t text) const { return starts_[text + 1] - 1; }
    uint32_t length(size_t text) const { return end(text) - begin(text); }

  private:
    std::vector<uint32_t> tokens_;
    std::vector<uint32_t> texts_;
    std::vector<uint32_t> starts_{0};
};

}  // namespace refscore

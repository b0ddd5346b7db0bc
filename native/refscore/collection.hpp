// All texts of a set, with their tokens numbered in one vocabulary that stays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vocabulary.hpp"

namespace refscore {

// Tokens numbered from 1 in the order they came; unlike a segment's vocabulary it keeps their bytes itself.
class Lexicon {
  public:
    Lexicon() { clear(); }

    uint32_t add(const Token& token, const uint8_t* arena);
    // 0 if the token is not there.
    uint32_t find(const Token& token, const uint8_t* arena) const { return view().find(token, arena); }
    uint32_t size() const { return static_cast<uint32_t>(tokens_.size() - 1); }
    std::span<const uint8_t> bytes(uint32_t number) const;

    // Renumbers the tokens in the order of their bytes; the result is the new number of each old one.
    std::vector<uint32_t> sort();

  private:
    void clear();
    void grow();
    VocabularyView view() const { return {slots_.data(), mask_, tokens_.data(), bytes_.data()}; }

    std::vector<uint32_t> slots_;
    std::vector<Token> tokens_;   // by number; number 0 is no token
    std::vector<uint8_t> bytes_;  // of tokens too long to be their own identity
    uint32_t mask_ = 0;
};

// The numbers of all texts' tokens, one text after the other, with kUnknown after each.
class Collection {
  public:
    // What `tokens` has the tokens of, text by text.
    void add(std::span<const uint32_t> tokens, std::span<const uint32_t> lengths);
    // Gives every token another number.
    void renumber(std::span<const uint32_t> numbers);

    size_t size() const { return starts_.size() - 1; }
    std::span<const uint32_t> tokens() const { return tokens_; }
    // The text that a place in `tokens` belongs to, and where its tokens begin and end there.
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

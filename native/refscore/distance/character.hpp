// CharacTER: edits of characters after moves of word blocks, as in the Python package cer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/edit_distance.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/segments/symbols.hpp"
#include "refscore/segments/token_positions.hpp"

namespace refscore {

// A row of statistics; rows can be summed.
struct CharacterRow {
    static constexpr size_t kColumns = 5;
    double score = 0;
    double edits = 0;
    double shift_cost = 0;
    double hypothesis_length = 0;  // in characters, with a space between words
    double segments = 1;
};

// A move of a block of words, and the edit distance of words after it. Positions are those in the hypothesis after
// earlier moves.
struct WordShift {
    uint32_t begin;
    uint32_t length;
    uint32_t to;
    uint32_t distance;
};

// One instance per thread.
class Character {
  public:
    // Returns the row of the best reference. Appends the moves for the last reference to `shifts`.
    CharacterRow row(const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                     const NumberedReferences& references, std::vector<WordShift>* shifts = nullptr);

  private:
    struct Candidate {
        uint32_t begin;
        uint32_t length;
        uint32_t to;
    };
    // The vertical differences of a row of Hyyrö's algorithm.
    struct Column {
        uint64_t plus;
        uint64_t minus;
    };

    void number_words(std::span<const uint32_t> hypothesis);
    const Token& token(uint32_t word, const uint8_t*& arena) const;
    bool is_before(uint32_t word, uint32_t other) const;
    bool is_before(const uint32_t* words, const uint32_t* others) const;
    template <class SymbolOf>
    std::span<const uint32_t> symbols(std::span<const uint32_t> words, Buffer<uint32_t>& buffer, SymbolOf symbol_of);

    CharacterRow score(std::span<const uint32_t> reference, std::vector<WordShift>* shifts);
    void shift_words(std::vector<WordShift>* shifts);
    uint32_t first_distance();
    bool find_shift(uint32_t distance, uint32_t limit, WordShift& best);
    void apply(const Candidate& candidate, uint32_t* out) const;
    uint32_t distance_after(const Candidate& candidate, uint32_t distance);
    uint32_t fewest_edits();
    double shift_cost() const;
    size_t character_distance();

    ItemKind kind_ = ItemKind::Tokens;
    TokenTexts texts_{};
    VocabularyView known_{};
    uint32_t known_size_ = 0;
    Vocabulary unknown_;           // words that no reference has; numbered after the known words
    Buffer<uint32_t> lengths_;     // of words, by number
    Buffer<uint32_t> original_;    // the hypothesis
    Buffer<uint32_t> words_;       // the hypothesis after the moves so far
    Buffer<uint32_t> moved_;       // after the candidate that is being tried
    Buffer<uint32_t> best_words_;  // after the best candidate
    size_t size_ = 0;
    uint32_t vocabulary_ = 0;
    uint32_t fewest_ = 0;  // edits that no move can avoid

    std::span<const uint32_t> reference_;
    TokenPositions places_;
    Buffer<uint32_t>
        runs_;  // by reference position: the number of equal words from it and the current hypothesis word on
    Buffer<uint32_t> runs_of_;  // the hypothesis position that a run belongs to
    StripMasks masks_;          // of the reference, if it has at most kStrip words
    Buffer<Column> columns_;    // by the number of words of words_
    Buffer<uint32_t> counts_;

    SymbolMap symbols_;
    Buffer<uint32_t> symbols_of_hypothesis_;
    Buffer<uint32_t> symbols_of_reference_;
    EditDistance edits_;
};

}  // namespace refscore

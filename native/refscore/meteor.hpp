// METEOR: words matched exactly, then by their stems; precision, recall, and a penalty for matches in many pieces.
#pragma once

#include <cstdint>
#include <span>

#include "preconditions.hpp"
#include "segments.hpp"
#include "word_matching.hpp"

namespace refscore {

struct MeteorSettings {
    double alpha = 0.9;
    double beta = 3;
    double gamma = 0.5;
    // What characters beyond ASCII and up to kLastLower are replaced by before stemming.
    const uint16_t* lower = nullptr;
    bool text_is_lowercase = false;

    void check() const {
        require(alpha >= 0 && alpha <= 1, "alpha must be from 0 to 1");
        require(beta >= 0 && std::isfinite(beta), "beta must be finite and at least 0");
        require(gamma >= 0 && gamma <= 1, "gamma must be from 0 to 1");
    }
};

// A row; they add up. Its score is NaN if the segment has a word that this side cannot lowercase.
struct MeteorRow {
    static constexpr size_t kColumns = 6;
    double score = 0;
    double precision = 0;
    double recall = 0;
    double f_mean = 0;
    double penalty = 0;
    double segments = 1;
};

MeteorRow meteor_row(const MeteorSettings& settings, size_t matches, size_t chunks, size_t hypothesis, size_t reference);

// Numbers stems from 1; each word is stemmed once. Scratch memory of one thread.
class StemNumbers {
  public:
    static constexpr uint32_t kCannotLower = UINT32_MAX;

    void begin(const MeteorSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
               const NumberedReferences& references);
    // Allocates memory for that many more.
    void reserve(size_t words) { stems_.reserve(words); }
    uint32_t count() const { return stems_.size(); }

    uint32_t of_reference_word(uint32_t number) {
        uint32_t& stem = by_number_[number];
        if (stem == 0) stem = number_stem(references_.tokens[number], references_.arena);
        return stem;
    }
    uint32_t of_hypothesis_word(uint32_t position) {
        if (hypothesis_[position] != kUnknown) return of_reference_word(hypothesis_[position]);
        uint32_t& stem = by_position_[position];
        if (stem == 0) stem = number_stem(texts_.tokens[position], texts_.arena);
        return stem;
    }

  private:
    uint32_t number_stem(const Token& token, const uint8_t* arena);

    const uint16_t* lower_ = nullptr;  // null if words are lowercase already
    TokenTexts texts_{};
    std::span<const uint32_t> hypothesis_;
    VocabularyView references_{};
    Buffer<uint32_t> by_number_;
    Buffer<uint32_t> by_position_;
    Buffer<uint8_t> word_;
    Buffer<uint8_t> lowered_;
    Arena arena_;
    Vocabulary stems_;
};

// Scratch memory of one thread.
class Meteor {
  public:
    // The row of the best reference.
    MeteorRow row(const MeteorSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                  const NumberedReferences& references);

  private:
    // False if a word cannot be lowercased.
    bool match_stems(std::span<const uint32_t> reference);

    WordMatcher matcher_;
    StemNumbers stems_;
    Buffer<uint32_t> hypothesis_stems_;
    Buffer<uint32_t> reference_stems_;
};

}  // namespace refscore

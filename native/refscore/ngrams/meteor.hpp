// METEOR: words matched exactly, then by stem; precision, recall, and a penalty for matches in many chunks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/word_matching.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

struct MeteorSettings {
    double alpha = 0.9;
    double beta = 3;
    double gamma = 0.5;
    // Lowercase replacements for characters beyond ASCII, up to kLastLower.
    const uint16_t* lower = nullptr;
    bool text_is_lowercase = false;

    void check() const {
        require(alpha >= 0 && alpha <= 1, "alpha must be from 0 to 1");
        require(beta >= 0 && std::isfinite(beta), "beta must be finite and at least 0");
        require(gamma >= 0 && gamma <= 1, "gamma must be from 0 to 1");
    }
};

// A row of statistics; rows can be summed. The score is NaN if a word of the segment can only be lowercased by Python.
struct MeteorRow {
    static constexpr size_t kColumns = 6;
    double score = 0;
    double precision = 0;
    double recall = 0;
    double f_mean = 0;
    double penalty = 0;
    double segments = 1;
};

MeteorRow meteor_row(const MeteorSettings& settings, size_t matches, size_t chunks, size_t hypothesis,
                     size_t reference);

// Numbers stems from 1 and stems each word once; one instance per thread.
class StemNumbers {
  public:
    static constexpr uint32_t kCannotLower = UINT32_MAX;

    void begin(const MeteorSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
               const NumberedReferences& references);
    // Allocates memory for `words` further stems.
    void reserve(size_t words) { stems_.reserve(words); }
    uint32_t count() const { return stems_.size(); }

    // Sets of initials, one bit each. Words without a common initial have different stems.
    uint64_t initial_of_reference_word(uint32_t number) const;
    uint64_t initial_of_hypothesis_word(uint32_t position) const;

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

    const uint16_t* lower_ = nullptr;  // null if words are already lowercase
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

// One instance per thread.
class Meteor {
  public:
    // Returns the row of the best reference.
    MeteorRow row(const MeteorSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                  const NumberedReferences& references);

  private:
    void match_words(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                     const NumberedReferences& references);
    // Returns false if a word cannot be lowercased.
    bool match_stems(std::span<const uint32_t> reference);

    WordMatcher matcher_;
    StemNumbers stems_;
    std::vector<uint64_t> places_;  // by word, in a short reference; all 0 between references
};

}  // namespace refscore

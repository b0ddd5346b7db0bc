// chrF of all pairs of a group of texts, and with a whole group at once. The n-grams of each text are counted only
// once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/ngrams/chrf.hpp"
#include "refscore/ngrams/common_counts.hpp"
#include "refscore/ngrams/ngram_index.hpp"

namespace refscore {

class ChrfPairs {
  public:
    // One instance per thread.
    struct Scratch {
        CommonCounts::Scratch common;
        std::vector<uint32_t> matches;  // by order and hypothesis
        std::vector<int64_t> row;
    };

    // Whether every segment has exactly one reference.
    static bool takes(const PreparedUnits& references);

    void build(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references,
               size_t threads);
    // The memory that stays allocated between calls.
    size_t bytes() const { return units_.bytes() + words_.bytes() + common_units_.bytes() + common_words_.bytes(); }

    // Writes the scores of all hypotheses with one reference.
    void scores(Scratch& scratch, size_t reference, std::span<double> out) const;

  private:
    size_t order_of(size_t i) const { return i < settings_.char_order ? i + 1 : i - settings_.char_order + 1; }
    // The number of n-grams of a sequence, for the i-th order.
    int64_t ngrams(size_t sequence, size_t i) const;

    ChrfSettings settings_;
    size_t hypotheses_ = 0, references_ = 0;
    std::vector<size_t> lengths_, word_lengths_;  // hypotheses first
    NgramIndex units_;
    NgramIndex words_;
    CommonCounts common_units_;
    CommonCounts common_words_;
};

// Scores all hypotheses with the mean of the references' counts, weighted unless `weights` is empty. Every segment must
// have exactly one reference.
void chrf_with_all(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses,
                   const PreparedUnits& references, std::span<const double> weights, std::span<double> scores);

}  // namespace refscore

// chrF of all pairs of a group of texts, and with a whole group at once: each text's n-grams are counted once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chrf.hpp"
#include "common_counts.hpp"
#include "ngram_index.hpp"

namespace refscore {

class ChrfPairs {
  public:
    // Scratch memory of one thread.
    struct Scratch {
        CommonCounts::Scratch common;
        std::vector<uint32_t> matches;  // by order and hypothesis
        std::vector<int64_t> row;
    };

    // Every segment of the references has to have exactly one.
    static bool takes(const PreparedUnits& references);

    void build(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references);
    // How much memory is kept for the next call.
    size_t bytes() const { return units_.bytes() + words_.bytes() + common_units_.bytes() + common_words_.bytes(); }

    // The scores of all hypotheses with one reference.
    void scores(Scratch& scratch, size_t reference, double* out) const;

  private:
    size_t order_of(size_t i) const { return i < settings_.char_order ? i + 1 : i - settings_.char_order + 1; }
    // The n-grams of a sequence, of the i-th order.
    int64_t ngrams(size_t sequence, size_t i) const;

    ChrfSettings settings_;
    size_t hypotheses_ = 0, references_ = 0;
    std::vector<size_t> lengths_, word_lengths_;  // hypotheses first
    NgramIndex units_;
    NgramIndex words_;
    CommonCounts common_units_;
    CommonCounts common_words_;
};

// The scores of all hypotheses with the mean of the references' counts, weighted unless `weights` is empty; every segment of the
// references has to have exactly one.
void chrf_with_all(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references,
                   std::span<const double> weights, double* scores);

}  // namespace refscore

// chrF: the F-score of character n-grams, and of word n-grams for chrF++.
#pragma once

#include <cstdint>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/chrf_input.hpp"
#include "refscore/ngrams/unit_matches.hpp"

namespace refscore {

// How fractions of 0/0 are treated. Effective: orders that one side lacks are omitted, and F is computed from mean
// precision and recall. Epsilon: the mean of all orders' F, with a tiny number for undefined fractions. Nltk: the same,
// but NLTK replaces the whole F of such an order.
enum class ChrfSmoothing : uint8_t { Effective, Epsilon, Nltk };

struct ChrfSettings {
    size_t char_order = 6;
    size_t word_order = 0;
    double beta = 2;
    ChrfSmoothing smoothing = ChrfSmoothing::Effective;
    bool macro = false;  // the corpus score is the mean of segment scores

    void check() const {
        require(char_order <= kMostOrders && word_order <= kMostOrders, "the order of n-grams must be at most 1000000");
        require(orders() > 0, "either the order of characters or that of words must be at least 1");
        require(beta >= 0 && std::isfinite(beta), "beta must be finite and at least 0");
    }

    size_t orders() const { return char_order + word_order; }
    // Per order: n-grams of the hypothesis, n-grams of the reference, matches. With `macro`: the score, and 1.
    size_t columns() const { return macro ? 2 : 3 * orders(); }
};

inline int64_t ngram_count(size_t length, size_t order) {
    return length < order ? 0 : static_cast<int64_t>(length - order + 1);
}

struct ChrfParts {
    double value = 0;
    double percent = 0;    // rounded as in sacrebleu: two references may tie only in this number
    double precision = 0;  // means over the orders that count
    double recall = 0;
};

// One instance per thread.
class Chrf {
  public:
    // Returns the counts of the best reference: 3 * orders() numbers.
    std::span<const int64_t> counts(const ChrfSettings& settings, const ChrfHypothesis& hypothesis,
                                    const ChrfReferences& references);

  private:
    UnitMatches units_;
    NgramCounter words_;
    std::vector<int64_t> here_;
    std::vector<int64_t> best_;
    std::vector<int64_t> matches_;
};

ChrfParts chrf_score(const ChrfSettings& settings, std::span<const int64_t> counts);
ChrfParts chrf_score(const ChrfSettings& settings, std::span<const double> counts);

}  // namespace refscore

// acc*_eq: the accuracy of Deutsch, Foster and Freitag (2023) with the threshold for ties of the metric that maximizes
// its mean over groups. A pair of scores is right if both sides order it alike, or if both tie it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/simd/swapped_ties.hpp"

namespace refscore {

// Pairs of human scores within groups. Accuracies are integers in units of 1 / (groups * unit()). They are exact unless
// the groups have very many different sizes.
class HumanPairs {
  public:
    struct Pair {
        uint32_t first, second;  // positions
        int32_t sign;            // of the difference of the human scores
        int64_t weight;          // in the mean over groups
    };

    // The most pairs: with their differences they take 1 GiB.
    static constexpr size_t kMost = size_t{1} << 24;

    // Group g has the scores from starts[g] to starts[g + 1]. Throws TooLarge for more pairs than kMost.
    HumanPairs(std::span<const double> human, std::span<const size_t> starts);

    const std::vector<Pair>& pairs() const { return pairs_; }
    size_t groups() const { return groups_; }
    int64_t unit() const { return unit_; }
    // Differences of two accuracies that are at most this far apart may be equal; 0 if weights are exact.
    int64_t rounding() const { return rounding_; }
    bool have_equal_weights() const { return have_equal_weights_; }

  private:
    std::vector<Pair> pairs_;
    size_t groups_ = 0;
    int64_t unit_ = 1, rounding_ = 0;
    bool have_equal_weights_ = true;
};

struct CalibratedAccuracy {
    double accuracy, threshold;
};

// Returns the largest mean accuracy, and the smallest threshold that reaches it: 0, or the difference of two scores.
CalibratedAccuracy calibrate_ties(const HumanPairs& human, std::span<const double> metric);

// Computes the accuracies of two metrics whose scores are swapped in some positions, for kTieDraws draws at a time.
// Contains scratch memory.
class SwappedTies {
  public:
    // Both metrics must have standard deviation 1 or 0. The objects must exist as long as this one is used.
    void start(const HumanPairs& human, std::span<const double> one, std::span<const double> other);
    // Bit d of swapped[i] is set if draw d swaps position i. Writes how much larger the second accuracy is, for each
    // draw.
    void differences(const uint64_t* swapped, std::span<int64_t> out);

  private:
    struct Sorted {
        double difference;
        uint32_t pair, flags;
    };

    const HumanPairs* human_ = nullptr;
    std::vector<Sorted> sorted_;
    std::vector<TieStep> steps_;
    std::vector<int64_t> weights_;  // by step, if the weights of pairs differ
};

}  // namespace refscore

// PERM-BOTH for soft pairwise accuracy (Thompson, Mathur, Deutsch and Khayrallah, 2024): do people and a metric find
// two systems equally different?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "refscore/statistics/resampling.hpp"

namespace refscore {

// For two systems, permutations change the signs of their score differences in segments. The share of permutations
// whose sum is at least the observed one is the p-value of "the first one is better". The statistic of a metric is the
// sum of |p - q| over pairs of systems, where q is the p-value of human scores.
//
// The sum of swapped scores is a sum of terms of one metric each: with v = -1 where scores change places, else 1, the
// first metric has (a + b) / 2 + v * (a - b) / 2 and the second one (a + b) / 2 - v * (a - b) / 2. So the products of
// permutations and v * a are computed once for each metric and draw, and all pairs of metrics share them.
class SoftSwapTest {
  public:
    struct Shape {
        size_t metrics, systems, segments, permutations;

        size_t rows() const { return metrics * systems; }
        size_t system_pairs() const { return systems * (systems - 1) / 2; }
    };

    using Pair = std::pair<size_t, size_t>;  // "the second metric agrees better"

    // `signs` has a row of 1 and -1 for each permutation, `scores` a row for each metric and system. `human` has, for
    // each pair of systems, the number of permutations with at least the observed sum. A draw uses whole words of the
    // generator: bit i is that of position i in systems × segments. The scores must exist as long as this object.
    SoftSwapTest(const Shape& shape, std::span<const double> signs, std::span<const int64_t> human,
                 std::span<const double> scores, std::span<const Pair> pairs, Pcg64 generator);

    // Writes the lead of each pair, for each draw from `begin` to `end`: by how much its sum of |p - q| is smaller,
    // times the number of permutations.
    void leads(size_t begin, size_t end, size_t threads, std::span<int64_t> out) const;
    std::span<const int64_t> observed() const { return observed_; }

  private:
    class Worker;
    // The permutations of one block: few enough that their signs fit into the L2 cache.
    static constexpr size_t kBlock = 64;

    Shape shape_;
    size_t blocks_;
    std::vector<double> signs_;  // by block, segment and permutation of the block; 0 after the last permutation
    std::vector<int64_t> human_;
    std::span<const double> scores_;
    std::vector<double> sums_, scales_;  // by metric and system: of scores, and of their absolute values
    std::vector<double> products_;       // by block, metric and system, and permutation
    std::vector<Pair> pairs_;
    std::vector<int64_t> observed_;  // leads
    Pcg64 generator_;
};

}  // namespace refscore

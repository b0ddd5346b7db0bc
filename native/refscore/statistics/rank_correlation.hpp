// Measures the agreement of two orders. Ranks may repeat.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace refscore {

// Counts pairs i < j with ranks[i] < ranks[j], in O(n log n).
class AscendingPairs {
  public:
    // For arbitrary numbers.
    uint64_t count(std::span<const int64_t> ranks);
    // For ranks below `limit`.
    uint64_t count(std::span<const uint32_t> ranks, size_t limit);

  private:
    uint64_t count_by_tree(std::span<const uint32_t> ranks, size_t limit);

    std::vector<uint32_t> tree_;
};

// Counts pairs within runs where each rank is its predecessor plus one.
uint64_t pairs_in_runs(std::span<const uint32_t> ranks);

// Spearman's rho as 1 - Σd²/C(n+1, 3) for n > 1 ranks. d is the difference between an element's position and its rank
// among all elements. Equal elements share the mean of their ranks.
class SpearmanRho {
  public:
    double of(std::span<const uint32_t> ranks);

  private:
    std::vector<uint32_t> order_;
};

}  // namespace refscore

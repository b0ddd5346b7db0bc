// How much two orders agree. Equal ranks may occur.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace refscore {

// Pairs i < j with ranks[i] < ranks[j], in O(n log n).
class AscendingPairs {
  public:
    // Any numbers.
    uint64_t count(std::span<const int64_t> ranks);
    // Ranks below `limit`.
    uint64_t count(std::span<const uint32_t> ranks, size_t limit);

  private:
    uint64_t count_by_tree(std::span<const uint32_t> ranks, size_t limit);

    std::vector<uint32_t> tree_;
};

// Pairs within runs in which each rank is the one before plus one.
uint64_t pairs_in_runs(std::span<const uint32_t> ranks);

// Spearman's rho as 1 - Σd²/C(n+1, 3) for n > 1 ranks, where d is the difference between a place and the rank's own rank among
// all; equal ones share the mean of their ranks.
class SpearmanRho {
  public:
    double of(std::span<const uint32_t> ranks);

  private:
    std::vector<uint32_t> order_;
};

}  // namespace refscore

// The weighted common subsequence of ROUGE-W, which prefers consecutive matches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/edit_distance.hpp"

namespace refscore {

// One instance per thread.
//
// ROUGE-1.5.5 fills a table with the weight of the best subsequence that ends in each cell, and with the length of the
// run of matches there. Equal tokens always extend the run, so the result is not always the best subsequence. It reads
// the subsequence from the end. Only one bit per cell is stored: whether the reference token is skipped. Long tables
// are filled twice: first to store every 4096th row, then block by block from the end to set the bits.
class WeightedSubsequence {
  public:
    using Pair = CommonSubsequence::Pair;

    // A run of k matches has the weight k^power. Call it before pairs().
    void set_power(double power);
    // Returns k^power for the length of a run.
    double weight(size_t run);
    // Returns the subsequence from the last pair to the first, valid until the next call. Reference tokens are from 1,
    // hypothesis tokens from 0.
    std::span<const Pair> pairs(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                uint32_t vocabulary);

  private:
    // 4096: the bits of a block need 512 bytes per hypothesis token, and the stored rows 12 bytes per token and block.
    static constexpr size_t kBlockRows = 4096;

    template <bool kMark>
    void fill(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

    double power_ = 1;
    std::vector<double> weights_;  // by length of a run
    Buffer<double> row_;           // by hypothesis token: the weight of the subsequence
    Buffer<uint32_t> runs_;        // by hypothesis token: the length of the run of matches
    std::vector<double> stored_rows_;
    std::vector<uint32_t> stored_runs_;
    Buffer<uint64_t> skips_;
    Buffer<Pair> pairs_;
};

}  // namespace refscore

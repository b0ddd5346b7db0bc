// The suffixes of a sequence in lexical order, and the common prefix lengths of neighbours. O(n log n) for any
// sequence.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"

namespace refscore {

// Reused from sequence to sequence.
class SuffixOrder {
  public:
    // All symbols must be below `alphabet`.
    void build(std::span<const uint32_t> sequence, uint32_t alphabet);

    // The start of the k-th suffix in order.
    uint32_t suffix(size_t k) const { return suffixes_[k]; }
    // The number of symbols that suffixes k - 1 and k share at the beginning; k > 0.
    uint32_t common(size_t k) const { return common_[k]; }

  private:
    // Sorts `by_second_`, which is ordered by a second key, by class.
    void sort_by_class(size_t size, size_t classes);
    void measure_common(std::span<const uint32_t> sequence);

    Buffer<uint32_t> suffixes_;
    Buffer<uint32_t> common_;
    Buffer<uint32_t> classes_;  // suffixes that are equal as far as compared
    Buffer<uint32_t> next_classes_;
    Buffer<uint32_t> by_second_;
    Buffer<uint32_t> counts_;
};

}  // namespace refscore

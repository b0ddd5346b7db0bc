// The suffixes of a sequence in lexical order, and how much neighbours have in common. O(n log n) for any sequence.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"

namespace refscore {

// Reused from sequence to sequence.
class SuffixOrder {
  public:
    // The symbols are below `alphabet`.
    void build(std::span<const uint32_t> sequence, uint32_t alphabet);

    // Where the suffix begins that is k-th in order.
    uint32_t suffix(size_t k) const { return suffixes_[k]; }
    // How many symbols the suffixes k - 1 and k begin with in common; k > 0.
    uint32_t common(size_t k) const { return common_[k]; }

  private:
    // Brings `by_second_`, suffixes in the order of a second key, into the order of their classes first.
    void sort_by_class(size_t size, size_t classes);
    void measure_common(std::span<const uint32_t> sequence);

    Buffer<uint32_t> suffixes_;
    Buffer<uint32_t> common_;
    Buffer<uint32_t> classes_;  // of suffixes that are equal as far as they have been compared
    Buffer<uint32_t> next_classes_;
    Buffer<uint32_t> by_second_;
    Buffer<uint32_t> counts_;
};

}  // namespace refscore

// Error rates without the order of words, as for the text of pages whose columns are read in a different order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/distance/edit_distance.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// One instance per thread.
class UnorderedErrors {
  public:
    // Returns the counts of the reference with the lowest rate, the first of equals.
    EditCounts count(std::span<const uint32_t> hypothesis, const NumberedReferences& references);

  private:
    std::vector<uint32_t> left_;  // by token: occurrences in the reference without a match; all 0 between pairs
};

}  // namespace refscore

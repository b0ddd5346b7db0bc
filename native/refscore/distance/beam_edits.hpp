// The edit distance within tercom's beam, with any cost of a substitution, as in torchmetrics' EditDistance.
#pragma once

#include <cstdint>
#include <span>

namespace refscore {

// The largest cost of a substitution: sums of costs of 2**31 symbols then fit into 64 bits.
constexpr uint32_t kMostSubstitutionCost = UINT32_MAX;

uint64_t beam_edits(std::span<const int32_t> hypothesis, std::span<const int32_t> reference,
                    uint32_t substitution_cost);

}  // namespace refscore

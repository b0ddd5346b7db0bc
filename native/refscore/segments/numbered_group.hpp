// Numbers the tokens of a group of texts with several threads.
#pragma once

#include <vector>

#include "refscore/segments/prepared.hpp"
#include "refscore/segments/sequences.hpp"

namespace refscore {

// Returns all texts with common numbers, hypotheses first. Every segment must have exactly one reference. With several
// threads, the numbers differ from run to run.
Sequences number_group(const std::vector<TokenList>& hypotheses, const PreparedReferences& references, size_t threads);

}  // namespace refscore

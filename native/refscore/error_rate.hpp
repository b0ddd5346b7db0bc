// Word and character error rates: the edit counts of the reference that needs the fewest edits for its length.
#pragma once

#include "edit_distance.hpp"
#include "segments.hpp"

namespace refscore {

// Errors per reference token. An empty reference counts as one token.
double error_rate(double errors, double reference_length);

// Returns the counts of the reference with the lowest rate, the first of equals.
EditCounts count_errors(std::span<const uint32_t> hypothesis, const NumberedReferences& references, EditDistance& scratch);

}  // namespace refscore

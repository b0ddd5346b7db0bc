// Word and character error rates: counts of edits, of the reference that needs the fewest for its length.
#pragma once

#include "edit_distance.hpp"
#include "segments.hpp"

namespace refscore {

// Errors by reference tokens; a reference without tokens counts as one of a single token.
double error_rate(double errors, double reference_length);

// The counts of the reference with the lowest rate, the first one of equals.
EditCounts count_errors(std::span<const uint32_t> hypothesis, const NumberedReferences& references, EditDistance& scratch);

}  // namespace refscore

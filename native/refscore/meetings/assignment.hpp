// The best assignment of reference speakers to hypothesis speakers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace refscore {

// Returns the column of each row in an assignment with the lowest total cost. `costs` has size * size numbers, row by
// row.
//
// Shortest augmenting paths (Jonker and Volgenant 1987, Crouse 2016). Among equal paths it prefers a free column, then
// the last column that is still in order, which is the choice of scipy.optimize.linear_sum_assignment.
std::vector<size_t> assign_rows(std::span<const int64_t> costs, size_t size);
std::vector<size_t> assign_rows(std::span<const double> costs, size_t size);

}  // namespace refscore

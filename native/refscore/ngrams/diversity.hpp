// Measures how similar the texts of a set are: BLEU rows of each text with all others, and the share of distinct
// n-grams.
#pragma once

#include <cstdint>
#include <vector>

#include "refscore/ngrams/bleu.hpp"
#include "refscore/segments/collection.hpp"

namespace refscore {

// Computes the row of each text with all others as references, like bleu_row. Needs at least two texts. For
// ReferenceLength::Total the second column is the sum of the other lengths.
void leave_one_out_rows(const BleuSettings& settings, const Collection& collection, uint32_t vocabulary, size_t threads,
                        std::span<int64_t> rows);

// Returns the number of distinct n-grams of each order.
std::vector<uint64_t> distinct_ngrams(const Collection& collection, uint32_t vocabulary, size_t max_order,
                                      size_t threads);

}  // namespace refscore

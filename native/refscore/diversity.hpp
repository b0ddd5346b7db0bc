// How alike the texts of one set are: rows of BLEU of each text with all others, and the share of different n-grams.
#pragma once

#include <cstdint>
#include <vector>

#include "bleu.hpp"
#include "collection.hpp"

namespace refscore {

// The row of each text with all others as its references, as bleu_row has it; at least two texts. For ReferenceLength::Total
// the second column is the sum of the others' lengths.
void leave_one_out_rows(const BleuSettings& settings, const Collection& collection, uint32_t vocabulary, size_t threads, int64_t* rows);

// How many different n-grams there are of each order up to the largest.
std::vector<uint64_t> distinct_ngrams(const Collection& collection, uint32_t vocabulary, size_t max_order, size_t threads);

}  // namespace refscore

// Word and character error rates: the edit counts of the reference that needs the fewest edits for its length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/distance/edit_distance.hpp"
#include "refscore/distance/lattice_distance.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// Errors per reference token. An empty reference counts as one token.
double error_rate(double errors, double reference_length);

// Scratch memory for one thread.
struct ErrorScratch {
    EditDistance distance;
    LatticeDistance lattice;
    std::vector<bool> are_listed;
    std::vector<uint32_t> path;
};

// Returns the counts of the reference with the lowest rate, the first of equals. References with alternatives are
// allowed if `alternatives` is set; the best path of each counts.
EditCounts count_errors(std::span<const uint32_t> hypothesis, const NumberedReferences& references, bool alternatives,
                        ErrorScratch& scratch);

// An alignment with one reference.
struct AlignedReference {
    std::span<const Edit> edits;
    std::span<const uint32_t> words;  // of the reference, or of its best path
    size_t reference;                 // the index of the reference
};

// Returns the alignment with the reference of count_errors(), valid until the next call with this scratch memory.
AlignedReference align_best(std::span<const uint32_t> hypothesis, const NumberedReferences& references,
                            bool alternatives, ErrorScratch& scratch);

// Throws an InputError for a reference with unpaired braces.
void check_alternatives(const NumberedReferences& references);

}  // namespace refscore

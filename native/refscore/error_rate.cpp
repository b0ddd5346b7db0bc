#include "error_rate.hpp"

namespace refscore {

double error_rate(double errors, double reference_length) { return errors / (reference_length > 0 ? reference_length : 1); }

EditCounts count_errors(std::span<const uint32_t> hypothesis, const NumberedReferences& references, EditDistance& scratch) {
    EditCounts best;
    double lowest = 0;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
        begin += reference.size();
        EditCounts counts = scratch.count(hypothesis, reference, references.vocabulary_size);
        double rate = error_rate(static_cast<double>(counts.errors()), static_cast<double>(reference.size()));
        if (r > 0 && rate >= lowest) continue;
        best = counts;
        lowest = rate;
    }
    return best;
}

}  // namespace refscore

#include "refscore/distance/error_rate.hpp"

namespace refscore {
namespace {

// Calls visit(r, tokens, has marks) for each reference.
template <class Visit>
void for_each_reference(const NumberedReferences& references, bool alternatives, Visit visit) {
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
        begin += reference.size();
        bool is_marked = alternatives && has_marks(reference);
        if (is_marked) check_marks(reference, r, references.lengths.size() == 1);
        visit(r, reference, is_marked);
    }
}

}  // namespace

double error_rate(double errors, double reference_length) {
    return errors / (reference_length > 0 ? reference_length : 1);
}

EditCounts count_errors(std::span<const uint32_t> hypothesis, const NumberedReferences& references, bool alternatives,
                        ErrorScratch& scratch) {
    EditCounts best;
    double lowest = 0;
    for_each_reference(references, alternatives, [&](size_t r, std::span<const uint32_t> reference, bool is_marked) {
        EditCounts counts =
            is_marked ? scratch.lattice.count(hypothesis, reference)
                      : scratch.distance.count(hypothesis, reference, references.vocabulary_size, references.places);
        double rate = error_rate(static_cast<double>(counts.errors()),
                                 static_cast<double>(counts.hits + counts.substitutions + counts.deletions));
        if (r > 0 && rate >= lowest) return;
        best = counts;
        lowest = rate;
    });
    return best;
}

AlignedReference align_best(std::span<const uint32_t> hypothesis, const NumberedReferences& references,
                            bool alternatives, ErrorScratch& scratch) {
    std::span<const uint32_t> chosen;
    size_t best = 0;
    bool is_chosen_marked = false;
    double lowest = 0;
    for_each_reference(references, alternatives, [&](size_t r, std::span<const uint32_t> reference, bool is_marked) {
        double rate = 0;
        if (references.lengths.size() > 1) {
            EditCounts counts = is_marked ? scratch.lattice.count(hypothesis, reference)
                                          : scratch.distance.count(hypothesis, reference, references.vocabulary_size);
            rate = error_rate(static_cast<double>(counts.errors()),
                              static_cast<double>(counts.hits + counts.substitutions + counts.deletions));
        }
        if (r > 0 && rate >= lowest) return;
        best = r;
        lowest = rate;
        chosen = reference;
        is_chosen_marked = is_marked;
    });
    if (!is_chosen_marked)
        return {scratch.distance.align(hypothesis, chosen, references.vocabulary_size), chosen, best};
    std::span<const Edit> edits = scratch.lattice.align(hypothesis, chosen);
    return {edits, scratch.lattice.path(), best};
}

void check_alternatives(const NumberedReferences& references) {
    for_each_reference(references, true, [](size_t, std::span<const uint32_t>, bool) {});
}

}  // namespace refscore

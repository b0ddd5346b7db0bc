#include "refscore/distance/weighted_errors.hpp"

#include <algorithm>

namespace refscore {

void WeightedErrors::read_reference(const NumberedReferences& references, size_t r, size_t begin) {
    std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
    reference_.clear();
    marked_ = {};
    if (settings_.alternatives && has_marks(reference)) {
        check_marks(reference, r, references.lengths.size() == 1);
        marked_ = reference;
        return;
    }
    for (uint32_t number : reference)
        reference_.add(number, references.vocabulary.tokens[number], references.vocabulary.arena);
}

// Calls visit(r, first token) with each reference in `reference_`.
template <class Visit>
void WeightedErrors::for_each_reference(const NumberedTexts& hypothesis, const NumberedReferences& references,
                                        Visit visit) {
    if (references.kind == ItemKind::Ids)
        throw InputError(std::nullopt, "the tokens are integers, but edits with costs or compounds need strings",
                         "pass text, or tokens that are strings");
    hypothesis_.clear();
    for (size_t i = 0; i < hypothesis.numbers.size(); ++i)
        hypothesis_.add(hypothesis.numbers[i], hypothesis.texts.tokens[i], hypothesis.texts.arena);
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        read_reference(references, r, begin);
        visit(r, begin);
        begin += references.lengths[r];
    }
}

WeightedErrors::Pair WeightedErrors::joined(uint32_t vocabulary) {
    bool joins = settings_.compounds == Compounds::Regions || settings_.compounds == Compounds::RegionsAndMerge;
    if (!joins || !regions_.join(hypothesis_, reference_, vocabulary)) return {hypothesis_, reference_, vocabulary};
    return {regions_.hypothesis, regions_.reference, regions_.vocabulary};
}

EditCounts WeightedErrors::count_one(uint32_t vocabulary) {
    if (!marked_.empty())
        return settings_.costs == EditCosts::Equal ? plain_lattice_.count(hypothesis_.numbers, marked_)
                                                   : sclite_lattice_.count(hypothesis_.numbers, marked_);
    Pair pair = joined(vocabulary);
    if (is_plain()) return distance_.count(pair.hypothesis.numbers, pair.reference.numbers, pair.vocabulary);
    return weighted_.count(pair.hypothesis, pair.reference, settings_.costs, merges());
}

EditCounts WeightedErrors::count(const NumberedTexts& hypothesis, const NumberedReferences& references,
                                 WeightedSettings settings) {
    settings_ = settings;
    EditCounts best;
    double lowest = 0;
    for_each_reference(hypothesis, references, [&](size_t r, size_t) {
        EditCounts counts = count_one(references.vocabulary_size);
        double rate = error_rate(static_cast<double>(counts.errors()),
                                 static_cast<double>(counts.hits + counts.substitutions + counts.deletions));
        if (r > 0 && rate >= lowest) return;
        best = counts;
        lowest = rate;
    });
    return is_skipped(best) ? EditCounts() : best;
}

template <class Lattice>
std::span<const EditRun> WeightedErrors::align_lattice(Lattice& lattice) {
    std::span<const Edit> edits = lattice.align(hypothesis_.numbers, marked_);
    for (size_t i = 0; i < edits.size(); ++i) {
        uint32_t words = edits[i] != Edit::Insertion, own = edits[i] != Edit::Deletion && !lattice.is_missing()[i];
        bool continues = !runs_.empty() && runs_.back().edit == edits[i] && (runs_.back().hypothesis > 0) == (own > 0);
        if (!continues) runs_.push_back({edits[i], false, 0, 0});
        runs_.back().reference += words;
        runs_.back().hypothesis += own;
    }
    return runs_;
}

std::span<const EditRun> WeightedErrors::align_one(uint32_t vocabulary) {
    runs_.clear();
    if (!marked_.empty())
        return settings_.costs == EditCosts::Equal ? align_lattice(plain_lattice_) : align_lattice(sclite_lattice_);
    Pair pair = joined(vocabulary);
    size_t i = 0, j = 0;
    // Adds an edit of joined words, as original words.
    auto push = [&](Edit edit, bool is_compound, uint32_t words, uint32_t own_words) {
        uint32_t size = 0, own_size = 0;
        for (uint32_t k = 0; k < words; ++k) size += pair.reference.sizes[i++];
        for (uint32_t k = 0; k < own_words; ++k) own_size += pair.hypothesis.sizes[j++];
        is_compound |= size + own_size > (edit == Edit::Hit || edit == Edit::Substitution ? 2U : 1U);
        if (!is_compound && !runs_.empty() && runs_.back().edit == edit && !runs_.back().is_compound) {
            runs_.back().reference += size;
            runs_.back().hypothesis += own_size;
        } else {
            runs_.push_back({edit, is_compound, size, own_size});
        }
    };
    if (is_plain()) {
        for (Edit edit : distance_.align(pair.hypothesis.numbers, pair.reference.numbers, pair.vocabulary))
            push(edit, false, edit != Edit::Insertion, edit != Edit::Deletion);
        return runs_;
    }
    for (const EditRun& run : weighted_.align(pair.hypothesis, pair.reference, settings_.costs, merges())) {
        if (run.is_compound) {
            push(run.edit, true, run.reference, run.hypothesis);
            continue;
        }
        for (uint32_t k = 0; k < std::max(run.reference, run.hypothesis); ++k)
            push(run.edit, false, run.reference > 0, run.hypothesis > 0);
    }
    return runs_;
}

WeightedErrors::Aligned WeightedErrors::align(const NumberedTexts& hypothesis, const NumberedReferences& references,
                                              WeightedSettings settings) {
    settings_ = settings;
    size_t best = 0, best_begin = 0;
    double lowest = 0;
    bool has_choice = references.lengths.size() > 1;
    for_each_reference(hypothesis, references, [&](size_t r, size_t begin) {
        double rate = 0;
        if (has_choice) {
            EditCounts counts = count_one(references.vocabulary_size);
            rate = error_rate(static_cast<double>(counts.errors()),
                              static_cast<double>(counts.hits + counts.substitutions + counts.deletions));
        }
        if (r > 0 && rate >= lowest) return;
        best = r;
        best_begin = begin;
        lowest = rate;
    });
    read_reference(references, best, best_begin);
    std::span<const EditRun> runs = align_one(references.vocabulary_size);
    bool has_words = std::ranges::any_of(runs, [](const EditRun& run) { return run.reference > 0; });
    if (settings_.empty == EmptyReferences::Skip && !has_words) runs = {};
    if (marked_.empty()) return {runs, best, false, {}};
    return {runs, best, true, settings_.costs == EditCosts::Equal ? plain_lattice_.path() : sclite_lattice_.path()};
}

}  // namespace refscore

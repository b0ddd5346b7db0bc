#include "unit_matches.hpp"

#include <algorithm>

#include "stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kPlaceWork = 4;  // nanoseconds per position, for checkpoint(); only the order of magnitude matters

}  // namespace

void UnitMatches::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, size_t max_order, int64_t* matches) {
    std::fill(matches, matches + max_order, 0);
    if (hypothesis.empty() || reference.empty() || max_order == 0) return;
    symbols_.clear();
    uint32_t* reference_symbols = reference_.reserve(reference.size());
    uint32_t* hypothesis_symbols = hypothesis_.reserve(hypothesis.size());
    for (size_t i = 0; i < reference.size(); ++i) reference_symbols[i] = symbols_.add(reference[i]);
    for (size_t i = 0; i < hypothesis.size(); ++i) hypothesis_symbols[i] = symbols_.find(hypothesis[i]);
    size_t entries = (std::max<size_t>(reference.size(), symbols_.size()) + 1) * (symbols_.size() + size_t{1});
    if (reference.size() <= kMostClasses && entries <= kMostEntries) {
        if (entries > table_size_) {
            size_t size = std::min(2 * entries, kMostEntries);
            std::fill_n(table_.reserve(size), size, 0);
            table_size_ = size;
        }
        return count_by_class(hypothesis.size(), reference.size(), max_order, matches);
    }
    uint32_t length = static_cast<uint32_t>(reference.size());
    NumberedReferences one{{}, symbols_.size(), {reference_symbols, reference.size()}, {&length, 1}};
    counter_.count({hypothesis_symbols, hypothesis.size()}, one, max_order, matches);
}

void UnitMatches::start_generation() {
    if (++generation_ > kMostClasses) {
        std::fill_n(table_.data(), table_size_, 0);
        generation_ = 1;
    }
}

void UnitMatches::count_by_class(size_t hypothesis_size, size_t reference_size, size_t max_order, int64_t* matches) {
    uint32_t alphabet = symbols_.size() + 1;
    const uint32_t *hypothesis = hypothesis_.data(), *reference = reference_.data();
    Tally* tallies = tallies_.reserve(std::max<size_t>(reference_size, symbols_.size()) + 1);
    Place* hypothesis_places = hypothesis_places_.reserve(hypothesis_size + 1);
    Place* reference_places = reference_places_.reserve(reference_size + 1);
    uint32_t* table = table_.data();

    // Whether an n-gram is new or occurs in the other sequence is unpredictable, so nothing branches on it. For order 1 the class
    // is the symbol; SymbolMap::kNone is the class without a tally.
    std::fill_n(tallies, alphabet, Tally{0, 0});
    for (size_t i = 0; i < reference_size; ++i) ++tallies[reference[i]].reference;
    int64_t found = 0;
    size_t hypothesis_left = 0, reference_left = 0;
    for (size_t i = 0; i < hypothesis_size; ++i) {
        Tally& tally = tallies[hypothesis[i]];
        found += tally.hypothesis++ < tally.reference;
        hypothesis_places[hypothesis_left] = {static_cast<uint32_t>(i), hypothesis[i]};
        hypothesis_left += tally.reference > 0;
    }
    matches[0] = found;
    for (size_t i = 0; i < reference_size; ++i) {
        reference_places[reference_left] = {static_cast<uint32_t>(i), reference[i]};
        reference_left += tallies[reference[i]].hypothesis > 0;
    }
    auto drop_last = [](const Place* places, size_t left, size_t end) { return left - (left > 0 && places[left - 1].position >= end); };

    for (size_t n = 2; n <= max_order; ++n) {
        // Places are sorted, so only the last one can be too close to the end for an n-gram of this order.
        hypothesis_left = drop_last(hypothesis_places, hypothesis_left, hypothesis_size + 1 - std::min(n, hypothesis_size + 1));
        reference_left = drop_last(reference_places, reference_left, reference_size + 1 - std::min(n, reference_size + 1));
        if (hypothesis_left == 0 || reference_left == 0) return;
        checkpoint(kPlaceWork * (hypothesis_left + reference_left));
        start_generation();
        uint32_t stamp = generation_ << 16, classes = 0;
        for (size_t k = 0; k < reference_left; ++k) {
            Place& place = reference_places[k];
            uint32_t& entry = table[place.ngram * alphabet + reference[place.position + n - 1]];
            uint32_t is_new = (entry ^ stamp) > kMostClasses, keep = is_new - 1;  // all ones, or 0 if it is new
            classes += is_new;
            uint32_t ngram = (entry & kMostClasses & keep) | (classes & ~keep);
            entry = stamp | ngram;
            place.ngram = ngram;
            tallies[ngram] = {(tallies[ngram].reference & keep) + 1, 0};
        }
        tallies[0] = {0, 0};
        found = 0;
        size_t left = 0;
        for (size_t k = 0; k < hypothesis_left; ++k) {
            uint32_t position = hypothesis_places[k].position;
            uint32_t entry = table[hypothesis_places[k].ngram * alphabet + hypothesis[position + n - 1]];
            uint32_t ngram = entry & kMostClasses & (uint32_t{(entry ^ stamp) > kMostClasses} - 1);
            uint32_t used = tallies[ngram].hypothesis;
            found += used < tallies[ngram].reference;
            tallies[ngram].hypothesis = used + 1;
            hypothesis_places[left] = {position, ngram};
            left += ngram != 0;
        }
        matches[n - 1] = found;
        hypothesis_left = left;
        left = 0;
        for (size_t k = 0; k < reference_left; ++k) {
            Place place = reference_places[k];
            reference_places[left] = place;
            left += tallies[place.ngram].hypothesis > 0;
        }
        reference_left = left;
    }
}

}  // namespace refscore

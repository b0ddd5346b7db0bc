#include "unit_index.hpp"

#include <algorithm>

#include "vocabulary.hpp"

namespace refscore {

void UnitIndex::build(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order) {
    sequences_ = ends.size();
    size_ = entry_count_ = 0;
    symbols_.clear();
    units_.room(codes.size());
    for (size_t i = 0; i < codes.size(); ++i) units_[i] = symbols_.add(codes[i]);
    std::fill_n(classes_.room(codes.size()), codes.size(), 1);  // all begin with the n-gram of order 0
    starts_.assign(1, 0);
    ngrams_.clear();
    for (size_t n = 1; n <= max_order; ++n) {
        number_ngrams(ends, left, n);
        list_ngrams(ends, n);
    }
}

// An n-gram's class is looked up by its prefix's class and its last symbol: in a table that has a place for every such pair, or
// in a hash table where that one would be large.
void UnitIndex::number_ngrams(std::span<const size_t> ends, size_t left, size_t order) {
    constexpr size_t kFewestSlots = 4096, kMostPairs = size_t{1} << 20;
    size_t alphabet = symbols_.size() + size_t{1}, pairs = std::max<size_t>(ngrams_.size(), 2) * alphabet;
    bool is_dense = pairs <= kMostPairs;
    if (is_dense) {
        std::fill_n(pairs_.room(pairs), pairs, 0);
    } else {
        slots_.assign(std::max(kFewestSlots, slots_.size()), Slot{0, 0});
    }
    ngrams_.assign(1, {0, 0, 0, kNoSide});
    for (size_t s = 0, begin = 0; s < ends.size(); begin = ends[s++]) {
        uint8_t side = s < left ? kLeft : kRight;
        for (size_t i = begin; i + order <= ends[s]; ++i) {
            if (classes_[i] == 0) continue;
            uint32_t& ngram = is_dense ? pairs_[classes_[i] * alphabet + units_[i + order - 1]] : slot_of(classes_[i], units_[i + order - 1]);
            if (ngram == 0) {
                ngram = static_cast<uint32_t>(ngrams_.size());
                ngrams_.push_back({0, 0, 0, kNoSide});
            }
            classes_[i] = ngram;
            ngrams_[ngram].sides |= side;
        }
    }
}

void UnitIndex::list_ngrams(std::span<const size_t> ends, size_t order) {
    entries_.room(entry_count_ + (ends.empty() ? 0 : ends.back()), entry_count_);
    for (size_t s = 0, begin = 0; s < ends.size(); begin = ends[s++]) {
        for (size_t i = begin; i + order <= ends[s]; ++i) {
            Ngram& ngram = ngrams_[classes_[i]];
            if (ngram.sides != (kLeft | kRight)) {
                classes_[i] = 0;
                continue;
            }
            if (ngram.sequence != s + 1) {
                if (ngram.sequence == 0) ngram.number = static_cast<uint32_t>(size_++);
                ngram.sequence = static_cast<uint32_t>(s + 1);
                ngram.entry = static_cast<uint32_t>(entry_count_);
                entries_[entry_count_++] = {ngram.number, 0};
            }
            ++entries_[ngram.entry].count;
        }
        starts_.push_back(entry_count_);
    }
}

// Where the hash table has the class of an n-gram; 0 if it is new.
uint32_t& UnitIndex::slot_of(uint64_t prefix, uint32_t symbol) {
    if (2 * ngrams_.size() >= slots_.size()) grow();
    uint64_t key = prefix << 32 | symbol;
    size_t mask = slots_.size() - 1;
    size_t slot = fold_multiply(key ^ kSeeds.first, kSeeds.second) & mask;
    while (slots_[slot].ngram != 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
    slots_[slot].key = key;
    return slots_[slot].ngram;
}

void UnitIndex::grow() {
    std::vector<Slot> before(2 * slots_.size(), Slot{0, 0});
    before.swap(slots_);
    size_t mask = slots_.size() - 1;
    for (const Slot& old : before) {
        if (old.ngram == 0) continue;
        size_t slot = fold_multiply(old.key ^ kSeeds.first, kSeeds.second) & mask;
        while (slots_[slot].ngram != 0) slot = (slot + 1) & mask;
        slots_[slot] = old;
    }
}

}  // namespace refscore

#include "ngram_index.hpp"

#include <algorithm>
#include <limits>

#include "stopping.hpp"
#include "text.hpp"

namespace refscore {
namespace {

constexpr size_t kUnitWork = 8;  // nanoseconds per unit, for checkpoint(); only the order of magnitude matters

}  // namespace

void NgramIndex::build(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order) {
    sequences_ = ends.size();
    size_ = entry_count_ = 0;
    symbols_.clear();
    units_.reserve(codes.size());
    for (size_t i = 0; i < codes.size(); ++i) units_[i] = symbols_.add(codes[i]);
    std::fill_n(classes_.reserve(codes.size()), codes.size(), 1);  // every position starts with the empty n-gram
    starts_.assign(1, 0);
    ngrams_.clear();
    for (size_t n = 1; n <= max_order; ++n) {
        number_ngrams(ends, left, n);
        list_ngrams(ends, n);
    }
}

void NgramIndex::number_ngrams(std::span<const size_t> ends, size_t left, size_t order) {
    table_.start(std::max<size_t>(ngrams_.size(), 2), symbols_.size() + size_t{1});
    ngrams_.assign(1, {0, 0, 0, kNoSide});
    for (size_t s = 0, begin = 0; s < ends.size(); begin = ends[s++]) {
        uint8_t side = s < left ? kLeft : kRight;
        checkpoint(kUnitWork * (ends[s] - begin));
        for (size_t i = begin; i + order <= ends[s]; ++i) {
            if (classes_[i] == 0) continue;
            auto next = static_cast<uint32_t>(ngrams_.size());
            uint32_t ngram = table_.add(classes_[i], units_[i + order - 1], next);
            if (ngram == next) ngrams_.push_back({0, 0, 0, kNoSide});
            classes_[i] = ngram;
            ngrams_[ngram].sides |= side;
        }
    }
}

void NgramIndex::list_ngrams(std::span<const size_t> ends, size_t order) {
    size_t most = entry_count_ + (ends.empty() ? 0 : ends.back());
    if (most > std::numeric_limits<uint32_t>::max()) throw TooLarge();
    entries_.reserve(most, entry_count_);
    for (size_t s = 0, begin = 0; s < ends.size(); begin = ends[s++]) {
        checkpoint(kUnitWork * (ends[s] - begin));
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

}  // namespace refscore

#include "common_counts.hpp"

#include <algorithm>
#include <limits>

#include "cpu_dispatch.hpp"
#include "stopping.hpp"
#include "text.hpp"

namespace refscore {
namespace {

constexpr size_t kAtOnce = 8;        // rows added per pass: fewer loads and stores of the sums, and the pointers fit into registers
constexpr size_t kMostSummed = 255;  // rows of 0 and 1 that can be added before an 8-bit sum overflows
constexpr size_t kEntryWork = 8;     // nanoseconds per entry, for checkpoint(); only the order of magnitude matters

REFSCORE_INLINE void add_rows_inline(const uint8_t* const* rows, size_t count, size_t width, uint8_t* __restrict sums) {
    for (; count >= kAtOnce; rows += kAtOnce, count -= kAtOnce) {
        const uint8_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3], *e = rows[4], *f = rows[5], *g = rows[6], *h = rows[7];
        for (size_t t = 0; t < width; ++t) sums[t] = static_cast<uint8_t>(sums[t] + a[t] + b[t] + c[t] + d[t] + e[t] + f[t] + g[t] + h[t]);
    }
    for (; count > 0; ++rows, --count) {
        const uint8_t* row = *rows;
        for (size_t t = 0; t < width; ++t) sums[t] = static_cast<uint8_t>(sums[t] + row[t]);
    }
}

void add_rows(const uint8_t* const* rows, size_t count, size_t width, uint8_t* sums) { add_rows_inline(rows, count, width, sums); }
#ifdef REFSCORE_X86
REFSCORE_TARGET_AVX2 void add_rows_avx2(const uint8_t* const* rows, size_t count, size_t width, uint8_t* sums) {
    add_rows_inline(rows, count, width, sums);
}
#endif

const auto best_add_rows = best_function(&add_rows, REFSCORE_IF_X86(&add_rows_avx2));

}  // namespace

void CommonCounts::build(const NgramIndex& index, size_t texts, size_t max_order) {
    constexpr size_t kAlign = 32;  // bytes of an AVX2 register, so add_rows has no remainder loop
    index_ = &index;
    count_ = texts;
    width_ = (texts + kAlign - 1) / kAlign * kAlign;
    auto for_each_entry = [&](auto take) {
        for (size_t t = 0; t < texts; ++t)
            for (size_t n = 1; n <= max_order; ++n) {
                checkpoint(kEntryWork * index.entries(t, n).size());
                for (const NgramIndex::Entry& entry : index.entries(t, n)) take(t, entry);
            }
    };
    // The number of items of an n-gram is its largest number of occurrences in one text.
    first_items_.assign(index.size() + 1, 0);
    for_each_entry([&](size_t, const NgramIndex::Entry& entry) {
        uint32_t& most = first_items_[entry.ngram + 1];
        most = std::max(most, entry.count);
    });
    for (size_t ngram = 0; ngram < index.size(); ++ngram) first_items_[ngram + 1] += first_items_[ngram];
    std::vector<uint32_t>& numbers = places_;
    numbers.assign(first_items_.back(), 0);
    for_each_entry([&](size_t, const NgramIndex::Entry& entry) {
        uint32_t* items = numbers.data() + first_items_[entry.ngram];
        for (uint32_t k = 0; k < entry.count; ++k) ++items[k];
    });
    size_t rows = 0, listed = 0;
    starts_.assign(1, 0);
    for (uint32_t& number : numbers) {
        if (number * kRare >= texts && (rows + 1) * width_ <= kMostBytes) {
            number = static_cast<uint32_t>(rows++);
        } else {
            listed += number;
            number = static_cast<uint32_t>(starts_.size() - 1) | kListed;
            starts_.push_back(static_cast<uint32_t>(listed));
        }
    }
    if (std::max({rows, listed, starts_.size()}) >= kListed) throw TooLarge();
    std::fill_n(rows_.reserve(rows * width_), rows * width_, uint8_t{0});
    texts_.resize(listed);
    for_each_entry([&](size_t t, const NgramIndex::Entry& entry) {
        const uint32_t* items = places_.data() + first_items_[entry.ngram];
        for (uint32_t k = 0; k < entry.count; ++k) {
            if (items[k] & kListed) {
                texts_[starts_[items[k] & ~kListed]++] = static_cast<uint32_t>(t);
            } else {
                rows_[items[k] * width_ + t] = 1;
            }
        }
    });
    // The start of each list has advanced to its end, which is the start of the next list.
    std::copy_backward(starts_.begin(), starts_.end() - 1, starts_.end());
    starts_[0] = 0;
}

void CommonCounts::count(Scratch& scratch, size_t sequence, size_t order, uint32_t* counts) const {
    uint8_t* sums = scratch.sums.reserve(width_);
    std::fill_n(counts, count_, 0);
    scratch.rows.clear();
    checkpoint(kEntryWork * index_->entries(sequence, order).size());
    auto flush = [&] {
        checkpoint(scratch.rows.size() * width_ / kAtOnce);
        std::fill_n(sums, width_, uint8_t{0});
        best_add_rows(scratch.rows.data(), scratch.rows.size(), width_, sums);
        for (size_t t = 0; t < count_; ++t) counts[t] += sums[t];
        scratch.rows.clear();
    };
    for (const NgramIndex::Entry& entry : index_->entries(sequence, order)) {
        uint32_t first = first_items_[entry.ngram], items = std::min(entry.count, first_items_[entry.ngram + 1] - first);
        for (uint32_t item = first; item < first + items; ++item) {
            uint32_t place = places_[item];
            if (place & kListed) {
                uint32_t list = place & ~kListed;
                for (uint32_t at = starts_[list]; at < starts_[list + 1]; ++at) ++counts[texts_[at]];
            } else {
                scratch.rows.push_back(rows_.data() + place * width_);
                if (scratch.rows.size() == kMostSummed) flush();
            }
        }
    }
    if (!scratch.rows.empty()) flush();
}

}  // namespace refscore

#include "refscore/ngrams/common_counts.hpp"

#include <algorithm>
#include <limits>

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/text/text.hpp"
#include "refscore/threads/parallel.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kAtOnce =
    8;  // rows added per pass: fewer loads and stores of the sums, and the pointers fit into registers
constexpr size_t kMostSummed = 255;  // rows of 0 and 1 that can be added before an 8-bit sum overflows
constexpr size_t kEntryWork = 8;     // nanoseconds per entry, for checkpoint(); only the order of magnitude matters

REFSCORE_INLINE void add_rows_inline(const uint8_t* const* rows, size_t count, size_t width, uint8_t* __restrict sums) {
    for (; count >= kAtOnce; rows += kAtOnce, count -= kAtOnce) {
        const uint8_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3], *e = rows[4], *f = rows[5], *g = rows[6],
                      *h = rows[7];
        for (size_t t = 0; t < width; ++t)
            sums[t] = static_cast<uint8_t>(sums[t] + a[t] + b[t] + c[t] + d[t] + e[t] + f[t] + g[t] + h[t]);
    }
    for (; count > 0; ++rows, --count) {
        const uint8_t* row = *rows;
        for (size_t t = 0; t < width; ++t) sums[t] = static_cast<uint8_t>(sums[t] + row[t]);
    }
}

void add_rows(const uint8_t* const* rows, size_t count, size_t width, uint8_t* sums) {
    add_rows_inline(rows, count, width, sums);
}
#ifdef REFSCORE_X86
REFSCORE_TARGET_AVX2 void add_rows_avx2(const uint8_t* const* rows, size_t count, size_t width, uint8_t* sums) {
    add_rows_inline(rows, count, width, sums);
}
#endif

const auto best_add_rows = best_function(&add_rows, REFSCORE_IF_X86(&add_rows_avx2));

}  // namespace

struct CommonCounts::Part {
    size_t order;
    uint32_t begin, end;         // n-grams
    size_t item = 0, items = 0;  // the first item, and their number
    size_t frequent = 0;         // items that could be rows
    size_t row = 0, rows = 0;    // the first row, and their number
    size_t list = 0, listed_before = 0,
           listed = 0;  // the first list, and the number of texts in the lists before it and in its own
};

void CommonCounts::build(const NgramIndex& index, size_t texts, size_t max_order, size_t threads) {
    constexpr size_t kAlign = 32;  // bytes of an AVX2 register, so add_rows has no remainder loop
    index_ = &index;
    count_ = texts;
    width_ = (texts + kAlign - 1) / kAlign * kAlign;
    std::vector<Part> parts;
    // Two parts per thread balance the load. A thread reads all entries of an order and skips the other parts, which is
    // faster than sharing counters with other threads.
    size_t each = threads == 1 ? 1 : std::max<size_t>(1, 2 * thread_count(threads) / std::max<size_t>(max_order, 1)),
           entries = 0;
    for (size_t n = 1; n <= max_order; ++n) {
        size_t begin = index.first(n), size = index.first(n + 1) - begin;
        for (size_t k = 0; k < each; ++k)
            parts.push_back({n, static_cast<uint32_t>(begin + size * k / each),
                             static_cast<uint32_t>(begin + size * (k + 1) / each)});
        for (size_t t = 0; t < texts; ++t) entries += index.entries(t, n).size();
    }
    auto for_each_part = [&](auto work) {
        parallel_for(
            parts.size(), threads,
            [&] {
                return [&](size_t from, size_t to) {
                    for (size_t k = from; k < to; ++k) work(parts[k]);
                };
            },
            1, entries / std::max<size_t>(parts.size(), 1));
    };
    auto for_each_entry = [&](const Part& part, auto take) {
        for (size_t t = 0; t < texts; ++t) {
            std::span<const NgramIndex::Entry> own = index.entries(t, part.order);
            checkpoint(kEntryWork * own.size());
            for (const NgramIndex::Entry& entry : own)
                if (entry.ngram - part.begin < part.end - part.begin) take(t, entry);
        }
    };
    // The number of items of an n-gram is its largest number of occurrences in one text.
    first_items_.resize(index.size() + 1);
    for_each_part([&](Part& part) {
        std::fill(first_items_.begin() + part.begin, first_items_.begin() + part.end, 0);
        for_each_entry(part, [&](size_t, const NgramIndex::Entry& entry) {
            uint32_t& most = first_items_[entry.ngram];
            most = std::max(most, entry.count);
        });
        for (uint32_t ngram = part.begin; ngram < part.end; ++ngram) part.items += first_items_[ngram];
    });
    size_t items = 0;
    for (Part& part : parts) {
        part.item = items;
        items += part.items;
    }
    if (items >= kListed) throw TooLarge();
    first_items_.back() = static_cast<uint32_t>(items);
    places_.resize(items);
    for_each_part([&](Part& part) {
        auto next = static_cast<uint32_t>(part.item);
        for (uint32_t ngram = part.begin; ngram < part.end; ++ngram) {
            uint32_t most = first_items_[ngram];
            first_items_[ngram] = next;
            next += most;
        }
        // First the number of texts of each item, later its place.
        uint32_t* numbers = places_.data();
        std::fill_n(numbers + part.item, part.items, 0);
        for_each_entry(part, [&](size_t, const NgramIndex::Entry& entry) {
            uint32_t* own = numbers + first_items_[entry.ngram];
            for (uint32_t k = 0; k < entry.count; ++k) ++own[k];
        });
        for (size_t i = part.item; i < part.item + part.items; ++i) part.frequent += numbers[i] * kRare >= texts;
    });
    size_t rows = 0, most_rows = width_ == 0 ? 0 : kMostBytes / width_;
    for (Part& part : parts) {
        part.row = rows;
        part.rows = std::min(part.frequent, most_rows - rows);
        rows += part.rows;
    }
    // Calls row(place, n) or list(place, n) for each item with n texts.
    auto for_each_item = [&](const Part& part, auto row, auto list) {
        size_t left = part.rows;
        for (size_t i = part.item; i < part.item + part.items; ++i) {
            if (places_[i] * kRare >= texts && left > 0) {
                --left;
                row(places_[i]);
            } else {
                list(places_[i]);
            }
        }
    };
    for_each_part(
        [&](Part& part) { for_each_item(part, [](uint32_t) {}, [&](uint32_t number) { part.listed += number; }); });
    size_t lists = 0, listed = 0;
    for (Part& part : parts) {
        part.list = lists;
        part.listed_before = listed;
        lists += part.items - part.rows;
        listed += part.listed;
    }
    if (std::max(listed, lists) >= kListed) throw TooLarge();
    rows_.reserve(rows * width_);
    texts_.resize(listed);
    starts_.resize(lists + 1);
    starts_[0] = 0;
    for_each_part([&](Part& part) {
        size_t row = part.row, list = part.list, start = part.listed_before;
        for_each_item(
            part, [&](uint32_t& place) { place = static_cast<uint32_t>(row++); },
            [&](uint32_t& place) {
                size_t next = start + place;
                place = static_cast<uint32_t>(list++) | kListed;
                starts_[list] =
                    static_cast<uint32_t>(start);  // advances to the end of the list, where the next one starts
                start = next;
            });
        std::fill_n(rows_.data() + part.row * width_, part.rows * width_, uint8_t{0});
        for_each_entry(part, [&](size_t t, const NgramIndex::Entry& entry) {
            const uint32_t* own = places_.data() + first_items_[entry.ngram];
            for (uint32_t k = 0; k < entry.count; ++k) {
                if (own[k] & kListed) {
                    texts_[starts_[(own[k] & ~kListed) + 1]++] = static_cast<uint32_t>(t);
                } else {
                    rows_[own[k] * width_ + t] = 1;
                }
            }
        });
    });
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
        uint32_t first = first_items_[entry.ngram],
                 items = std::min(entry.count, first_items_[entry.ngram + 1] - first);
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

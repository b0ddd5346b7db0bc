#include "refscore/ngrams/unit_matches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/simd/place_matches.hpp"
#include "refscore/simd/sort_keys.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kMatchedUnitWork = 8;  // nanoseconds per unit, for checkpoint(); only the order of magnitude matters
constexpr size_t kKeyBits = 63;         // of a key: the highest is 0, see sort_keys.hpp
constexpr size_t kMostSorted = 8;       // orders: one 32-bit counter each in an AVX2 register
// Pairs of symbols are digits of the sort, for half as many passes, up to this many counters per unit. chrF of 25 words
// takes 61 ns per word with 8 and 73 with 1; above 8 the counters cost more than the passes.
constexpr size_t kCountersPerUnit = 8;

// Keys of more symbols have more than 16 bits per symbol, which no text needs; they are counted by NgramCounter.
constexpr size_t kMostBits = 16;

// By the bits of a symbol, and the number of equal bits at the beginning of two neighbours: all bits for the orders
// that they share, and 0 for higher ones. The first bit of a key is always 0.
using Shared = std::array<Int32x8, kKeyBits + 1>;
constexpr std::array<Shared, kMostBits + 1> kSharedOrders = [] {
    std::array<Shared, kMostBits + 1> masks{};
    for (size_t bits = 1; bits <= kMostBits; ++bits)
        for (size_t same = 1; same <= kKeyBits; ++same) {
            size_t shared = (same - 1) / bits;
            masks[bits][same] = Int32x8{-(shared > 0), -(shared > 1), -(shared > 2), -(shared > 3),
                                        -(shared > 4), -(shared > 5), -(shared > 6), -(shared > 7)};
        }
    return masks;
}();
constexpr std::array<Int32x8, 2> kSigns = {Int32x8{-1, -1, -1, -1, -1, -1, -1, -1}, Int32x8{1, 1, 1, 1, 1, 1, 1, 1}};

// Counts the matches in sorted order. For each order, `surplus` is the number of hypothesis n-grams equal to the
// current one, less that of the reference. All other n-grams of both sides match each other.
template <bool kHasOrder>
REFSCORE_INLINE void count_sorted_inline(const uint64_t* keys, const uint32_t* order, size_t size, size_t bits,
                                         int64_t* matches) {
    const Shared& shared = kSharedOrders[bits];
    Int32x8 surplus{}, unmatched{};
    uint64_t last = keys[kHasOrder ? order[0] : 0];
    for (size_t k = 0; k < size; ++k) {
        uint64_t key = keys[kHasOrder ? order[k] : k];
        // The lowest bit belongs to no compared symbol. With it, the number is never 0, so the processor needs no
        // branch.
        const Int32x8& same = shared[static_cast<size_t>(std::countl_zero((last ^ key) | 1))];
        last = key;
        Int32x8 mask = surplus >> 31;  // (x ^ mask) - mask is the absolute value
        unmatched = unmatched + (((surplus ^ mask) - mask) & ~same);
        surplus = (surplus & same) + kSigns[key & 1];
    }
    for (size_t n = 0; n < kMostSorted; ++n) {
        int64_t rest = surplus[n] < 0 ? -int64_t{surplus[n]} : int64_t{surplus[n]};
        matches[n] = (static_cast<int64_t>(size) - unmatched[n] - rest) / 2;
    }
}

// Without an order, the keys themselves are sorted.
void count_sorted(const uint64_t* keys, const uint32_t* order, size_t size, size_t bits, int64_t* matches) {
    if (order == nullptr) return count_sorted_inline<false>(keys, order, size, bits, matches);
    count_sorted_inline<true>(keys, order, size, bits, matches);
}
#ifdef REFSCORE_X86
REFSCORE_TARGET_AVX2 void count_sorted_avx2(const uint64_t* keys, const uint32_t* order, size_t size, size_t bits,
                                            int64_t* matches) {
    if (order == nullptr) return count_sorted_inline<false>(keys, order, size, bits, matches);
    count_sorted_inline<true>(keys, order, size, bits, matches);
}
#endif

const auto best_count_sorted = best_function(&count_sorted, REFSCORE_IF_X86(&count_sorted_avx2));

}  // namespace

void UnitMatches::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, size_t max_order,
                        int64_t* matches, const IndexedUnits& indexed) {
    std::fill(matches, matches + max_order, 0);
    if (hypothesis.empty() || reference.empty() || max_order == 0) return;
    size_t size = hypothesis.size() + reference.size();
    checkpoint(kMatchedUnitWork * size);
    bool is_indexed = !indexed.symbols.empty();
    if (is_indexed) {
        symbol_map_.clear();
        for (uint32_t unit : indexed.symbols) symbol_map_.add(unit);
    } else {
        number_reference(reference);
    }
    if (kPlaceMatches.takes(reference.size(), max_order)) {
        const uint64_t* places = is_indexed ? indexed.table.data() : find_places(reference.size());
        number_hypothesis(hypothesis, SymbolMap::kNone);
        int64_t counted[PlaceMatches::kOrders];
        kPlaceMatches.count(hypothesis_.data(), hypothesis.size(), places, PlaceMatches::words(reference.size()),
                            counted);
        std::copy_n(counted, max_order, matches);
        return;
    }
    number_hypothesis(hypothesis, symbol_map_.size() + 1);
    bool has_keys = is_indexed && !kPlaceMatches.takes(reference.size(), 1);
    if (!fits(max_order) || size > std::numeric_limits<int32_t>::max()) {
        if (is_indexed) number_reference(reference);
        uint32_t length = static_cast<uint32_t>(reference.size());
        NumberedReferences one{{}, symbol_map_.size(), {reference_.data(), reference.size()}, {&length, 1}};
        std::replace(hypothesis_.data(), hypothesis_.data() + hypothesis.size(), unknown_, SymbolMap::kNone);
        return counter_.count({hypothesis_.data(), hypothesis.size()}, one, max_order, matches);
    }
    const uint32_t* order = nullptr;
    if (has_keys && size <= 2 * kKeySorter.most) {
        size_t own = padded_keys(hypothesis.size()), other = padded_keys(reference.size());
        uint64_t* both = keys_.reserve(own + other);
        write_keys(hypothesis_.data(), hypothesis.size(), unknown_, 1, both);
        std::fill(both + hypothesis.size(), both + own, kLastKey);
        kKeySorter.sort(both, own);
        std::copy(indexed.table.begin(), indexed.table.end(), both + own);
        std::fill(both + own + reference.size(), both + own + other, kLastKey);
        kKeySorter.merge(both, own, own + other);
    } else {
        if (is_indexed) number_reference(reference);
        if (size <= kKeySorter.most) {
            sort_both(hypothesis.size(), reference.size());
        } else {
            order = sort_by_digits(hypothesis.size(), reference.size(), max_order);
            size += 2 * kMostSorted;  // with padding
        }
    }
    int64_t counted[kMostSorted];
    best_count_sorted(keys_.data(), order, size, bits_, counted);
    std::copy_n(counted, max_order, matches);
}

void UnitMatches::index_reference(std::span<const uint32_t> reference, std::vector<uint32_t>& symbols,
                                  std::vector<uint64_t>& table) {
    bool by_places = kPlaceMatches.takes(reference.size(), 1);
    if (reference.empty() || (!by_places && reference.size() > kKeySorter.most)) return;
    checkpoint(kMatchedUnitWork * reference.size());
    number_reference(reference);
    size_t known = symbols.size();
    symbols.resize(known + symbol_map_.size());
    for (size_t i = reference.size(); i-- > 0;) symbols[known + reference_[i] - 1] = reference[i];
    if (by_places) {
        const uint64_t* places = find_places(reference.size());
        table.insert(table.end(), places,
                     places + (symbol_map_.size() + size_t{1}) * PlaceMatches::words(reference.size()));
        return;
    }
    number_hypothesis({}, symbol_map_.size() + 1);
    size_t padded = padded_keys(reference.size());
    uint64_t* own = keys_.reserve(padded);
    write_keys(reference_.data(), reference.size(), 0, 0, own);
    std::fill(own + reference.size(), own + padded, kLastKey);
    kKeySorter.sort(own, padded);
    table.insert(table.end(), own, own + reference.size());
}

void UnitMatches::number_reference(std::span<const uint32_t> reference) {
    symbol_map_.clear();
    uint32_t* symbols = reference_.reserve(reference.size() + kMostSorted);
    for (size_t i = 0; i < reference.size(); ++i) symbols[i] = symbol_map_.add(reference[i]);
}

// No n-gram with the unknown symbol matches, because the reference lacks it.
void UnitMatches::number_hypothesis(std::span<const uint32_t> hypothesis, uint32_t unknown) {
    unknown_ = unknown;
    bits_ = static_cast<size_t>(std::bit_width(unknown_));
    uint32_t* symbols = hypothesis_.reserve(hypothesis.size() + kMostSorted);
    for (size_t i = 0; i < hypothesis.size(); ++i) {
        uint32_t symbol = symbol_map_.find(hypothesis[i]);
        symbols[i] = symbol == SymbolMap::kNone ? unknown_ : symbol;
    }
}

// A row of places per symbol of the numbered reference. Row 0 is empty.
const uint64_t* UnitMatches::find_places(size_t reference) {
    size_t words = PlaceMatches::words(reference), size = (symbol_map_.size() + size_t{1}) * words;
    uint64_t* places = keys_.reserve(size);
    std::fill_n(places, size, 0);
    for (size_t i = 0; i < reference; ++i)
        places[reference_[i] * words + i / PlaceMatches::kPlaces] |= uint64_t{1} << i % PlaceMatches::kPlaces;
    return places;
}

bool UnitMatches::fits(size_t max_order) const {
    return max_order <= kMostSorted && bits_ <= kMostBits && max_order * bits_ < kKeyBits;
}

// Padding follows the last symbol. It is 0 after the reference and unknown after the hypothesis, so it never matches.
void UnitMatches::write_keys(const uint32_t* symbols, size_t size, uint32_t padding, uint64_t side,
                             uint64_t* keys) const {
    size_t shift = kKeyBits - bits_;
    uint64_t key = 0;
    for (size_t i = 0; i < kMostSorted; ++i) key = key >> bits_ | uint64_t{padding} << shift;
    for (size_t i = size; i-- > 0;) {
        key = key >> bits_ | uint64_t{symbols[i]} << shift;
        keys[i] = (key & ~uint64_t{1}) | side;
    }
}

void UnitMatches::sort_both(size_t hypothesis, size_t reference) {
    size_t size = hypothesis + reference, padded = padded_keys(size);
    uint64_t* keys = keys_.reserve(padded);
    write_keys(hypothesis_.data(), hypothesis, unknown_, 1, keys);
    write_keys(reference_.data(), reference, 0, 0, keys + hypothesis);
    std::fill(keys + size, keys + padded, kLastKey);
    kKeySorter.sort(keys, padded);
}

// Sorts positions without vectors, and writes their keys. With pairs of symbols as digits, the sort has half as many
// passes, but counters for all pairs.
const uint32_t* UnitMatches::sort_by_digits(size_t hypothesis, size_t reference, size_t max_order) {
    // The symbols of the reference, padding, those of the hypothesis, padding.
    size_t hypothesis_begin = reference + kMostSorted, hypothesis_end = hypothesis_begin + hypothesis;
    size_t size = hypothesis_end + kMostSorted;
    uint32_t* symbols = reference_.reserve(size + kMostSorted, reference);
    std::fill(symbols + reference, symbols + hypothesis_begin, 0);
    std::copy_n(hypothesis_.data(), hypothesis, symbols + hypothesis_begin);
    std::fill(symbols + hypothesis_end, symbols + size, unknown_);
    symbols[size] = symbols[0];
    uint64_t* keys = keys_.reserve(size);
    std::fill_n(keys, size, kLastKey);  // padding
    write_keys(symbols, reference, 0, 0, keys);
    write_keys(symbols + hypothesis_begin, hypothesis, unknown_, 1, keys + hypothesis_begin);
    size_t kinds = unknown_ + size_t{1};
    if (kinds * kinds > kCountersPerUnit * size) return sort_digits(symbols, size, kinds, 1, max_order);
    uint32_t* pairs = digits_.reserve(size + kMostSorted);
    for (size_t i = 0; i < size; ++i) pairs[i] = symbols[i] * static_cast<uint32_t>(kinds) + symbols[i + 1];
    return sort_digits(pairs, size, kinds * kinds, 2, max_order);
}

// Sorts positions by the `max_order` symbols from there on: a radix sort from the last digit to the first. A digit is
// `width` symbols. The first digits are repeated at the end, which only affects n-grams of padding. All passes then
// have the same digits in a different order, and the same counters.
const uint32_t* UnitMatches::sort_digits(uint32_t* digits, size_t size, size_t kinds, size_t width, size_t max_order) {
    uint32_t *starts = starts_.reserve(kinds), *counters = counters_.reserve(kinds);
    std::fill_n(starts, kinds, 0);
    for (size_t i = 0; i < size; ++i) ++starts[digits[i]];
    uint32_t sum = 0;
    for (size_t digit = 0; digit < kinds; ++digit) sum += std::exchange(starts[digit], sum);

    uint32_t *order = order_.reserve(size), *next = next_order_.reserve(size);
    std::copy_n(digits, kMostSorted, digits + size);
    size_t offset = (max_order - 1) / width * width;
    std::copy_n(starts, kinds, counters);
    for (size_t i = 0; i < size; ++i) order[counters[digits[i + offset]]++] = static_cast<uint32_t>(i);
    while (offset > 0) {
        offset -= width;
        checkpoint(kMatchedUnitWork * size);
        std::copy_n(starts, kinds, counters);
        for (size_t k = 0; k < size; ++k) next[counters[digits[order[k] + offset]]++] = order[k];
        std::swap(order, next);
    }
    return order;
}

}  // namespace refscore

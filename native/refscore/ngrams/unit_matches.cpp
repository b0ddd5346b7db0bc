#include "refscore/ngrams/unit_matches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kMatchedUnitWork = 8;  // nanoseconds per unit, for checkpoint(); only the order of magnitude matters
constexpr size_t kUnitBits = 64;        // of a machine word, which holds an n-gram
constexpr size_t kMostSorted = 8;       // orders: one 32-bit counter each in an AVX2 register
// Pairs of symbols are digits of the sort, for half as many passes, up to this many counters per unit. chrF of 25 words
// takes 61 ns per word with 8 and 73 with 1; above 8 the counters cost more than the passes.
constexpr size_t kCountersPerUnit = 8;

// By the number of symbols that two neighbours share: all bits for the orders that they share, and 0 for higher ones.
constexpr std::array<Int32x8, kUnitBits> kSharedOrders = [] {
    std::array<Int32x8, kUnitBits> masks{};
    for (size_t shared = 0; shared < kUnitBits; ++shared)
        masks[shared] = Int32x8{-(shared > 0), -(shared > 1), -(shared > 2), -(shared > 3),
                                -(shared > 4), -(shared > 5), -(shared > 6), -(shared > 7)};
    return masks;
}();
constexpr std::array<Int32x8, 2> kSigns = {Int32x8{1, 1, 1, 1, 1, 1, 1, 1}, Int32x8{-1, -1, -1, -1, -1, -1, -1, -1}};

// Counts the matches in sorted order. For each order, `surplus` is the number of hypothesis n-grams equal to the
// current one, less that of the reference. A further n-gram is a match if the other sequence has a surplus.
REFSCORE_INLINE void count_sorted_inline(const uint32_t* order, size_t size, uint32_t hypothesis_begin,
                                         const uint64_t* ngrams, size_t bits, int64_t* matches) {
    Int32x8 surplus{}, found{};
    uint32_t inverse = static_cast<uint32_t>((size_t{1} << 16) / bits + 1);  // for the division by `bits`
    uint64_t last = ~ngrams[order[0]];
    for (size_t k = 0; k < size; ++k) {
        uint32_t position = order[k];
        uint64_t ngram = ngrams[position];
        // The lowest bit belongs to no compared symbol. With it, the number is never 0, so the processor needs no
        // branch.
        uint32_t shared = (static_cast<uint32_t>(std::countl_zero((last ^ ngram) | 1)) * inverse) >> 16;
        last = ngram;
        const Int32x8& sign = kSigns[position < hypothesis_begin];
        surplus = surplus & kSharedOrders[shared];
        Int32x8 mask = sign >> 1;  // (x ^ mask) - mask is x for a sign of 1, and -x for -1
        found = found + (((surplus ^ mask) - mask) >> 31);
        surplus = surplus + sign;
    }
    for (size_t n = 0; n < kMostSorted; ++n) matches[n] = -int64_t{found[n]};
}

void count_sorted(const uint32_t* order, size_t size, uint32_t hypothesis_begin, const uint64_t* ngrams, size_t bits,
                  int64_t* matches) {
    count_sorted_inline(order, size, hypothesis_begin, ngrams, bits, matches);
}
#ifdef REFSCORE_X86
REFSCORE_TARGET_AVX2 void count_sorted_avx2(const uint32_t* order, size_t size, uint32_t hypothesis_begin,
                                            const uint64_t* ngrams, size_t bits, int64_t* matches) {
    count_sorted_inline(order, size, hypothesis_begin, ngrams, bits, matches);
}
#endif

const auto best_count_sorted = best_function(&count_sorted, REFSCORE_IF_X86(&count_sorted_avx2));

}  // namespace

void UnitMatches::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, size_t max_order,
                        int64_t* matches) {
    std::fill(matches, matches + max_order, 0);
    if (hypothesis.empty() || reference.empty() || max_order == 0) return;
    checkpoint(kMatchedUnitWork * (hypothesis.size() + reference.size()));
    // The symbols of the reference, padding, those of the hypothesis, padding. The reference has padding 0. The
    // hypothesis has a symbol that the reference lacks, also for its unknown symbols. No n-gram with them matches.
    size_t hypothesis_begin = reference.size() + kMostSorted, hypothesis_end = hypothesis_begin + hypothesis.size();
    size_t size = hypothesis_end + kMostSorted;
    uint32_t* symbols = symbols_.reserve(size + kMostSorted);
    symbol_map_.clear();
    for (size_t i = 0; i < reference.size(); ++i) symbols[i] = symbol_map_.add(reference[i]);
    for (size_t i = 0; i < hypothesis.size(); ++i) symbols[hypothesis_begin + i] = symbol_map_.find(hypothesis[i]);
    uint32_t unknown = symbol_map_.size() + 1;
    size_t bits = static_cast<size_t>(std::bit_width(unknown));
    if (max_order > kMostSorted || max_order * bits >= kUnitBits || size > std::numeric_limits<int32_t>::max()) {
        uint32_t length = static_cast<uint32_t>(reference.size());
        NumberedReferences one{{}, symbol_map_.size(), {symbols, reference.size()}, {&length, 1}};
        return counter_.count({symbols + hypothesis_begin, hypothesis.size()}, one, max_order, matches);
    }
    std::fill(symbols + reference.size(), symbols + hypothesis_begin, 0);
    std::replace(symbols + hypothesis_begin, symbols + hypothesis_end, SymbolMap::kNone, unknown);
    std::fill(symbols + hypothesis_end, symbols + size, unknown);
    symbols[size] = symbols[0];

    uint64_t* ngrams = ngrams_.reserve(size);
    uint64_t ngram = 0;
    for (size_t i = size; i-- > 0;) {
        ngram = ngram >> bits | uint64_t{symbols[i]} << (kUnitBits - bits);
        ngrams[i] = ngram;
    }
    // With pairs of symbols as digits, the sort has half as many passes, but counters for all pairs.
    size_t kinds = unknown + size_t{1};
    const uint32_t* order;
    if (kinds * kinds <= kCountersPerUnit * size) {
        uint32_t* pairs = pairs_.reserve(size + kMostSorted);
        for (size_t i = 0; i < size; ++i) pairs[i] = symbols[i] * static_cast<uint32_t>(kinds) + symbols[i + 1];
        order = sort(pairs, size, kinds * kinds, 2, max_order);
    } else {
        order = sort(symbols, size, kinds, 1, max_order);
    }
    int64_t counted[kMostSorted];
    best_count_sorted(order, size, static_cast<uint32_t>(hypothesis_begin), ngrams, bits, counted);
    std::copy_n(counted, max_order, matches);
}

// Sorts positions by the `max_order` symbols from there on: a radix sort from the last digit to the first. A digit is
// `width` symbols. The first digits are repeated at the end, which only affects n-grams of padding. All passes then
// have the same digits in a different order, and the same counters.
const uint32_t* UnitMatches::sort(uint32_t* digits, size_t size, size_t kinds, size_t width, size_t max_order) {
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

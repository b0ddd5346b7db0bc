#include "refscore/simd/swapped_ranks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace refscore {
namespace {

// A number for each draw, with the usual operators.
#ifdef REFSCORE_GNU
typedef uint16_t Lanes __attribute__((vector_size(2 * kRankDraws)));
typedef uint32_t WideLanes __attribute__((vector_size(4 * kRankDraws)));

REFSCORE_INLINE void widen(const Lanes& from, WideLanes& to) { to = __builtin_convertvector(from, WideLanes); }
REFSCORE_INLINE void find_filled(const Lanes& from, Lanes& to) { to = reinterpret_cast<Lanes>(from != 0) & 1; }

// By draw: its bit in the lower or in the upper half of 32 bits.
constexpr size_t kHalf = kRankDraws / 2;
constexpr std::array<std::array<uint16_t, kRankDraws>, 2> kBits = [] {
    std::array<std::array<uint16_t, kRankDraws>, 2> bits{};
    for (size_t d = 0; d < kRankDraws; ++d) bits[d / kHalf][d] = static_cast<uint16_t>(1 << d % kHalf);
    return bits;
}();

// 1 in the draws that swap a position.
REFSCORE_INLINE void load_swapped(uint64_t word, unsigned shift, Lanes& swapped) {
    Lanes lower, upper;
    std::memcpy(&lower, kBits[0].data(), sizeof lower);
    std::memcpy(&upper, kBits[1].data(), sizeof upper);
    lower &= static_cast<uint16_t>(word >> shift);
    upper &= static_cast<uint16_t>(word >> (shift + kHalf));
    find_filled(lower | upper, swapped);
}
#else
template <class T>
struct LanesOf {
    T lanes[kRankDraws];

    template <class Apply>
    LanesOf apply(const LanesOf& other, Apply apply) const {
        LanesOf result;
        for (size_t d = 0; d < kRankDraws; ++d) result.lanes[d] = static_cast<T>(apply(lanes[d], other.lanes[d]));
        return result;
    }
    static LanesOf all(T value) {
        LanesOf result;
        std::fill_n(result.lanes, kRankDraws, value);
        return result;
    }
    friend LanesOf operator+(const LanesOf& a, const LanesOf& b) {
        return a.apply(b, [](T x, T y) { return x + y; });
    }
    friend LanesOf operator-(const LanesOf& a, const LanesOf& b) {
        return a.apply(b, [](T x, T y) { return x - y; });
    }
    friend LanesOf operator-(const LanesOf& a, T b) { return a - all(b); }
    friend LanesOf operator-(T a, const LanesOf& b) { return all(a) - b; }
    friend LanesOf operator*(const LanesOf& a, const LanesOf& b) {
        return a.apply(b, [](T x, T y) { return x * y; });
    }
    friend LanesOf operator*(const LanesOf& a, T b) { return a * all(b); }
    LanesOf& operator+=(const LanesOf& other) { return *this = *this + other; }
};
using Lanes = LanesOf<uint16_t>;
using WideLanes = LanesOf<uint32_t>;

void widen(const Lanes& from, WideLanes& to) { std::copy_n(from.lanes, kRankDraws, to.lanes); }
void find_filled(const Lanes& from, Lanes& to) {
    for (size_t d = 0; d < kRankDraws; ++d) to.lanes[d] = from.lanes[d] != 0;
}
void load_swapped(uint64_t word, unsigned shift, Lanes& swapped) {
    for (size_t d = 0; d < kRankDraws; ++d) swapped.lanes[d] = word >> (shift + d) & 1;
}
#endif

REFSCORE_INLINE void store(const WideLanes& counts, uint32_t (&out)[kRankDraws]) {
    std::memcpy(out, &counts, sizeof counts);
}

// Fenwick's tree (1994) of the scores of the first metric, for all draws at a time. A score of the second metric is
// what the first one does not have.
REFSCORE_INLINE void ascending_inline(const RankStep* steps, size_t count, size_t ranks, const uint64_t* swapped,
                                      unsigned shift, uint16_t* tree, DrawCounts& ascending) {
    std::fill_n(tree, (ranks + 1) * kRankDraws, uint16_t{0});
    WideLanes sums[2] = {}, wide;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; steps[end - 1].is_last == 0;) ++end;
        for (size_t i = begin; begin > 0 && i < end; ++i) {
            const RankStep& step = steps[i];
            Lanes below[2] = {}, is_swapped, node;
            for (size_t side = 0; side < 2; ++side)
                for (size_t rank = step.rank[side]; rank > 0; rank &= rank - 1) {
                    std::memcpy(&node, tree + rank * kRankDraws, sizeof node);
                    below[side] += node;
                }
            load_swapped(swapped[step.position], shift, is_swapped);
            // The scores at most the first metric's score, and those at most the second one's. These differences are
            // computed modulo 2**16, like all sums here.
            Lanes own = below[0] + is_swapped * (below[1] - below[0]), rest = below[0] + below[1] - own;
            auto first = static_cast<uint16_t>(step.at_most[0]), second = static_cast<uint16_t>(step.at_most[1]);
            Lanes other = second - (is_swapped * static_cast<uint16_t>(second - first) + rest);
            widen(own, wide);
            sums[0] += wide;
            widen(other, wide);
            sums[1] += wide;
        }
        for (size_t i = begin; i < end; ++i) {
            Lanes is_first[2], node;
            load_swapped(swapped[steps[i].position], shift, is_first[1]);
            is_first[0] = uint16_t{1} - is_first[1];
            for (size_t side = 0; side < 2; ++side)
                for (size_t rank = steps[i].rank[side]; rank <= ranks; rank += rank & (~rank + 1)) {
                    std::memcpy(&node, tree + rank * kRankDraws, sizeof node);
                    node += is_first[side];
                    std::memcpy(tree + rank * kRankDraws, &node, sizeof node);
                }
        }
    }
    store(sums[0], ascending[0]);
    store(sums[1], ascending[1]);
}

REFSCORE_INLINE void in_classes_inline(const uint32_t* members, const uint32_t* ends, size_t classes,
                                       const uint64_t* swapped, unsigned shift, DrawCounts& pairs, DrawCounts& filled) {
    WideLanes sums[2] = {}, with_members[2] = {}, wide;
    for (size_t c = 0, at = 0; c < classes; ++c) {
        size_t begin = at;
        Lanes of[2] = {}, is_filled;
        for (; at < ends[c]; ++at) {
            Lanes is_swapped;
            load_swapped(swapped[members[at] / 2], shift, is_swapped);
            if (members[at] % 2 == 0) is_swapped = uint16_t{1} - is_swapped;
            of[0] += is_swapped;
        }
        of[1] = static_cast<uint16_t>(at - begin) - of[0];
        for (size_t side = 0; side < 2; ++side) {
            widen(of[side], wide);
            sums[side] += wide * (wide - uint32_t{1});
            find_filled(of[side], is_filled);
            widen(is_filled, wide);
            with_members[side] += wide;
        }
    }
    for (size_t side = 0; side < 2; ++side) {
        store(sums[side], pairs[side]);
        store(with_members[side], filled[side]);
        for (uint32_t& twice : pairs[side]) twice /= 2;
    }
}

}  // namespace

void count_ascending(const RankStep* steps, size_t count, size_t ranks, const uint64_t* swapped, unsigned shift,
                     uint16_t* tree, DrawCounts& ascending) {
    ascending_inline(steps, count, ranks, swapped, shift, tree, ascending);
}

void count_in_classes(const uint32_t* members, const uint32_t* ends, size_t classes, const uint64_t* swapped,
                      unsigned shift, DrawCounts& pairs, DrawCounts& filled) {
    in_classes_inline(members, ends, classes, swapped, shift, pairs, filled);
}

#ifdef REFSCORE_X86
REFSCORE_TARGET_AVX2 void count_ascending_avx2(const RankStep* steps, size_t count, size_t ranks,
                                               const uint64_t* swapped, unsigned shift, uint16_t* tree,
                                               DrawCounts& ascending) {
    ascending_inline(steps, count, ranks, swapped, shift, tree, ascending);
}
REFSCORE_TARGET_AVX512 void count_ascending_avx512(const RankStep* steps, size_t count, size_t ranks,
                                                   const uint64_t* swapped, unsigned shift, uint16_t* tree,
                                                   DrawCounts& ascending) {
    ascending_inline(steps, count, ranks, swapped, shift, tree, ascending);
}
REFSCORE_TARGET_AVX2 void count_in_classes_avx2(const uint32_t* members, const uint32_t* ends, size_t classes,
                                                const uint64_t* swapped, unsigned shift, DrawCounts& pairs,
                                                DrawCounts& filled) {
    in_classes_inline(members, ends, classes, swapped, shift, pairs, filled);
}
REFSCORE_TARGET_AVX512 void count_in_classes_avx512(const uint32_t* members, const uint32_t* ends, size_t classes,
                                                    const uint64_t* swapped, unsigned shift, DrawCounts& pairs,
                                                    DrawCounts& filled) {
    in_classes_inline(members, ends, classes, swapped, shift, pairs, filled);
}
#endif

}  // namespace refscore

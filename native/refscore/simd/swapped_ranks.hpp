// The inner loops of SwappedOrders, by instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {

// Draws that are counted together. Counts of scores have 16 bits, so 32 of them fill a cache line.
constexpr size_t kRankDraws = 32;

// One number for each draw and each of two metrics.
using DrawCounts = uint32_t[2][kRankDraws];

// A position in ascending order of human scores. Ranks start at 1, and equal scores of either metric share one.
struct RankStep {
    uint32_t position;
    uint32_t rank[2];
    // The scores of both metrics at positions with lower human scores that are at most those of this position.
    uint32_t at_most[2];
    uint32_t is_last;  // of the positions with its human score
};

// Bit `shift` + d of swapped[position] is set if draw d swaps the scores of a position. `tree` has kRankDraws numbers
// for each rank from 0 to `ranks`. Writes the number of pairs of positions with different human scores where the score
// of the lower position is at most that of the higher one. There are fewer than 2**16 steps.
void count_ascending(const RankStep* steps, size_t count, size_t ranks, const uint64_t* swapped, unsigned shift,
                     uint16_t* tree, DrawCounts& ascending);

// `members` are 2 * position, plus 1 for the score of the second metric. Those up to ends[i] belong to class i. Writes
// the number of pairs of members in the same class, and the number of classes with a member.
void count_in_classes(const uint32_t* members, const uint32_t* ends, size_t classes, const uint64_t* swapped,
                      unsigned shift, DrawCounts& pairs, DrawCounts& filled);

#if defined(REFSCORE_X86)
void count_ascending_avx2(const RankStep*, size_t, size_t, const uint64_t*, unsigned, uint16_t*, DrawCounts&);
void count_ascending_avx512(const RankStep*, size_t, size_t, const uint64_t*, unsigned, uint16_t*, DrawCounts&);
void count_in_classes_avx2(const uint32_t*, const uint32_t*, size_t, const uint64_t*, unsigned, DrawCounts&,
                           DrawCounts&);
void count_in_classes_avx512(const uint32_t*, const uint32_t*, size_t, const uint64_t*, unsigned, DrawCounts&,
                             DrawCounts&);
#endif

}  // namespace refscore

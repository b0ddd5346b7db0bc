// The inner loop of SwappedTies, by instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {

// A pair of scores, of which each may be of either metric. Once their difference counts as a tie, the accuracy changes.
struct TieStep {
    uint32_t first, second;  // positions
    uint32_t flags;
};
// The score of a position is that of the second metric.
constexpr uint32_t kFirstOther = 1, kSecondOther = 2;
// The accuracy rises, instead of falling.
constexpr uint32_t kRises = 4;
// After this step, the accuracy is that of a threshold. Other steps have the same difference as the next one, or only
// fall.
constexpr uint32_t kIsThreshold = 8;

constexpr size_t kTieDraws = 64;
// Steps of weight 1 are added in 8 bits, from the middle. So many steps cannot overflow.
constexpr size_t kTieBlock = 127;
constexpr uint8_t kTieMiddle = 128;

// The changes of accuracy in 64 draws, for the first metric and for the second one, and the largest sum at a threshold.
struct TieSums {
    int64_t sum[2][kTieDraws], most[2][kTieDraws];
};

// Adds steps of weight 1.
void add_tie_steps(const TieStep* steps, size_t count, const uint64_t* swapped, TieSums& sums);
void add_weighted_tie_steps(const TieStep* steps, const int64_t* weights, size_t count, const uint64_t* swapped,
                            TieSums& sums);

// Adds the 8-bit sums of a block. Without a threshold in the block, `most` does not count.
void add_tie_block(const uint8_t (&sum)[2][kTieDraws], const uint8_t (&most)[2][kTieDraws], bool has_threshold,
                   TieSums& sums);

using AddTieSteps = void (*)(const TieStep*, size_t, const uint64_t*, TieSums&);
#if defined(REFSCORE_X86)
void add_tie_steps_avx2(const TieStep* steps, size_t count, const uint64_t* swapped, TieSums& sums);
void add_tie_steps_avx512(const TieStep* steps, size_t count, const uint64_t* swapped, TieSums& sums);
#elif defined(REFSCORE_NEON)
void add_tie_steps_neon(const TieStep* steps, size_t count, const uint64_t* swapped, TieSums& sums);
#endif

// The draws in which the first metric, after swapping, has both scores of a step; and the second metric.
struct StepDraws {
    uint64_t of[2];
};

REFSCORE_INLINE StepDraws draws_of(const TieStep& step, const uint64_t* swapped) {
    uint64_t first = swapped[step.first] ^ (step.flags & kFirstOther ? ~uint64_t{0} : 0);
    uint64_t second = swapped[step.second] ^ (step.flags & kSecondOther ? ~uint64_t{0} : 0);
    return {{~first & ~second, first & second}};
}

}  // namespace refscore

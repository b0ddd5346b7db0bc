#include "refscore/simd/swapped_ties.hpp"

#ifdef REFSCORE_NEON

#include <arm_neon.h>

#include <algorithm>

namespace refscore {

// As in swapped_ties.cpp, with the sums of 64 draws in four registers. A lookup repeats each byte of the draws eight
// times, and a test of one bit per byte gives 255 or 0: -1 or 0.
void add_tie_steps_neon(const TieStep* steps, size_t count, const uint64_t* swapped, TieSums& sums) {
    constexpr size_t kSides = 2, kVectors = kTieDraws / 16;
    const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    uint8x16_t bytes[kSides][kVectors];  // which byte of both sides' draws belongs to each draw
    for (size_t side = 0; side < kSides; ++side)
        for (size_t v = 0; v < kVectors; ++v) {
            uint8_t first = static_cast<uint8_t>(8 * side + 2 * v);
            bytes[side][v] = vcombine_u8(vdup_n_u8(first), vdup_n_u8(first + 1));
        }
    for (size_t begin = 0; begin < count; begin += kTieBlock) {
        uint8x16_t sum[kSides][kVectors], most[kSides][kVectors];
        for (size_t side = 0; side < kSides; ++side)
            for (size_t v = 0; v < kVectors; ++v) {
                sum[side][v] = vdupq_n_u8(kTieMiddle);
                most[side][v] = vdupq_n_u8(0);
            }
        bool has_threshold = false;
        for (size_t i = begin; i < std::min(begin + kTieBlock, count); ++i) {
            StepDraws draws = draws_of(steps[i], swapped);
            uint8x16_t both = vcombine_u8(vcreate_u8(draws.of[0]), vcreate_u8(draws.of[1]));
            bool rises = (steps[i].flags & kRises) != 0;
            for (size_t side = 0; side < kSides; ++side)
                for (size_t v = 0; v < kVectors; ++v) {
                    uint8x16_t change = vtstq_u8(vqtbl1q_u8(both, bytes[side][v]), bits);
                    sum[side][v] = rises ? vsubq_u8(sum[side][v], change) : vaddq_u8(sum[side][v], change);
                }
            if (steps[i].flags & kIsThreshold) {
                for (size_t side = 0; side < kSides; ++side)
                    for (size_t v = 0; v < kVectors; ++v) most[side][v] = vmaxq_u8(most[side][v], sum[side][v]);
                has_threshold = true;
            }
        }
        uint8_t sum_of[kSides][kTieDraws], most_of[kSides][kTieDraws];
        for (size_t side = 0; side < kSides; ++side)
            for (size_t v = 0; v < kVectors; ++v) {
                vst1q_u8(sum_of[side] + 16 * v, sum[side][v]);
                vst1q_u8(most_of[side] + 16 * v, most[side][v]);
            }
        add_tie_block(sum_of, most_of, has_threshold, sums);
    }
}

}  // namespace refscore

#endif

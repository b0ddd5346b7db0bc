#include "refscore/simd/swapped_ties.hpp"

#ifdef REFSCORE_X86

#if !defined(__clang__)
// GCC 12 reports false positives in its own AVX-512 header (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>

namespace refscore {

// As in swapped_ties.cpp, with the sums of 64 draws in a register.
REFSCORE_TARGET_AVX512 void add_tie_steps_avx512(const TieStep* steps, size_t count, const uint64_t* swapped,
                                                 TieSums& sums) {
    const __m512i one = _mm512_set1_epi8(1), middle = _mm512_set1_epi8(static_cast<char>(kTieMiddle));
    for (size_t begin = 0; begin < count; begin += kTieBlock) {
        __m512i sum[2] = {middle, middle}, most[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        bool has_threshold = false;
        for (size_t i = begin; i < std::min(begin + kTieBlock, count); ++i) {
            StepDraws draws = draws_of(steps[i], swapped);
            if (steps[i].flags & kRises) {
                sum[0] = _mm512_mask_add_epi8(sum[0], draws.of[0], sum[0], one);
                sum[1] = _mm512_mask_add_epi8(sum[1], draws.of[1], sum[1], one);
            } else {
                sum[0] = _mm512_mask_sub_epi8(sum[0], draws.of[0], sum[0], one);
                sum[1] = _mm512_mask_sub_epi8(sum[1], draws.of[1], sum[1], one);
            }
            if (steps[i].flags & kIsThreshold) {
                most[0] = _mm512_max_epu8(most[0], sum[0]);
                most[1] = _mm512_max_epu8(most[1], sum[1]);
                has_threshold = true;
            }
        }
        alignas(64) uint8_t sums_of[2][kTieDraws], most_of[2][kTieDraws];
        for (size_t side = 0; side < 2; ++side) {
            _mm512_store_si512(sums_of[side], sum[side]);
            _mm512_store_si512(most_of[side], most[side]);
        }
        add_tie_block(sums_of, most_of, has_threshold, sums);
    }
}

}  // namespace refscore

#endif

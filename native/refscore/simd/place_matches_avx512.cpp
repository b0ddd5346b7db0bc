#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/simd/place_matches.hpp"

#ifdef REFSCORE_X86

#if !defined(__clang__)
// GCC 12 reports false positives in its own AVX-512 header (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

namespace refscore {
namespace {

template <size_t kWords>
REFSCORE_TARGET_AVX512 void count_places(const uint32_t* units, size_t size, const uint64_t* places, int64_t* matches) {
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi64(1), all = _mm512_set1_epi64(-1),
                  first_lane = _mm512_maskz_set1_epi64(1, -1);
    __m512i found[kWords], used[kWords], missed = zero;
#pragma GCC unroll 8
    for (size_t w = 0; w < kWords; ++w) found[w] = used[w] = zero;
    for (const uint32_t* end = units + size; units != end; ++units) {
        const uint64_t* row = places + size_t{*units} * kWords;
        __m512i prefix[kWords];  // where the n-grams without their last unit end: that of order 0 ends everywhere
#pragma GCC unroll 8
        for (size_t w = 0; w < kWords; ++w) prefix[w] = _mm512_alignr_epi64(found[w], all, 7);
        __mmask8 misses = 0xff;
#pragma GCC unroll 8
        for (size_t w = 0; w < kWords; ++w) {
            __m512i here = _mm512_set1_epi64(static_cast<int64_t>(row[w]));
            found[w] = _mm512_and_si512(_mm512_shldi_epi64(prefix[w], w > 0 ? prefix[w - 1] : first_lane, 1), here);
            // Use up the first free place, of all words.
            __m512i free = _mm512_andnot_si512(used[w], found[w]);
            used[w] = _mm512_mask_ternarylogic_epi64(used[w], misses, free, _mm512_sub_epi64(zero, free), 0xf8);
            misses = _mm512_mask_testn_epi64_mask(misses, free, free);
        }
        missed = _mm512_mask_add_epi64(missed, misses, missed, one);
    }
    _mm512_storeu_si512(matches, _mm512_sub_epi64(_mm512_set1_epi64(static_cast<int64_t>(size)), missed));
}

void count(const uint32_t* units, size_t size, const uint64_t* places, size_t words, int64_t* matches) {
    switch (words) {
        case 1: return count_places<1>(units, size, places, matches);
        case 2: return count_places<2>(units, size, places, matches);
        case 3: return count_places<3>(units, size, places, matches);
        case 4: return count_places<4>(units, size, places, matches);
        case 5: return count_places<5>(units, size, places, matches);
        default: return count_places<6>(units, size, places, matches);
    }
}

}  // namespace

PlaceMatches place_matches_avx512() { return {count, 6}; }

}  // namespace refscore

#endif

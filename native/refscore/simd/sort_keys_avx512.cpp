#include <bit>
#include <cstring>

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/simd/sort_keys.hpp"

#ifdef REFSCORE_X86

#if !defined(__clang__)
// GCC 12 reports false positives in its own AVX-512 header (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#define REFSCORE_SORT_TARGET REFSCORE_TARGET_AVX512

namespace refscore {
namespace {

constexpr size_t kLanes = 8;
using Keys = __m512i;

REFSCORE_TARGET_AVX512 REFSCORE_INLINE void order(Keys& first, Keys& second) {
    Keys low = _mm512_min_epu64(first, second);
    second = _mm512_max_epu64(first, second);
    first = low;
}

REFSCORE_TARGET_AVX512 REFSCORE_INLINE Keys reversed(const Keys& keys) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), keys);
}

REFSCORE_TARGET_AVX512 REFSCORE_INLINE void clean(Keys& keys) {
    Keys other = _mm512_shuffle_i64x2(keys, keys, 0x4e);  // lanes 4 apart
    keys = _mm512_mask_max_epu64(_mm512_min_epu64(keys, other), 0xf0, keys, other);
    other = _mm512_permutex_epi64(keys, 0x4e);  // 2 apart
    keys = _mm512_mask_max_epu64(_mm512_min_epu64(keys, other), 0xcc, keys, other);
    other = _mm512_permutex_epi64(keys, 0xb1);  // neighbours
    keys = _mm512_mask_max_epu64(_mm512_min_epu64(keys, other), 0xaa, keys, other);
}

// Sorts columns with the smallest network for eight numbers, and transposes.
REFSCORE_TARGET_AVX512 REFSCORE_INLINE void sort_square(Keys* k) {
    order(k[0], k[2]), order(k[1], k[3]), order(k[4], k[6]), order(k[5], k[7]);
    order(k[0], k[4]), order(k[1], k[5]), order(k[2], k[6]), order(k[3], k[7]);
    order(k[0], k[1]), order(k[2], k[3]), order(k[4], k[5]), order(k[6], k[7]);
    order(k[2], k[4]), order(k[3], k[5]);
    order(k[1], k[4]), order(k[3], k[6]);
    order(k[1], k[2]), order(k[3], k[4]), order(k[5], k[6]);
    Keys pairs[8], fours[8];
    for (size_t i = 0; i < 8; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(k[i], k[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi64(k[i], k[i + 1]);
    }
    for (size_t i = 0; i < 8; i += 4)
        for (size_t j = i; j < i + 2; ++j) {
            fours[j] = _mm512_shuffle_i64x2(pairs[j], pairs[j + 2], 0x88);
            fours[j + 2] = _mm512_shuffle_i64x2(pairs[j], pairs[j + 2], 0xdd);
        }
    for (size_t j = 0; j < 4; ++j) {
        k[j] = _mm512_shuffle_i64x2(fours[j], fours[j + 4], 0x88);
        k[j + 4] = _mm512_shuffle_i64x2(fours[j], fours[j + 4], 0xdd);
    }
}

}  // namespace
}  // namespace refscore

#include "refscore/simd/sort_keys_vectors.inc"

namespace refscore {

KeySorter key_sorter_avx512() { return {sort_keys, merge_keys, 1 << 13}; }

}  // namespace refscore

#endif

#include <bit>
#include <cstring>

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/simd/sort_keys.hpp"

#ifdef REFSCORE_X86

#include <immintrin.h>

#define REFSCORE_SORT_TARGET REFSCORE_TARGET_AVX2

namespace refscore {
namespace {

constexpr size_t kLanes = 4;
using Keys = __m256i;

REFSCORE_TARGET_AVX2 REFSCORE_INLINE void order(Keys& first, Keys& second) {
    Keys greater = _mm256_cmpgt_epi64(first, second), low = _mm256_blendv_epi8(first, second, greater);
    second = _mm256_blendv_epi8(second, first, greater);
    first = low;
}

REFSCORE_TARGET_AVX2 REFSCORE_INLINE Keys reversed(const Keys& keys) { return _mm256_permute4x64_epi64(keys, 0x1b); }

REFSCORE_TARGET_AVX2 REFSCORE_INLINE void clean(Keys& keys) {
    Keys low = keys, high = _mm256_permute4x64_epi64(keys, 0x4e);  // lanes 2 apart
    order(low, high);
    keys = _mm256_permute2x128_si256(low, high, 0x20);
    low = keys, high = _mm256_shuffle_epi32(keys, 0x4e);  // neighbours
    order(low, high);
    keys = _mm256_unpacklo_epi64(low, high);
}

// Sorts columns with the smallest network for four numbers, and transposes.
REFSCORE_TARGET_AVX2 REFSCORE_INLINE void sort_square(Keys* k) {
    order(k[0], k[2]), order(k[1], k[3]);
    order(k[0], k[1]), order(k[2], k[3]);
    order(k[1], k[2]);
    Keys first = _mm256_unpacklo_epi64(k[0], k[1]), second = _mm256_unpackhi_epi64(k[0], k[1]),
         third = _mm256_unpacklo_epi64(k[2], k[3]), fourth = _mm256_unpackhi_epi64(k[2], k[3]);
    k[0] = _mm256_permute2x128_si256(first, third, 0x20);
    k[1] = _mm256_permute2x128_si256(second, fourth, 0x20);
    k[2] = _mm256_permute2x128_si256(first, third, 0x31);
    k[3] = _mm256_permute2x128_si256(second, fourth, 0x31);
}

}  // namespace
}  // namespace refscore

#include "refscore/simd/sort_keys_vectors.inc"

namespace refscore {

KeySorter key_sorter_avx2() { return {sort_keys, merge_keys, 192}; }

}  // namespace refscore

#endif

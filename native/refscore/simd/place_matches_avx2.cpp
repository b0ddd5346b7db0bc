#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/simd/place_matches.hpp"

#ifdef REFSCORE_X86

#include <immintrin.h>

namespace refscore {
namespace {

constexpr size_t kRegisters = 2, kLanes = 4;  // for eight orders

template <size_t kWords>
REFSCORE_TARGET_AVX2 void count_places(const uint32_t* units, size_t size, const uint64_t* places, int64_t* matches) {
    const __m256i zero = _mm256_setzero_si256(), all = _mm256_set1_epi64x(-1);
    __m256i found[kWords][kRegisters], used[kWords][kRegisters], missed[kRegisters] = {zero, zero};
#pragma GCC unroll 4
    for (size_t w = 0; w < kWords; ++w)
#pragma GCC unroll 2
        for (size_t r = 0; r < kRegisters; ++r) found[w][r] = used[w][r] = zero;
    for (const uint32_t* end = units + size; units != end; ++units) {
        const uint64_t* row = places + size_t{*units} * kWords;
        __m256i misses[kRegisters] = {all, all};
        __m256i carry[kRegisters] = {_mm256_setr_epi64x(1, 0, 0, 0), zero};
#pragma GCC unroll 4
        for (size_t w = 0; w < kWords; ++w) {
            __m256i here = _mm256_set1_epi64x(static_cast<int64_t>(row[w]));
            __m256i before = all;  // the order below the register's first: order 0 ends everywhere
#pragma GCC unroll 2
            for (size_t r = 0; r < kRegisters; ++r) {
                __m256i rotated = _mm256_permute4x64_epi64(found[w][r], 0x93);
                __m256i prefix = _mm256_blend_epi32(rotated, before, 0x03);
                before = rotated;
                __m256i shifted = _mm256_or_si256(_mm256_add_epi64(prefix, prefix), carry[r]);
                carry[r] = _mm256_srli_epi64(prefix, 63);
                found[w][r] = _mm256_and_si256(shifted, here);
                // Use up the first free place, of all words.
                __m256i free = _mm256_andnot_si256(used[w][r], found[w][r]);
                __m256i first = _mm256_and_si256(free, _mm256_sub_epi64(zero, free));
                used[w][r] = _mm256_or_si256(used[w][r], _mm256_and_si256(first, misses[r]));
                misses[r] = _mm256_and_si256(misses[r], _mm256_cmpeq_epi64(free, zero));
            }
        }
#pragma GCC unroll 2
        for (size_t r = 0; r < kRegisters; ++r) missed[r] = _mm256_sub_epi64(missed[r], misses[r]);
    }
    for (size_t r = 0; r < kRegisters; ++r)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(matches + r * kLanes),
                            _mm256_sub_epi64(_mm256_set1_epi64x(static_cast<int64_t>(size)), missed[r]));
}

void count(const uint32_t* units, size_t size, const uint64_t* places, size_t words, int64_t* matches) {
    switch (words) {
        case 1: return count_places<1>(units, size, places, matches);
        case 2: return count_places<2>(units, size, places, matches);
        default: return count_places<3>(units, size, places, matches);
    }
}

}  // namespace

PlaceMatches place_matches_avx2() { return {count, 3}; }

}  // namespace refscore

#endif

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

// Registers that are sorted without storing them in between.
constexpr size_t kTogether = 32;

REFSCORE_TARGET_AVX512 REFSCORE_INLINE Keys load(const uint64_t* keys) {
    Keys loaded;
    std::memcpy(&loaded, keys, sizeof loaded);
    return loaded;
}
REFSCORE_TARGET_AVX512 REFSCORE_INLINE void store(uint64_t* keys, const Keys& stored) {
    std::memcpy(keys, &stored, sizeof stored);
}

// Sorts kSize registers whose keys first ascend and then descend, or the other way round.
template <size_t kSize>
REFSCORE_TARGET_AVX512 REFSCORE_INLINE void sort_bitonic(Keys* keys) {
#pragma GCC unroll 8
    for (size_t distance = kSize / 2; distance >= 1; distance /= 2)
#pragma GCC unroll 32
        for (size_t i = 0; i < kSize; ++i)
            if ((i & distance) == 0) order(keys[i], keys[i + distance]);
#pragma GCC unroll 32
    for (size_t i = 0; i < kSize; ++i) clean(keys[i]);
}

// Merges two runs of kSize registers each.
template <size_t kSize>
REFSCORE_TARGET_AVX512 REFSCORE_INLINE void merge_runs(Keys* keys) {
#pragma GCC unroll 16
    for (size_t i = 0; i < (kSize + 1) / 2; ++i) {
        Keys first = keys[kSize + i], last = keys[2 * kSize - 1 - i];
        keys[kSize + i] = reversed(last);
        keys[2 * kSize - 1 - i] = reversed(first);
    }
#pragma GCC unroll 32
    for (size_t i = 0; i < kSize; ++i) order(keys[i], keys[kSize + i]);
    sort_bitonic<kSize>(keys);
    sort_bitonic<kSize>(keys + kSize);
}

template <size_t kSize, size_t kTotal>
REFSCORE_TARGET_AVX512 REFSCORE_INLINE void merge_all(Keys* keys) {
    if constexpr (kSize < kTotal) {
#pragma GCC unroll 32
        for (size_t i = 0; i < kTotal; i += 2 * kSize) merge_runs<kSize>(keys + i);
        merge_all<2 * kSize, kTotal>(keys);
    }
}

// Sorts kSize registers.
template <size_t kSize>
REFSCORE_TARGET_AVX512 void sort_block(uint64_t* keys) {
    Keys block[kSize];
#pragma GCC unroll 32
    for (size_t i = 0; i < kSize; ++i) block[i] = load(keys + i * kLanes);
#pragma GCC unroll 8
    for (size_t i = 0; i < kSize; i += kLanes) sort_square(block + i);
    merge_all<1, kSize>(block);
#pragma GCC unroll 32
    for (size_t i = 0; i < kSize; ++i) store(keys + i * kLanes, block[i]);
}

template <size_t kSize>
REFSCORE_TARGET_AVX512 void sort_bitonic_block(uint64_t* keys) {
    Keys block[kSize];
#pragma GCC unroll 32
    for (size_t i = 0; i < kSize; ++i) block[i] = load(keys + i * kLanes);
    sort_bitonic<kSize>(block);
#pragma GCC unroll 32
    for (size_t i = 0; i < kSize; ++i) store(keys + i * kLanes, block[i]);
}

// Sorts keys that first descend and then ascend. The size need not be a power of two (Lang: Bitonic sorting network for
// n not a power of 2): the smaller keys go to the first part, whose size is one.
REFSCORE_TARGET_AVX512 void sort_bitonic_keys(uint64_t* keys, size_t size) {
    while (size > kTogether * kLanes || !std::has_single_bit(size)) {
        size_t first = std::bit_ceil(size) / 2;
        for (size_t i = 0; i + first < size; i += kLanes) {
            Keys low = load(keys + i), high = load(keys + i + first);
            order(low, high);
            store(keys + i, low);
            store(keys + i + first, high);
        }
        sort_bitonic_keys(keys, first);
        keys += first;
        size -= first;
    }
    switch (size / kLanes) {
        case 8: return sort_bitonic_block<8>(keys);
        case 16: return sort_bitonic_block<16>(keys);
        case 32: return sort_bitonic_block<32>(keys);
        default: return;
    }
}

REFSCORE_TARGET_AVX512 void merge_keys(uint64_t* keys, size_t middle, size_t size) {
    for (size_t i = 0; 2 * i < middle; i += kLanes) {
        Keys first = load(keys + i), last = load(keys + middle - kLanes - i);
        store(keys + i, reversed(last));
        store(keys + middle - kLanes - i, reversed(first));
    }
    sort_bitonic_keys(keys, size);
}

REFSCORE_TARGET_AVX512 void sort_keys(uint64_t* keys, size_t size) {
    constexpr size_t kMost = kTogether * kLanes;
    if (size > kMost || !std::has_single_bit(size)) {
        size_t first = size > kMost ? (size / 2 + kMost - 1) / kMost * kMost : std::bit_ceil(size) / 2;
        sort_keys(keys, first);
        sort_keys(keys + first, size - first);
        return merge_keys(keys, first, size);
    }
    switch (size / kLanes) {
        case 8: return sort_block<8>(keys);
        case 16: return sort_block<16>(keys);
        case 32: return sort_block<32>(keys);
        default: return;
    }
}

}  // namespace

KeySorter key_sorter_avx512() { return {sort_keys, merge_keys, 1 << 13}; }

}  // namespace refscore

#endif

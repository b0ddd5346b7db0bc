#include "refscore/simd/byte_classes.hpp"
#include "refscore/simd/cpu_dispatch.hpp"

#ifdef REFSCORE_X86

#include <immintrin.h>

#include <bit>

namespace refscore {
namespace {

// Two shuffles look up a byte: its low nibble selects a set of high nibbles, and its high nibble selects a bit. It is a
// member if the bit is in the set.

REFSCORE_TARGET_AVX2 void classify(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i bit_of_high =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    for (size_t block = 0; block < blocks; ++block) {
        const __m256i* halves = reinterpret_cast<const __m256i*>(text + kBlockBytes * block);
        __m256i low[2], high[2];
        for (int half = 0; half < 2; ++half) {
            __m256i bytes = _mm256_loadu_si256(halves + half);
            low[half] = _mm256_and_si256(bytes, nibble);
            high[half] = _mm256_shuffle_epi8(bit_of_high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
        }
        for (int bit = 0; bit < kClassBits; ++bit) {
            __m256i rows =
                _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(classes.rows(bit))));
            uint32_t outside[2];
            for (int half = 0; half < 2; ++half) {
                __m256i hit = _mm256_and_si256(_mm256_shuffle_epi8(rows, low[half]), high[half]);
                outside[half] =
                    static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(hit, _mm256_setzero_si256())));
            }
            out[block].of[bit] = ~(static_cast<uint64_t>(outside[1]) << 32 | outside[0]);
        }
    }
}

// Writes eight positions at a time without a branch. Most blocks of text have at most 16 tokens, so one or two rounds
// suffice.
REFSCORE_TARGET_AVX2 uint32_t* write_positions(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out) {
    for (size_t block = 0; block < blocks; ++block, base += kBlockBytes) {
        uint64_t mask = masks[block];
        uint32_t* end = out + std::popcount(mask);
        for (; out < end; out += 8)
            for (int i = 0; i < 8; ++i, mask &= mask - 1) out[i] = base + static_cast<uint32_t>(std::countr_zero(mask));
        out = end;
    }
    return out;
}

}  // namespace

BlockScanner avx2_scanner() { return {classify, write_positions}; }

}  // namespace refscore

#endif

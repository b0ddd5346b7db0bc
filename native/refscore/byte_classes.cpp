#include "byte_classes.hpp"

#include <bit>

#include "cpu.hpp"

#ifdef REFSCORE_X86
#if !defined(__clang__)
// GCC 12 warns of its own AVX-512 header (bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif

namespace refscore {
namespace {

void classify_portable(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out) {
    for (size_t block = 0; block < blocks; ++block) {
        out[block] = {};
        for (int i = 0; i < 64; ++i) {
            uint64_t kinds = classes.of(text[64 * block + i]);
            for (int bit = 0; bit < kClassBits; ++bit) out[block].of[bit] |= (kinds >> bit & 1) << i;
        }
    }
}

uint32_t* write_positions_portable(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out) {
    for (size_t block = 0; block < blocks; ++block, base += 64)
        for (uint64_t mask = masks[block]; mask != 0; mask &= mask - 1) *out++ = base + static_cast<uint32_t>(std::countr_zero(mask));
    return out;
}

#ifdef REFSCORE_X86

// A byte is a member if the bit that its high nibble picks is in the row that its low nibble picks.

__attribute__((target("avx2"))) void classify_avx2(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i bit_of_high = _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    for (size_t block = 0; block < blocks; ++block) {
        const __m256i* halves = reinterpret_cast<const __m256i*>(text + 64 * block);
        __m256i low[2], high[2];
        for (int half = 0; half < 2; ++half) {
            __m256i bytes = _mm256_loadu_si256(halves + half);
            low[half] = _mm256_and_si256(bytes, nibble);
            high[half] = _mm256_shuffle_epi8(bit_of_high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
        }
        for (int bit = 0; bit < kClassBits; ++bit) {
            __m256i rows = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(classes.rows(bit))));
            uint32_t outside[2];
            for (int half = 0; half < 2; ++half) {
                __m256i hit = _mm256_and_si256(_mm256_shuffle_epi8(rows, low[half]), high[half]);
                outside[half] = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(hit, _mm256_setzero_si256())));
            }
            out[block].of[bit] = ~(static_cast<uint64_t>(outside[1]) << 32 | outside[0]);
        }
    }
}

// Eight positions at a time without a branch, which most blocks of text need once or twice.
__attribute__((target("bmi,popcnt"))) uint32_t* write_positions_bmi(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out) {
    for (size_t block = 0; block < blocks; ++block, base += 64) {
        uint64_t mask = masks[block];
        uint32_t* end = out + std::popcount(mask);
        for (; out < end; out += 8)
            for (int i = 0; i < 8; ++i, mask &= mask - 1) out[i] = base + static_cast<uint32_t>(std::countr_zero(mask));
        out = end;
    }
    return out;
}

#define REFSCORE_AVX512 "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt"

__attribute__((target(REFSCORE_AVX512))) void classify_avx512(const ByteClasses& classes, const uint8_t* text, size_t blocks,
                                                              BlockMasks* out) {
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i bit_of_high = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    for (size_t block = 0; block < blocks; ++block) {
        __m512i bytes = _mm512_loadu_si512(text + 64 * block);
        __m512i low = _mm512_and_si512(bytes, nibble);
        __m512i high = _mm512_shuffle_epi8(bit_of_high, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble));
        for (int bit = 0; bit < kClassBits; ++bit) {
            __m512i rows = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(classes.rows(bit))));
            out[block].of[bit] = _mm512_test_epi8_mask(_mm512_shuffle_epi8(rows, low), high);
        }
    }
}

__attribute__((target(REFSCORE_AVX512))) uint32_t* write_positions_avx512(const uint64_t* masks, size_t blocks, uint32_t base,
                                                                          uint32_t* out) {
    alignas(64) static constexpr std::array<uint8_t, 64> kIota = [] {
        std::array<uint8_t, 64> made{};
        for (size_t i = 0; i < made.size(); ++i) made[i] = static_cast<uint8_t>(i);
        return made;
    }();
    const __m512i iota = _mm512_load_si512(kIota.data());
    for (size_t block = 0; block < blocks; ++block, base += 64) {
        __m512i packed = _mm512_maskz_compress_epi8(masks[block], iota);
        uint32_t* end = out + std::popcount(masks[block]);
        while (out < end) {
            _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)), _mm512_set1_epi32(static_cast<int>(base))));
            packed = _mm512_alignr_epi32(packed, packed, 4);
            out += 16;
        }
        out = end;
    }
    return out;
}

#endif

}  // namespace

std::vector<BlockScanner> usable_scanners() {
    std::vector<BlockScanner> usable;
#ifdef REFSCORE_X86
    __builtin_cpu_init();  // initializers of other files may run before the compiler's own
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512vbmi2");
    if (avx512) usable.push_back({classify_avx512, write_positions_avx512});
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt")) usable.push_back({classify_avx2, write_positions_bmi});
#endif
    usable.push_back({classify_portable, write_positions_portable});
    return usable;
}

const BlockScanner kScanner = usable_scanners().front();

}  // namespace refscore

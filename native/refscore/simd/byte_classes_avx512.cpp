#include "refscore/simd/byte_classes.hpp"
#include "refscore/simd/cpu_dispatch.hpp"

#ifdef REFSCORE_X86

#if !defined(__clang__)
// GCC 12 reports false positives in its own AVX-512 header (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <bit>

namespace refscore {
namespace {

// byte_classes_avx2.cpp explains the lookup.
REFSCORE_TARGET_AVX512 void classify(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out) {
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i bit_of_high =
        _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    for (size_t block = 0; block < blocks; ++block) {
        __m512i bytes = _mm512_loadu_si512(text + kBlockBytes * block);
        __m512i low = _mm512_and_si512(bytes, nibble);
        __m512i high = _mm512_shuffle_epi8(bit_of_high, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble));
        for (int bit = 0; bit < kClassBits; ++bit) {
            __m512i rows = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(classes.rows(bit))));
            out[block].of[bit] = _mm512_test_epi8_mask(_mm512_shuffle_epi8(rows, low), high);
        }
    }
}

REFSCORE_TARGET_AVX512 uint32_t* write_positions(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out) {
    alignas(64) static constexpr std::array<uint8_t, kBlockBytes> kIota = [] {
        std::array<uint8_t, kBlockBytes> iota{};
        for (size_t i = 0; i < iota.size(); ++i) iota[i] = static_cast<uint8_t>(i);
        return iota;
    }();
    const __m512i iota = _mm512_load_si512(kIota.data());
    for (size_t block = 0; block < blocks; ++block, base += kBlockBytes) {
        __m512i packed = _mm512_maskz_compress_epi8(masks[block], iota);
        uint32_t* end = out + std::popcount(masks[block]);
        while (out < end) {
            _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)),
                                                      _mm512_set1_epi32(static_cast<int>(base))));
            packed = _mm512_alignr_epi32(packed, packed, 4);
            out += BlockScanner::kOvershoot;
        }
        out = end;
    }
    return out;
}

}  // namespace

BlockScanner avx512_scanner() { return {classify, write_positions}; }

}  // namespace refscore

#endif

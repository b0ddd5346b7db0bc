// Classes of ASCII characters, looked up 64 bytes at a time as bit masks. Bytes beyond ASCII belong to no class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "unicode.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define REFSCORE_AVX2 1
#include <immintrin.h>
#endif

namespace refscore {

constexpr int kClassBits = 6;

// One bit per byte of a block of 64, for each class.
struct BlockMasks {
    std::array<uint64_t, kClassBits> of{};
    uint64_t operator[](CharClass kind) const {
        return of[kind == kSpace ? 0 : kind == kSymbol ? 1 : kind == kPoint ? 2 : kind == kDash ? 3 : kind == kNumber ? 4 : 5];
    }
};

class ByteClasses {
  public:
    template <class ClassOf>
    constexpr explicit ByteClasses(ClassOf class_of) {
        for (unsigned byte = 0; byte < 128; ++byte) {
            of_[byte] = static_cast<uint8_t>(class_of(static_cast<char>(byte)));
            // A byte's high nibble picks a bit, its low nibble the set of high nibbles that make it a member.
            for (int bit = 0; bit < kClassBits; ++bit)
                if (of_[byte] >> bit & 1) rows_[bit][byte & 15] = static_cast<uint8_t>(rows_[bit][byte & 15] | 1u << (byte >> 4));
        }
    }

    bool is(uint8_t byte, CharClass kind) const { return (of_[byte] & kind) != 0; }
    uint8_t of(uint8_t byte) const { return of_[byte]; }

    // Masks of consecutive blocks.
    void masks_portable(const uint8_t* text, size_t blocks, BlockMasks* out) const {
        for (size_t block = 0; block < blocks; ++block) {
            out[block] = {};
            for (int i = 0; i < 64; ++i) {
                uint64_t kinds = of_[text[64 * block + i]];
                for (int bit = 0; bit < kClassBits; ++bit) out[block].of[bit] |= (kinds >> bit & 1) << i;
            }
        }
    }

#ifdef REFSCORE_AVX2
    __attribute__((target("avx2"))) void masks_avx2(const uint8_t* text, size_t blocks, BlockMasks* out) const {
        const __m256i nibble = _mm256_set1_epi8(15);
        const __m256i bit_of_high = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                                     1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
        for (size_t block = 0; block < blocks; ++block) {
            const __m256i* halves = reinterpret_cast<const __m256i*>(text + 64 * block);
            __m256i low[2], row[2];
            for (int half = 0; half < 2; ++half) {
                __m256i bytes = _mm256_loadu_si256(halves + half);
                low[half] = _mm256_and_si256(bytes, nibble);
                row[half] = _mm256_shuffle_epi8(bit_of_high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
            }
            for (int bit = 0; bit < kClassBits; ++bit) {
                __m256i table = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(rows_[bit].data())));
                uint32_t outside[2];
                for (int half = 0; half < 2; ++half) {
                    __m256i hit = _mm256_and_si256(_mm256_shuffle_epi8(table, low[half]), row[half]);
                    outside[half] = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(hit, _mm256_setzero_si256())));
                }
                out[block].of[bit] = ~(static_cast<uint64_t>(outside[1]) << 32 | outside[0]);
            }
        }
    }
#endif

  private:
    alignas(16) std::array<std::array<uint8_t, 16>, kClassBits> rows_{};
    std::array<uint8_t, 256> of_{};
};

}  // namespace refscore

#include "refscore/simd/byte_classes.hpp"
#include "refscore/simd/cpu_dispatch.hpp"

#ifdef REFSCORE_NEON

#include <arm_acle.h>
#include <arm_neon.h>

#include <bit>

namespace refscore {
namespace {

// Swaps bits between two vectors: the result has the bits of `low` where `mask` is set, and those of `high` elsewhere.
REFSCORE_INLINE uint8x16_t mix(uint8x16_t mask, uint8x16_t low, uint8x16_t high) { return vbslq_u8(mask, low, high); }

// A block is loaded as four vectors: byte i of vector v is byte 4 i + v of the block. A lookup in eight registers, the
// whole of ASCII, replaces each byte by its classes. Two steps of a bit transposition then collect the bits of a class
// from the four vectors: four neighbours of a mask. A third step joins these to bytes.
void classify(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out) {
    const uint8x16x4_t first_half = vld1q_u8_x4(classes.of_ascii()), second_half = vld1q_u8_x4(classes.of_ascii() + 64);
    const uint8x16_t second = vdupq_n_u8(64), ones = vdupq_n_u8(0x55), pairs = vdupq_n_u8(0x33);
    for (size_t block = 0; block < blocks; ++block) {
        uint8x16x4_t bytes = vld4q_u8(text + kBlockBytes * block);
        uint8x16_t kinds[4];
        // An index beyond the registers gives 0, or keeps the first result.
        for (int v = 0; v < 4; ++v)
            kinds[v] = vqtbx4q_u8(vqtbl4q_u8(first_half, bytes.val[v]), second_half, veorq_u8(bytes.val[v], second));
        // even[h]: bits 2 k of vectors 2 h and 2 h + 1. odd[h]: their bits 2 k + 1.
        uint8x16_t even[2], odd[2];
        for (int h = 0; h < 2; ++h) {
            even[h] = mix(ones, kinds[2 * h], vshlq_n_u8(kinds[2 * h + 1], 1));
            odd[h] = mix(ones, vshrq_n_u8(kinds[2 * h], 1), kinds[2 * h + 1]);
        }
        // Bits k and k + 4 of all vectors, for the k of the name.
        uint8x16_t bits_0_4 = mix(pairs, even[0], vshlq_n_u8(even[1], 2)),
                   bits_1_5 = mix(pairs, odd[0], vshlq_n_u8(odd[1], 2));
        uint8x16_t bits_2_6 = mix(pairs, vshrq_n_u8(even[0], 2), even[1]),
                   bits_3_7 = mix(pairs, vshrq_n_u8(odd[0], 2), odd[1]);
        uint8x16_t low = vuzp1q_u8(bits_0_4, bits_1_5), high = vuzp2q_u8(bits_0_4, bits_1_5);
        static_assert(kClassBits == 6);
        uint64_t* masks = out[block].of.data();
        vst1q_u64(masks, vreinterpretq_u64_u8(vsliq_n_u8(low, high, 4)));
        vst1q_u64(masks + 2,
                  vreinterpretq_u64_u8(vsliq_n_u8(vuzp1q_u8(bits_2_6, bits_3_7), vuzp2q_u8(bits_2_6, bits_3_7), 4)));
        vst1q_u64(masks + 4, vreinterpretq_u64_u8(vsriq_n_u8(high, low, 4)));
    }
}

// As with AVX2, but four positions at a time. ARM counts only leading zeros, so the mask is reversed once.
uint32_t* write_positions(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out) {
    constexpr uint64_t kFirst = uint64_t{1} << 63;
    for (size_t block = 0; block < blocks; ++block, base += kBlockBytes) {
        uint64_t mask = __rbitll(masks[block]);
        uint32_t* end = out + std::popcount(mask);
        for (; out < end; out += 4)
            for (int i = 0; i < 4; ++i) {
                uint32_t position = __clzll(mask);  // 64 for an empty mask, which std::countl_zero needs a branch for
                out[i] = base + position;
                mask &= ~(kFirst >> position % 64);
            }
        out = end;
    }
    return out;
}

}  // namespace

BlockScanner neon_scanner() { return {classify, write_positions}; }

}  // namespace refscore

#endif

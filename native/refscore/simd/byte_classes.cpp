#include "refscore/simd/byte_classes.hpp"

#include <bit>

#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {
namespace {

void classify(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out) {
    for (size_t block = 0; block < blocks; ++block) {
        out[block] = {};
        for (size_t i = 0; i < kBlockBytes; ++i) {
            uint64_t kinds = classes.of(text[kBlockBytes * block + i]);
            for (int bit = 0; bit < kClassBits; ++bit) out[block].of[bit] |= (kinds >> bit & 1) << i;
        }
    }
}

uint32_t* write_positions(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out) {
    for (size_t block = 0; block < blocks; ++block, base += kBlockBytes)
        for (uint64_t mask = masks[block]; mask != 0; mask &= mask - 1)
            *out++ = base + static_cast<uint32_t>(std::countr_zero(mask));
    return out;
}

}  // namespace

std::vector<BlockScanner> usable_scanners() {
    std::vector<BlockScanner> usable;
#if defined(REFSCORE_X86)
    InstructionSet best = best_instruction_set();
    if (best >= InstructionSet::Avx512) usable.push_back(avx512_scanner());
    if (best >= InstructionSet::Avx2) usable.push_back(avx2_scanner());
#elif defined(REFSCORE_NEON)
    usable.push_back(neon_scanner());
#endif
    usable.push_back({classify, write_positions});
    return usable;
}

const BlockScanner kScanner = usable_scanners().front();

}  // namespace refscore

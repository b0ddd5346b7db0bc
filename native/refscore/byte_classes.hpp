// Classes of ASCII characters, looked up 64 bytes at a time as bit masks. Bytes beyond ASCII belong to no class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unicode.hpp"

namespace refscore {

constexpr int kClassBits = 6;

// One bit per byte of a block of 64, for each class; class bit b at b.
struct BlockMasks {
    std::array<uint64_t, kClassBits> of;
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
            for (int bit = 0; bit < kClassBits; ++bit)
                if (of_[byte] >> bit & 1) rows_[bit][byte & 15] = static_cast<uint8_t>(rows_[bit][byte & 15] | 1u << (byte >> 4));
        }
    }

    bool is(uint8_t byte, CharClass kind) const { return (of_[byte] & kind) != 0; }
    uint8_t of(uint8_t byte) const { return of_[byte]; }
    // By low nibble, the set of high nibbles (a bit each) that make a byte a member of the class.
    const uint8_t* rows(int class_bit) const { return rows_[class_bit].data(); }

  private:
    alignas(16) std::array<std::array<uint8_t, 16>, kClassBits> rows_{};
    std::array<uint8_t, 256> of_{};
};

// What the processor does best; chosen when the module is loaded.
struct BlockScanner {
    // Masks of consecutive blocks of text.
    void (*classify)(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out);
    // Writes base + the positions of all set bits of consecutive masks, and returns the end of what was written; up to
    // kOvershoot positions more may be overwritten.
    uint32_t* (*write_positions)(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out);

    static constexpr size_t kOvershoot = 16;
};
extern const BlockScanner kScanner;

// One for each instruction set, in a file of its own; only to be called on a processor that has it.
BlockScanner avx2_scanner();
BlockScanner avx512_scanner();

// All that this processor can run, the best one first and the generic one last; for tests.
std::vector<BlockScanner> usable_scanners();

}  // namespace refscore

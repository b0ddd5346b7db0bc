// Classifies ASCII characters 64 bytes at a time, into bit masks. Bytes beyond ASCII belong to no class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "refscore/text/unicode.hpp"

namespace refscore {

constexpr int kClassBits = 6;  // one bit per CharClass other than kOther

// 64: one bit of a machine word per byte. It is also one AVX-512 register, two AVX2 registers, and a cache line.
constexpr uint32_t kBlockBytes = 64;

// For each class, one bit per byte of a block.
struct BlockMasks {
    std::array<uint64_t, kClassBits> of;
    uint64_t operator[](CharClass kind) const {
        return of[kind == kSpace    ? 0
                  : kind == kSymbol ? 1
                  : kind == kPoint  ? 2
                  : kind == kDash   ? 3
                  : kind == kNumber ? 4
                                    : 5];
    }
};

class ByteClasses {
  public:
    template <class ClassOf>
    constexpr explicit ByteClasses(ClassOf class_of) {
        // A byte is looked up by its two nibbles, because a vector shuffle is a table of 16 entries.
        for (unsigned byte = 0; byte < 128; ++byte) {
            of_[byte] = static_cast<uint8_t>(class_of(static_cast<char>(byte)));
            for (int bit = 0; bit < kClassBits; ++bit)
                if (of_[byte] >> bit & 1)
                    rows_[bit][byte & 15] = static_cast<uint8_t>(rows_[bit][byte & 15] | 1u << (byte >> 4));
        }
    }

    bool is(uint8_t byte, CharClass kind) const { return (of_[byte] & kind) != 0; }
    uint8_t of(uint8_t byte) const { return of_[byte]; }
    // The classes of the 128 ASCII characters.
    const uint8_t* of_ascii() const { return of_.data(); }
    // For each low nibble, the set of high nibbles (one bit each) that make the byte a member of the class. ASCII needs
    // 8 bits.
    const uint8_t* rows(int class_bit) const { return rows_[class_bit].data(); }

  private:
    alignas(16) std::array<std::array<uint8_t, 16>, kClassBits> rows_{};
    std::array<uint8_t, 256> of_{};
};

// The best implementation for this processor, selected when the module is loaded.
struct BlockScanner {
    // Computes the masks of consecutive blocks of text.
    void (*classify)(const ByteClasses& classes, const uint8_t* text, size_t blocks, BlockMasks* out);
    // Writes base + the position of each set bit of consecutive masks, and returns the end of the output. May overwrite
    // up to kOvershoot further elements.
    uint32_t* (*write_positions)(const uint64_t* masks, size_t blocks, uint32_t base, uint32_t* out);

    static constexpr size_t kOvershoot = 16;  // one AVX-512 store of 32-bit positions
};
extern const BlockScanner kScanner;

// One implementation per instruction set, each in its own file. Call it only on a processor that supports the set.
BlockScanner avx2_scanner();
BlockScanner avx512_scanner();
BlockScanner neon_scanner();

// All implementations that this processor can run: the best first, the generic one last. For tests.
std::vector<BlockScanner> usable_scanners();

}  // namespace refscore

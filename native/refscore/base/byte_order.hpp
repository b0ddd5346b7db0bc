// Numbers in little-endian byte order, on every processor. Bytes of text have places in these numbers that the kernels
// rely on.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace refscore {

// Converts a number from the byte order of this processor to little-endian order, or back.
template <class Number>
constexpr Number little_endian(Number number) {
    if constexpr (std::endian::native == std::endian::little) return number;
    Number reversed = 0;
    for (size_t i = 0; i < sizeof(Number); ++i)
        reversed = static_cast<Number>(reversed << 8 | (number >> 8 * i & 0xff));
    return reversed;
}

// Counts the zero bits of a word from the element that comes first in memory.
constexpr int leading_zeros_in_memory(uint64_t word) {
    return std::endian::native == std::endian::little ? std::countr_zero(word) : std::countl_zero(word);
}

inline uint32_t load32(const uint8_t* bytes) {
    uint32_t value;
    std::memcpy(&value, bytes, 4);
    return little_endian(value);
}
inline uint64_t load64(const uint8_t* bytes) {
    uint64_t value;
    std::memcpy(&value, bytes, 8);
    return little_endian(value);
}

inline void store32(uint8_t* bytes, uint32_t value) {
    value = little_endian(value);
    std::memcpy(bytes, &value, 4);
}
inline void store64(uint8_t* bytes, uint64_t value) {
    value = little_endian(value);
    std::memcpy(bytes, &value, 8);
}

}  // namespace refscore

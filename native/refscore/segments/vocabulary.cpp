#include "refscore/segments/vocabulary.hpp"

namespace refscore {

uint64_t hash_bytes(const uint8_t* bytes, size_t size) {
    uint64_t hash = kSeeds.first ^ size;
    size_t at = 0;
    // Two 64-bit words per step, the two factors of fold_multiply.
    for (; size - at > 16; at += 16)
        hash = fold_multiply(load64(bytes + at) ^ kSeeds.second ^ hash, load64(bytes + at + 8) ^ kSeeds.first);
    // The last 16 bytes may overlap the previous block. Only called for more than 16 bytes.
    return fold_multiply(load64(bytes + size - 16) ^ kSeeds.second ^ hash, load64(bytes + size - 8) ^ kSeeds.first);
}

}  // namespace refscore

// The edit distance of two short sequences of keys, without a vocabulary: numbering the keys of a few tokens takes
// longer than comparing them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace refscore {

// The longest shorter side: one bit of a word per key.
inline constexpr size_t kShortDistance = 64;

// The positions of each key of a short sequence, as bits.
class KeyPositions {
  public:
    // The sequence must have 1 to kShortDistance keys.
    explicit KeyPositions(std::span<const int64_t> keys) {
        slots_ = std::bit_ceil(2 * keys.size());
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_));
        std::fill_n(positions_, slots_, 0);
        for (size_t i = 0; i < keys.size(); ++i) {
            size_t slot = slot_of(keys[i]);
            keys_[slot] = keys[i];
            positions_[slot] |= uint64_t{1} << i;
        }
    }
    // 0 for a key that the sequence lacks.
    uint64_t of(int64_t key) const { return positions_[slot_of(key)]; }

  private:
    // Colliding keys cost little, because there are so few.
    size_t slot_of(int64_t key) const {
        size_t slot = static_cast<size_t>(static_cast<uint64_t>(key) * 0x9e3779b97f4a7c15 >> shift_);
        while (positions_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & (slots_ - 1);
        return slot;
    }

    int64_t keys_[2 * kShortDistance];        // set where there are positions
    uint64_t positions_[2 * kShortDistance];  // 0: a free slot
    size_t slots_;
    unsigned shift_;
};

// Returns the fewest insertions, deletions and substitutions that turn one sequence into the other. The shorter one
// must have at most kShortDistance keys. Bit-parallel, as by Myers and Hyyrö.
inline size_t short_distance(std::span<const int64_t> one, std::span<const int64_t> other) {
    while (!one.empty() && !other.empty() && one.front() == other.front())
        one = one.subspan(1), other = other.subspan(1);
    while (!one.empty() && !other.empty() && one.back() == other.back())
        one = one.first(one.size() - 1), other = other.first(other.size() - 1);
    if (one.size() < other.size()) std::swap(one, other);
    if (other.empty()) return one.size();
    KeyPositions positions(other);
    uint64_t used = ~uint64_t{0} >> (kShortDistance - other.size());
    uint64_t plus = ~uint64_t{0}, minus = 0;
    for (int64_t key : one) {
        uint64_t equal = positions.of(key);
        uint64_t diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
        uint64_t up = minus | ~(diagonal | plus), down = plus & diagonal;
        // The first row counts the keys of the longer sequence, so it grows in every column.
        up = up << 1 | 1;
        down <<= 1;
        plus = down | ~(diagonal | up);
        minus = up & diagonal;
    }
    return one.size() + static_cast<size_t>(std::popcount(plus & used)) -
           static_cast<size_t>(std::popcount(minus & used));
}

}  // namespace refscore

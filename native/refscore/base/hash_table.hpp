// Open addressing with linear probing. Every hash table searches with probe() or find_slot().
//
// Tables differ in what a slot holds: a key and its number (KeyTable), only the number of a key that is stored
// elsewhere (Vocabulary, PairNumbers, Lexicon), a word that threads claim (SharedTable, OverlapIndex), or a value
// (WordTable).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {

// Random per process, so nobody can construct keys that collide.
struct HashSeeds {
    uint64_t first;
    uint64_t second;
};
extern const HashSeeds kSeeds;

// Multiplies to 128 bits and folds the halves, as in wyhash: fast, and every input bit affects the result.
inline uint64_t fold_multiply(uint64_t a, uint64_t b) { return (a * b) ^ multiply_high(a, b); }

inline uint64_t hash_key(uint64_t key) { return fold_multiply(key ^ kSeeds.first, kSeeds.second); }

// The key of a pair of numbers.
constexpr uint64_t pair_key(uint32_t first, uint32_t second) { return uint64_t{first} << 32 | second; }

// Returns the first slot from `slot` on at which the search ends, because it is free or has the key. next(slot) is the
// slot to continue at.
template <class Next, class EndsAt>
REFSCORE_INLINE size_t probe(size_t slot, Next next, EndsAt ends_at) {
    while (!ends_at(slot)) slot = next(slot);
    return slot;
}

// The same for a table whose number of slots is a power of two. `mask` is one less.
template <class EndsAt>
REFSCORE_INLINE size_t find_slot(uint64_t hash, uint64_t mask, EndsAt ends_at) {
    return probe(
        static_cast<size_t>(hash & mask), [=](size_t slot) { return static_cast<size_t>((slot + 1) & mask); }, ends_at);
}

// Numbers by key. No number is 0.
template <class Key>
class KeyTable {
  public:
    // Removes all keys, and sets the number of slots, a power of two.
    void clear(size_t slots) {
        slots_.assign(slots, Slot{0, 0});
        used_ = 0;
    }
    // Returns 0 if the key is unknown. The table must have slots.
    uint32_t find(Key key) const { return slots_[slot_of(key)].number; }
    // Returns the number of a key. It is 0 if the key is new, and the caller must then set it.
    uint32_t& at(Key key) {
        if (2 * (used_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[slot_of(key)];
        slot.key = key;
        used_ += slot.number == 0;
        return slot.number;
    }
    size_t size() const { return used_; }
    size_t slots() const { return slots_.size(); }
    // The memory that stays allocated between calls.
    size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

  private:
    static constexpr size_t kFewestSlots = 64;  // a power of two

    struct Slot {
        Key key;
        uint32_t number;  // 0: free
    };

    size_t slot_of(Key key) const {
        return find_slot(hash_key(key), slots_.size() - 1,
                         [&](size_t slot) { return slots_[slot].number == 0 || slots_[slot].key == key; });
    }
    void grow() {
        std::vector<Slot> before(slots_.empty() ? kFewestSlots : 2 * slots_.size(), Slot{0, 0});
        before.swap(slots_);
        for (const Slot& old : before)
            if (old.number != 0) slots_[slot_of(old.key)] = old;
    }

    std::vector<Slot> slots_;
    size_t used_ = 0;
};

}  // namespace refscore

// Numbers pairs of a prefix and the next symbol: derives the n-grams of one order from those of the order below.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/segments/vocabulary.hpp"

namespace refscore {

// A dense table with an entry for every pair, or a hash table if that would be large.
class PairTable {
  public:
    // Clears the table. Prefixes must be below `prefixes`, symbols below `alphabet`.
    void start(size_t prefixes, size_t alphabet) {
        // A dense table has at most 2**20 entries, 4 MiB: a larger one would leave the cache, and it is cleared for
        // every order. A hash table starts with 4096 slots, 64 KiB, because only large inputs need one. Results depend
        // on neither.
        constexpr size_t kFewestSlots = 4096, kMostPlaces = size_t{1} << 20;
        alphabet_ = alphabet;
        used_ = 0;
        is_dense_ = prefixes <= kMostPlaces / alphabet;
        if (is_dense_) {
            std::fill_n(places_.reserve(prefixes * alphabet), prefixes * alphabet, 0);
        } else {
            slots_.assign(std::max(kFewestSlots, slots_.size()), Slot{0, 0});
        }
    }
    // Returns the number of a pair, or `next` (not 0) if the pair is new.
    uint32_t add(uint32_t prefix, uint32_t symbol, uint32_t next) {
        if (is_dense_) {
            uint32_t& place = places_[prefix * alphabet_ + symbol];
            place = place == 0 ? next : place;
            return place;
        }
        if (2 * (used_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[slot_of(key_of(prefix, symbol))];
        if (slot.number == 0) {
            slot = {key_of(prefix, symbol), next};
            ++used_;
        }
        return slot.number;
    }
    // Returns 0 if the pair is unknown.
    uint32_t find(uint32_t prefix, uint32_t symbol) const {
        return is_dense_ ? places_[prefix * alphabet_ + symbol] : slots_[slot_of(key_of(prefix, symbol))].number;
    }

    // The memory that stays allocated between calls.
    size_t bytes() const { return places_.bytes() + slots_.capacity() * sizeof(Slot); }

  private:
    struct Slot {
        uint64_t key;
        uint32_t number;  // 0: free
    };

    static uint64_t key_of(uint32_t prefix, uint32_t symbol) { return uint64_t{prefix} << 32 | symbol; }
    size_t slot_of(uint64_t key) const {
        size_t mask = slots_.size() - 1, slot = fold_multiply(key ^ kSeeds.first, kSeeds.second) & mask;
        while (slots_[slot].number != 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
        return slot;
    }
    void grow() {
        std::vector<Slot> before(2 * slots_.size(), Slot{0, 0});
        before.swap(slots_);
        for (const Slot& old : before)
            if (old.number != 0) slots_[slot_of(old.key)] = old;
    }

    size_t alphabet_ = 1;
    size_t used_ = 0;
    bool is_dense_ = true;
    Buffer<uint32_t> places_;
    std::vector<Slot> slots_;
};

}  // namespace refscore

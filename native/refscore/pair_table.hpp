// Numbers for pairs of a prefix and the symbol after it: n-grams of one order from those of the order below.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "vocabulary.hpp"

namespace refscore {

// A table that has a place for every pair, or a hash table where that one would be large.
class PairTable {
  public:
    // Forgets all pairs. Prefixes will be below `prefixes`, symbols below `alphabet`.
    void start(size_t prefixes, size_t alphabet) {
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
    // The number of a pair: `next`, which is not 0, if it is new.
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
    // 0 if there is none.
    uint32_t find(uint32_t prefix, uint32_t symbol) const {
        return is_dense_ ? places_[prefix * alphabet_ + symbol] : slots_[slot_of(key_of(prefix, symbol))].number;
    }

    // How much memory is kept for the next call.
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

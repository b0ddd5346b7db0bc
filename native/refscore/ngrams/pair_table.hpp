// Numbers pairs of a prefix and the next symbol: derives the n-grams of one order from those of the order below.
#pragma once

#include <algorithm>
#include <cstdint>

#include "refscore/base/buffer.hpp"
#include "refscore/base/hash_table.hpp"

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
        is_dense_ = prefixes <= kMostPlaces / alphabet;
        if (is_dense_) {
            std::fill_n(places_.reserve(prefixes * alphabet), prefixes * alphabet, 0);
        } else {
            numbers_.clear(std::max(kFewestSlots, numbers_.slots()));
        }
    }
    // Returns the number of a pair, or `next` (not 0) if the pair is new.
    uint32_t add(uint32_t prefix, uint32_t symbol, uint32_t next) {
        if (is_dense_) {
            uint32_t& place = places_[prefix * alphabet_ + symbol];
            place = place == 0 ? next : place;
            return place;
        }
        uint32_t& number = numbers_.at(pair_key(prefix, symbol));
        return number = number == 0 ? next : number;
    }
    // Returns 0 if the pair is unknown.
    uint32_t find(uint32_t prefix, uint32_t symbol) const {
        return is_dense_ ? places_[prefix * alphabet_ + symbol] : numbers_.find(pair_key(prefix, symbol));
    }

    // The memory that stays allocated between calls.
    size_t bytes() const { return places_.bytes() + numbers_.bytes(); }

  private:
    size_t alphabet_ = 1;
    bool is_dense_ = true;
    Buffer<uint32_t> places_;
    KeyTable<uint64_t> numbers_;
};

}  // namespace refscore

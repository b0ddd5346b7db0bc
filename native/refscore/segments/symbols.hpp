// Maps the symbols of one sequence to small numbers. Codes are code points or token numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "refscore/segments/vocabulary.hpp"

namespace refscore {

// Reused for many sequences; clear() costs as much as the symbols added. Codes below 2**16 are looked up in pages of
// 256, of which a text uses few. Higher codes use a hash table of the size that the last sequence needed.
class SymbolMap {
  public:
    static constexpr uint32_t kNone = 0;

    void clear() {
        for (uint32_t code : low_codes_) low(code) = kNone;
        low_codes_.clear();
        if (high_size_ > 0) high_.assign(std::min(high_.size(), std::bit_ceil(4 * high_size_)), {0, kNone});
        high_size_ = 0;
        size_ = 0;
    }
    // The number of symbols; they are numbered from 1.
    uint32_t size() const { return size_; }

    uint32_t add(uint32_t code) {
        if (code < kLow) {
            uint32_t symbol = pages_[page_of_[code >> 8]][code & 0xff];
            if (symbol != kNone) return symbol;  // of most units
        }
        return add_new(code);
    }
    // Returns kNone if the code was not added.
    uint32_t find(uint32_t code) const {
        if (code < kLow) return pages_[page_of_[code >> 8]][code & 0xff];
        return high_size_ == 0 ? kNone : high_[slot_of(code)].symbol;
    }

  private:
    static constexpr uint32_t kLow = 0x10000;  // the basic multilingual plane: 256 pages of 256 codes
    static constexpr size_t kFewestSlots =
        64;  // a power of two; 512 bytes, and few texts have 32 symbols beyond the first plane
    struct Entry {
        uint32_t code;
        uint32_t symbol;
    };

    uint32_t& low(uint32_t code) { return pages_[page_of_[code >> 8]][code & 0xff]; }
    uint32_t add_new(uint32_t code) {
        if (code < kLow) {
            if (page_of_[code >> 8] == 0) {
                pages_.emplace_back();
                page_of_[code >> 8] = static_cast<uint16_t>(pages_.size() - 1);
            }
            low_codes_.push_back(code);
            return low(code) = ++size_;
        }
        if (2 * (high_size_ + 1) > high_.size()) grow();
        Entry& entry = high_[slot_of(code)];
        if (entry.symbol == kNone) {
            entry = {code, ++size_};
            ++high_size_;
        }
        return entry.symbol;
    }
    size_t slot_of(uint32_t code) const {
        size_t mask = high_.size() - 1;
        size_t slot = fold_multiply(code ^ kSeeds.first, kSeeds.second) & mask;
        while (high_[slot].symbol != kNone && high_[slot].code != code) slot = (slot + 1) & mask;
        return slot;
    }
    void grow() {
        std::vector<Entry> before(high_.empty() ? kFewestSlots : 2 * high_.size(), Entry{0, kNone});
        before.swap(high_);
        for (const Entry& entry : before)
            if (entry.symbol != kNone) high_[slot_of(entry.code)] = entry;
    }

    std::array<uint16_t, 256> page_of_{};  // page 0 stays empty
    std::vector<std::array<uint32_t, 256>> pages_{1};
    std::vector<uint32_t> low_codes_;
    std::vector<Entry> high_;
    size_t high_size_ = 0;
    uint32_t size_ = 0;
};

}  // namespace refscore

// Maps the symbols of one sequence to small numbers. Codes are code points or token numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "refscore/base/hash_table.hpp"

namespace refscore {

// Reused for many sequences; clear() costs as much as the symbols added. Codes below 2**16 are looked up in pages of
// 256, of which a text uses few. Higher codes use a hash table of the size that the last sequence needed.
class SymbolMap {
  public:
    static constexpr uint32_t kNone = 0;

    void clear() {
        for (uint32_t code : low_codes_) low(code) = kNone;
        low_codes_.clear();
        if (high_.size() > 0) high_.clear(std::min(high_.slots(), std::bit_ceil(4 * high_.size())));
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
        return high_.size() == 0 ? kNone : high_.find(code);
    }

  private:
    static constexpr uint32_t kLow = 0x10000;  // the basic multilingual plane: 256 pages of 256 codes

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
        uint32_t& symbol = high_.at(code);
        return symbol = symbol == kNone ? ++size_ : symbol;
    }

    std::array<uint16_t, 256> page_of_{};  // page 0 stays empty
    std::vector<std::array<uint32_t, 256>> pages_{1};
    std::vector<uint32_t> low_codes_;
    KeyTable<uint32_t> high_;
    uint32_t size_ = 0;
};

}  // namespace refscore

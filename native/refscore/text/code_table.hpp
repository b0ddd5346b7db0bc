// A small value for every code point.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refscore {

struct CodeRange {
    uint32_t first;
    uint32_t last;
};

template <size_t N>
constexpr bool within(const CodeRange (&ranges)[N], uint32_t code) {
    for (const CodeRange& range : ranges)
        if (code >= range.first && code <= range.last) return true;
    return false;
}

// A two-level table: pages of 256 code points, as in most Unicode libraries. Empty pages are shared, others are not.
template <class Value>
class CodeTable {
  public:
    // Calls change(value) for every code point of the ranges.
    template <size_t N, class Change>
    void change(const CodeRange (&ranges)[N], Change change) {
        for (const CodeRange& range : ranges)
            for (uint32_t code = range.first; code <= range.last; ++code) {
                uint16_t& page = page_of_[code >> 8];
                if (page == 0) {
                    page = static_cast<uint16_t>(pages_.size());
                    pages_.emplace_back();
                }
                change(pages_[page][code & 0xff]);
            }
    }
    template <size_t N>
    void add(const CodeRange (&ranges)[N], Value value) {
        change(ranges, [&](Value& there) { there = value; });
    }
    Value of(uint32_t code) const { return pages_[page_of_[code >> 8]][code & 0xff]; }

  private:
    // 0x1100 pages of 256 code points cover U+0000 to U+10FFFF.
    std::array<uint16_t, 0x1100> page_of_{};
    std::vector<std::array<Value, 256>> pages_{1};
};

}  // namespace refscore

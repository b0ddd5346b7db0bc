// Memory for many small arrays that live as long as their owner, and never move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace refscore {

class Slabs {
  public:
    Slabs() = default;
    Slabs(Slabs&&) = default;
    Slabs& operator=(Slabs&&) = default;

    // Returns uninitialized memory. Slabs double up to 256 KiB: few arrays need little memory, and many are not copied.
    uint64_t* allocate(size_t words) {
        constexpr size_t kMost = size_t{1} << 15;
        if (words > left_) {
            left_ = std::max(words, std::min(allocated_, kMost));
            slabs_.emplace_back(new uint64_t[left_]);
            free_ = slabs_.back().get();
            allocated_ += left_;
        }
        left_ -= words;
        return std::exchange(free_, free_ + words);
    }
    // Takes over the arrays of others.
    void append(Slabs&& other) {
        std::move(other.slabs_.begin(), other.slabs_.end(), std::back_inserter(slabs_));
        allocated_ += other.allocated_;
        left_ = 0;
    }

  private:
    std::vector<std::unique_ptr<uint64_t[]>> slabs_;
    uint64_t* free_ = nullptr;  // in the last slab
    size_t left_ = 0, allocated_ = 0;
};

// The number of words that hold objects of a smaller type.
template <class T>
constexpr size_t words_for(size_t count) {
    return (count * sizeof(T) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

}  // namespace refscore

// A growing buffer that is reused for many segments. Unlike std::vector, it never initializes its elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace refscore {

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    // Allocates at least `size` elements, preserves the values of the first `keep`, and returns the first one.
    T* reserve(size_t size, size_t keep = 0) {
        if (size > capacity_) {
            // Growth by half, as in many vector implementations: repeated appends take amortized constant time.
            size_t capacity = std::max(size, capacity_ + capacity_ / 2);
            std::unique_ptr<T[]> grown(new T[capacity]);
            if (keep > 0) std::memcpy(static_cast<void*>(grown.get()), data_.get(), keep * sizeof(T));
            data_ = std::move(grown);
            capacity_ = capacity;
        }
        return data_.get();
    }
    size_t bytes() const { return capacity_ * sizeof(T); }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](size_t i) { return data_[i]; }
    const T& operator[](size_t i) const { return data_[i]; }

  private:
    std::unique_ptr<T[]> data_;
    size_t capacity_ = 0;
};

}  // namespace refscore

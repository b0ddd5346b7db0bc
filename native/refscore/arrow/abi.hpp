// The structures of the Arrow C data interface, copied from its specification, and a class that owns them.
#pragma once

#include <cstdint>
#include <utility>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
extern "C" {
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};
}
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}
#endif

namespace refscore {

// Owns one of the structures and releases it in the destructor. The constructor moves the structure out of `from`.
template <class Structure>
class Owned {
  public:
    Owned() : value_{} {}
    explicit Owned(Structure& from) : value_(from) { from.release = nullptr; }
    Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, Structure{})) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Owned() {
        if (value_.release != nullptr) value_.release(&value_);
    }

    bool is_released() const { return value_.release == nullptr; }
    Structure* get() { return &value_; }
    const Structure& operator*() const { return value_; }
    Structure* operator->() { return &value_; }

  private:
    Structure value_;
};

}  // namespace refscore

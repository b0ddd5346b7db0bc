// Segments that have been read from Python objects, and what keeps them valid.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "refscore/segments/segments.hpp"
#include "refscore/segments/vocabulary.hpp"
#include "refscore/threads/piece.hpp"

namespace refscore::bindings {

// Copies few bytes without a call.
inline void copy_short(const uint8_t* from, size_t size, uint8_t* to) {
    if (size > 16) {
        std::memcpy(to, from, size);
    } else if (size >= 8) {
        uint64_t low = load64(from), high = load64(from + size - 8);
        store64(to, low);
        store64(to + size - 8, high);
    } else if (size >= 4) {
        uint32_t low = load32(from), high = load32(from + size - 4);
        store32(to, low);
        store32(to + size - 4, high);
    } else {
        for (size_t i = 0; i < size; ++i) to[i] = from[i];
    }
}

// Memory for copies, which never move.
class CopiedBytes {
  public:
    // Returns uninitialized memory, aligned for integers.
    uint8_t* take(size_t bytes) {
        bytes = (bytes + 7) & ~size_t{7};
        size_ += bytes;
        if (bytes > kSlab / 4) return large_.emplace_back(new uint8_t[bytes]).get();
        if (slabs_.empty() || used_ + bytes > kSlab) {
            slab_ = slabs_.empty() ? 0 : slab_ + 1;
            if (slab_ == slabs_.size()) slabs_.emplace_back(new uint8_t[kSlab]);
            used_ = 0;
        }
        used_ += bytes;
        return slabs_[slab_].get() + used_ - bytes;
    }
    // The bytes taken since the last clear().
    size_t size() const { return size_; }
    void clear() {
        large_.clear();
        slab_ = used_ = size_ = 0;
    }

  private:
    static constexpr size_t kSlab = size_t{1}
                                    << 15;  // 64 sentences with their references; larger copies get their own memory
    std::vector<std::unique_ptr<uint8_t[]>> slabs_, large_;
    size_t slab_ = 0, used_ = 0, size_ = 0;
};

// Consecutive segments, and their copies or the objects that keep their views valid. With objects, it must be loaded,
// released and destroyed with the GIL.
struct LoadedBlock {
    Block block;
    size_t begin = 0;        // index of the first segment
    bool is_copied = false;  // the views point to `copies` or to memory of arrays and columns, and no object is held
    std::vector<PyObject*> held;
    std::vector<Py_buffer> buffers;
    CopiedBytes copies;
    std::vector<Piece> pieces;  // scratch memory of load_copied

    LoadedBlock() = default;
    LoadedBlock(const LoadedBlock&) = delete;
    ~LoadedBlock() { release(); }
    void hold(PyObject* object) {
        held.push_back(object);
        Py_INCREF(object);
    }
    void release() {
        for (PyObject* object : held) Py_DECREF(object);
        for (Py_buffer& buffer : buffers) PyBuffer_Release(&buffer);
        held.clear();
        buffers.clear();
        copies.clear();
    }
};

}  // namespace refscore::bindings

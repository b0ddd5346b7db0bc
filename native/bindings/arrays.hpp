// Returns buffers as NumPy arrays without copying.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>

namespace refscore::bindings {

template <class T, size_t kDimensions>
using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<kDimensions>, nanobind::c_contig>;

// An array whose type is chosen at run time.
template <size_t kDimensions>
using AnyArray = nanobind::ndarray<nanobind::numpy, nanobind::ndim<kDimensions>, nanobind::c_contig>;

template <class T, size_t kDimensions>
Array<T, kDimensions> as_array(std::unique_ptr<T[]> values, std::initializer_list<size_t> shape) {
    T* data = values.get();
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    values.release();
    return Array<T, kDimensions>(data, shape, owner);
}

}  // namespace refscore::bindings

// Objects that are reused from one call to the next, since their memory is expensive to allocate again.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace refscore {

// Calls use(object) with an object that the thread caches for the next call, unless its bytes() have become many.
template <class T, class Use>
void with_cached(Use use) {
    constexpr size_t kMostCached = size_t{1} << 24;
    // Not in the cache while it is in use: a signal handler may call this too, and an object is dropped if use() throws.
    static thread_local std::unique_ptr<T> cached;
    std::unique_ptr<T> object = std::move(cached);
    if (!object) object = std::make_unique<T>();
    use(*object);
    if (object->bytes() <= kMostCached) cached = std::move(object);
}

}  // namespace refscore

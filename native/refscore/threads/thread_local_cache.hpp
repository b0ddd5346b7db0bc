// Caches objects between calls, because allocating their memory again is expensive.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace refscore {

// Calls use(object) with an object that the thread caches for the next call, unless it has grown too large.
template <class T, class Use>
void with_cached(Use use) {
    constexpr size_t kMostCached = size_t{1}
                                   << 26;  // 64 MiB per thread and type, so one huge call does not keep its memory
    // Removed from the cache during use: a signal handler may call this function too, and an exception must drop the
    // object.
    static thread_local std::unique_ptr<T> cached;
    std::unique_ptr<T> object = std::move(cached);
    if (!object) object = std::make_unique<T>();
    use(*object);
    if (object->bytes() <= kMostCached) cached = std::move(object);
}

}  // namespace refscore

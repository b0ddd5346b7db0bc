// Objects whose room is worth keeping from one call to the next.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace refscore {

// Calls use(object) with one that stays with the thread for the next call, unless it has become large by its bytes().
template <class T, class Use>
void with_spare(Use use) {
    constexpr size_t kKept = size_t{1} << 24;
    // Taken away while it is in use: a signal handler may come back here, and what fails half-way is not kept.
    static thread_local std::unique_ptr<T> spare;
    std::unique_ptr<T> object = std::move(spare);
    if (!object) object = std::make_unique<T>();
    use(*object);
    if (object->bytes() <= kKept) spare = std::move(object);
}

}  // namespace refscore

// Runs a loop over segments on several threads. Threads are started for the call and joined in it: nothing outlives a fork.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace refscore {

// The number that was asked for, where 0 means all cores.
inline size_t thread_count(size_t asked) { return asked != 0 ? asked : std::max(1u, std::thread::hardware_concurrency()); }

// Calls make() once per thread for its own worker, then worker(begin, end) for ranges that together cover [0, size).
// `threads` 0 means all cores. What a worker throws is thrown here, once all have stopped.
template <class Make>
void parallel_for(size_t size, size_t threads, Make make) {
    constexpr size_t kRange = 32;
    size_t most = (size + kRange - 1) / kRange;
    threads = most <= 1 ? 1 : std::min(thread_count(threads), most);
    if (threads <= 1) {
        if (size > 0) make()(0, size);
        return;
    }
    std::atomic<size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_lock;
    auto run = [&] {
        try {
            auto worker = make();
            for (size_t begin; (begin = next.fetch_add(kRange)) < size;) worker(begin, std::min(begin + kRange, size));
        } catch (...) {
            next = size;
            std::lock_guard<std::mutex> guard(failure_lock);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    try {
        while (others.size() + 1 < threads) others.emplace_back(run);
    } catch (const std::system_error&) {
        // Fewer threads than asked for do the same work.
    }
    run();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace refscore

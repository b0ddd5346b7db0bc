// Runs a loop on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "thread_pool.hpp"

namespace refscore {

// The first exception of several threads, to be thrown again in one.
class Failure {
  public:
    void keep(std::exception_ptr failure) {
        std::lock_guard<std::mutex> guard(lock_);
        if (!first_) first_ = failure;
    }
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

  private:
    std::mutex lock_;
    std::exception_ptr first_;
};

// How many indexes a thread takes at a time, unless each of them is much work.
constexpr size_t kRange = 32;

// Calls make() once per thread for its own worker, then worker(begin, end) for ranges that together cover [0, size).
// `threads` 0 means all cores. This thread works too, and calls poll() now and then. What a worker or poll() throws is thrown here,
// once all have stopped.
template <class Make, class Poll>
void parallel_for(size_t size, size_t threads, Make make, Poll poll, size_t range = kRange) {
    size_t ranges = (size + range - 1) / range;
    if (ranges == 0) return;
    std::atomic<size_t> next{0};
    Failure failure;
    auto run = [&](auto between) {
        try {
            auto worker = make();
            for (size_t begin; (begin = next.fetch_add(range)) < size; between()) worker(begin, std::min(begin + range, size));
        } catch (...) {
            next = size;
            failure.keep(std::current_exception());
        }
    };
    {
        ThreadPool::Job job(ThreadPool::instance(), ranges == 1 ? 0 : std::min(thread_count(threads), ranges) - 1, [&] { run([] {}); });
        run(poll);
    }
    failure.rethrow();
}

}  // namespace refscore

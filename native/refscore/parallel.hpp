// Runs a loop on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "stopping.hpp"
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

// What an index takes at least, for checkpoint().
constexpr size_t kLeastWork = 64;

// How long a thread waits for others before it looks whether all are to stop.
constexpr std::chrono::milliseconds kPatience{50};

// Calls make() once per thread for its own worker, then worker(begin, end) for ranges that together cover [0, size).
// `threads` 0 means all cores. This thread works too. What a worker throws is thrown here, once all have stopped; and so is what
// this thread's checkpoints throw, also while it only waits for the others.
template <class Make>
void parallel_for(size_t size, size_t threads, Make make, size_t range = kRange) {
    size_t ranges = (size + range - 1) / range;
    if (ranges == 0) return;
    std::atomic<size_t> next{0};
    Failure failure;
    StopFlag flag;
    auto attempt = [&](auto work) {
        try {
            work();
        } catch (...) {
            next = size;
            failure.keep(std::current_exception());
            flag.raise();
        }
    };
    auto run = [&] {
        attempt([&] {
            Checkpoints checkpoints(flag);
            auto worker = make();
            for (size_t begin; (begin = next.fetch_add(range)) < size;) {
                checkpoint(range * kLeastWork);
                worker(begin, std::min(begin + range, size));
            }
        });
    };
    {
        ThreadPool::Job job(ThreadPool::instance(), ranges == 1 ? 0 : std::min(thread_count(threads), ranges) - 1, run);
        run();
        while (!job.finish_within(kPatience)) attempt([] { look_for_stop(); });
    }
    failure.rethrow();
}

}  // namespace refscore

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

// Stores the first exception of several threads, to be rethrown in one of them.
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

// Indexes per block. With at most a few microseconds per segment, 32 amortize the atomic increment and still balance the load.
// Callers with more or less work per index pass a different number. Results do not depend on it.
constexpr size_t kRange = 32;

// Nanoseconds per index at least, for checkpoint(). Only the order of magnitude matters.
constexpr size_t kLeastWork = 64;

// How long a thread waits for the others before it checks for interrupts. 50 ms is not noticeable after Ctrl-C.
constexpr std::chrono::milliseconds kPatience{50};

// Calls make() once per thread to create its worker, then worker(begin, end) for blocks that together cover [0, size). `threads`
// 0 means all cores; the calling thread also works. Exceptions of workers and of this thread's checkpoints are rethrown here,
// after all threads have stopped.
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

// Runs a loop on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "refscore/threads/stopping.hpp"
#include "refscore/threads/thread_pool.hpp"

namespace refscore {

// Stores the first exception of several threads, to be rethrown in one of them.
class Failure {
  public:
    void keep(std::exception_ptr failure) {
        std::lock_guard<std::mutex> guard(lock_);
        if (!first_) first_ = std::move(failure);
    }
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

  private:
    std::mutex lock_;
    std::exception_ptr first_;
};

// Indexes per block. With at most a few microseconds per segment, 32 amortize the atomic increment and still balance
// the load. Callers with more or less work per index pass a different number. Results do not depend on it.
constexpr size_t kRange = 32;

// Nanoseconds per index at least, for checkpoint(). Only the order of magnitude matters.
constexpr size_t kLeastWork = 64;

// How long a thread waits for the others before it checks for interrupts. 50 ms is not noticeable after Ctrl-C.
constexpr std::chrono::milliseconds kPatience{50};

// How long a thread keeps others from using the objects that it reads. Python switches threads after the same time.
constexpr std::chrono::milliseconds kTurn{5};

// The work that pays for waking a thread: it starts after about 20 µs, or 50 µs on a virtual machine.
constexpr std::chrono::nanoseconds kWorthHelper{40'000};

// Asks for as many helpers as the work is worth, so threads never make small work slower.
class Help {
  public:
    // At most `threads` threads, or one for each part; `threads` 0 means all cores. `work`: nanoseconds for everything,
    // at least.
    Help(ThreadPool::Job& job, size_t threads, size_t parts, size_t work)
        : job_(job), threads_(std::min(threads, parts)), parts_(parts), begin_(std::chrono::steady_clock::now()) {
        ask(std::chrono::nanoseconds(work));
    }
    // The number of threads so far, with the calling one.
    size_t workers() const { return asked_ + 1; }
    // The calling thread has done `done` parts, and `left` parts have not been started: asks again, judging by the time
    // so far.
    void update(size_t done, size_t left) {
        if (done > 0 && workers() != threads_) ask((std::chrono::steady_clock::now() - begin_) / done * left);
    }
    // This many helpers have left, and may be asked for again.
    void forget(size_t helpers) { asked_ -= std::min(asked_, helpers); }
    // Asks for one helper for each part, because a part is known to be long.
    void ask_for_each(size_t left) { ask(kWorthHelper * std::min(left, parts_)); }

  private:
    void ask(std::chrono::nanoseconds work) {
        size_t wanted = static_cast<size_t>(work / kWorthHelper);
        if (wanted <= asked_ || workers() == threads_) return;
        // Only here, because counting the cores takes as long as a segment.
        if (threads_ == 0) threads_ = std::min(thread_count(0), parts_);
        wanted = std::min(wanted, threads_ - 1);
        if (wanted <= asked_) return;
        job_.ask(wanted - asked_);
        asked_ = wanted;
    }

    ThreadPool::Job& job_;
    size_t threads_, parts_, asked_ = 0;
    std::chrono::steady_clock::time_point begin_;
};

// Calls make() once per thread to create its worker, then worker(begin, end) for blocks that together cover [0, size).
// `threads` 0 means all cores; the calling thread also works. Fewer threads are used if the work is small; `work` is
// the number of nanoseconds per index, at least. Exceptions of workers and of this thread's checkpoints are rethrown
// here, after all threads have stopped.
template <class Make>
void parallel_for(size_t size, size_t threads, Make make, size_t range = kRange, size_t work = kLeastWork) {
    size_t ranges = (size + range - 1) / range;
    if (ranges == 0) return;
    std::atomic<size_t> next{0};
    Failure failure;
    StopFlag flag;
    auto attempt = [&](auto work_on) {
        try {
            work_on();
        } catch (...) {
            next = size;
            failure.keep(std::current_exception());
            flag.raise();
        }
    };
    auto run = [&](auto after_range) {
        attempt([&] {
            Checkpoints checkpoints(flag);
            auto worker = make();
            for (size_t begin; (begin = next.fetch_add(range)) < size;) {
                checkpoint(range * kLeastWork);
                worker(begin, std::min(begin + range, size));
                after_range();
            }
        });
    };
    {
        ThreadPool::Job job(ThreadPool::instance(), [&] { run([] {}); });
        Help help(job, most_threads(threads), ranges, size * work);
        run([&, done = size_t{0}]() mutable {
            help.update(++done, ranges - std::min(ranges, next.load(std::memory_order_relaxed) / range));
        });
        while (!job.finish_within(kPatience)) attempt([] { look_for_stop(); });
    }
    failure.rethrow();
}

}  // namespace refscore

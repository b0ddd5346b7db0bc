// Threads that are kept for the next call. Starting one costs as much as scoring a hundred segments.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace refscore {

// The number of threads that was asked for, where 0 means all cores.
size_t thread_count(size_t asked);

class ThreadPool {
  public:
    // Made at first use and never destroyed: its threads sleep until the process ends. A forked process has its own.
    static ThreadPool& instance();

    // Work that other threads do alongside this one.
    class Job {
      public:
        // Up to `helpers` threads call work(), which has to return by itself once nothing is left to do, and must not throw.
        Job(ThreadPool& pool, size_t helpers, std::function<void()> work);
        ~Job() { finish(); }
        Job(const Job&) = delete;
        // Waits for those that have begun; the others need not begin any more.
        void finish();
        // The same, but no longer than that; whether all have finished.
        bool finish_within(std::chrono::milliseconds time);

      private:
        friend class ThreadPool;
        void withdraw();
        ThreadPool& pool_;
        std::function<void()> work_;
        size_t wanted_;
        size_t running_ = 0;
        std::condition_variable done_;
    };

  private:
    void grow(size_t threads);
    void serve();

    std::mutex lock_;
    std::condition_variable wanted_;
    std::deque<Job*> jobs_;
    size_t threads_ = 0;
};

}  // namespace refscore

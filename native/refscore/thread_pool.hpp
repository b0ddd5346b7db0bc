// Threads that stay alive between calls. Starting a thread costs as much as scoring about a hundred segments.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace refscore {

// Returns the number of threads for a request; 0 means all cores.
size_t thread_count(size_t asked);

class ThreadPool {
  public:
    // Created at first use and never destroyed: its threads sleep until the process ends. A forked process gets a new pool.
    static ThreadPool& instance();

    // Work that other threads share with the calling one.
    class Job {
      public:
        // Up to `helpers` threads call work(), which must return when nothing is left to do and must not throw.
        Job(ThreadPool& pool, size_t helpers, std::function<void()> work);
        ~Job() { finish(); }
        Job(const Job&) = delete;
        // Waits for threads that have started; the others never start.
        void finish();
        // The same with a timeout. Returns whether all have finished.
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

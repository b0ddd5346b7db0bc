// Threads that stay alive between calls. Starting a thread costs as much as scoring about a hundred segments.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace refscore {

// Returns the number of threads for a request; 0 means all cores that this process may use.
size_t thread_count(size_t asked);
// Returns a request within the limit for threads, 0 for all cores.
size_t most_threads(size_t asked);

class ThreadPool {
  public:
    // Created at first use and never destroyed: its threads sleep until the process ends. A forked process gets a new
    // pool.
    static ThreadPool& instance();

    // Work that other threads share with the calling one.
    class Job {
      public:
        // Threads call work(), which must return when nothing is left to do and must not throw.
        Job(ThreadPool& pool, std::function<void()> work) : pool_(pool), work_(std::move(work)) {}
        ~Job() { finish(); }
        Job(const Job&) = delete;
        // Asks for this many threads, in addition to those asked for before. Fewer may come.
        void ask(size_t helpers);
        bool is_asked() const { return is_asked_; }
        // Waits for threads that have started; the others never start.
        void finish() {
            while (!finish_within(std::chrono::seconds(1))) {}
        }
        // The same with a timeout. Returns whether all have finished.
        bool finish_within(std::chrono::microseconds time);

      private:
        friend class ThreadPool;
        void withdraw();
        ThreadPool& pool_;
        std::function<void()> work_;
        bool is_asked_ = false;
        size_t wanted_ = 0;  // threads that have not started yet
        std::atomic<size_t> running_{0};
        std::condition_variable done_;
    };

  private:
    void grow(size_t threads);
    void serve();
    void spin();
    void wake(size_t threads);

    std::mutex lock_;
    std::condition_variable wanted_;
    std::deque<Job*> jobs_;
    size_t threads_ = 0;
    std::atomic<size_t> open_{0};      // threads that all jobs want, for idle threads that do not hold the lock
    std::atomic<size_t> spinning_{0};  // threads that look at it
};

}  // namespace refscore

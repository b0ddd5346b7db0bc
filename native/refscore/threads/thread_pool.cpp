#include "refscore/threads/thread_pool.hpp"

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/threads/usable_cores.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define REFSCORE_FORKS 1
#endif

namespace refscore {
namespace {

// A limit on absurd requests, as each thread takes memory for its stack. Machines with more cores may use them all.
constexpr size_t kMostThreads = 256;

ThreadPool* current_pool = nullptr;

// Idle threads spin for the time that waking them takes: about 50 µs on a virtual machine. Loops that follow each other
// then start at once.
constexpr std::chrono::microseconds kSpin{50};

template <class IsDone>
void spin_until(std::chrono::microseconds time, IsDone is_done) {
    constexpr int kPauses = 16;  // between two looks at the clock
    auto end = std::chrono::steady_clock::now() + time;
    while (!is_done() && std::chrono::steady_clock::now() < end)
        for (int i = 0; i < kPauses && !is_done(); ++i) pause_thread();
}

// After a fork, the threads exist only in the parent, and one of them may have held the lock.
void renew_pool() { current_pool = new ThreadPool; }

}  // namespace

size_t thread_count(size_t asked) { return asked == 0 ? usable_cores() : most_threads(asked); }

size_t most_threads(size_t asked) {
    return asked <= kMostThreads ? asked : std::min(asked, std::max(usable_cores(), kMostThreads));
}

ThreadPool& ThreadPool::instance() {
    static std::once_flag once;
    std::call_once(once, [] {
        renew_pool();
#ifdef REFSCORE_FORKS
        pthread_atfork(nullptr, nullptr, renew_pool);
#endif
    });
    return *current_pool;
}

void ThreadPool::Job::ask(size_t helpers) {
    if (helpers == 0) return;
    {
        std::lock_guard<std::mutex> guard(pool_.lock_);
        is_asked_ = true;
        if (wanted_ == 0) pool_.jobs_.push_back(this);
        wanted_ += helpers;
        pool_.open_ += helpers;
        pool_.grow(wanted_ + running_);
    }
    pool_.wake(helpers);
}

void ThreadPool::Job::withdraw() {
    std::lock_guard<std::mutex> guard(pool_.lock_);
    if (wanted_ > 0) pool_.jobs_.erase(std::remove(pool_.jobs_.begin(), pool_.jobs_.end(), this), pool_.jobs_.end());
    pool_.open_ -= wanted_;
    wanted_ = 0;
}

bool ThreadPool::Job::finish_within(std::chrono::microseconds time) {
    if (!is_asked_) return true;
    withdraw();
    spin_until(std::min(time, kSpin), [&] { return running_.load(std::memory_order_acquire) == 0; });
    std::unique_lock<std::mutex> guard(pool_.lock_);  // a helper still holds it after its last access to this object
    return done_.wait_for(guard, time, [&] { return running_.load(std::memory_order_relaxed) == 0; });
}

void ThreadPool::wake(size_t threads) {
    // Spinning threads see the job, or find it when they take the lock to sleep.
    threads -= std::min(threads, spinning_.load());
    // Waking a thread takes microseconds, so each thread wakes only two, and they wake the others.
    if (threads > 0) wanted_.notify_one();
    if (threads > 1) wanted_.notify_one();
}

void ThreadPool::spin() {
    ++spinning_;
    spin_until(kSpin, [&] { return open_.load(std::memory_order_relaxed) > 0; });
    --spinning_;
}

void ThreadPool::grow(size_t threads) {
    try {
        for (; threads_ < threads; ++threads_) std::thread([this] { serve(); }).detach();
    } catch (const std::exception&) {
        // The system has no more threads or memory. Fewer threads complete the same work.
    }
}

void ThreadPool::serve() {
    std::unique_lock<std::mutex> guard(lock_);
    for (;;) {
        if (jobs_.empty()) {
            guard.unlock();
            spin();
            guard.lock();
        }
        wanted_.wait(guard, [&] { return !jobs_.empty(); });
        Job& job = *jobs_.front();
        ++job.running_;
        --open_;
        size_t others = --job.wanted_;
        if (others == 0) jobs_.pop_front();
        guard.unlock();
        wake(others);
        job.work_();
        guard.lock();
        // The waiting thread destroys the job as soon as the lock is released.
        if (--job.running_ == 0) job.done_.notify_all();
    }
}

}  // namespace refscore

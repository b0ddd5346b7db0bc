#include "thread_pool.hpp"

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

// After a fork, the threads exist only in the parent, and one of them may have held the lock.
void renew_pool() { current_pool = new ThreadPool; }

}  // namespace

size_t thread_count(size_t asked) {
    size_t cores = std::max(1u, std::thread::hardware_concurrency());
    return asked == 0 ? cores : std::min(asked, std::max(cores, kMostThreads));
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

ThreadPool::Job::Job(ThreadPool& pool, size_t helpers, std::function<void()> work) : pool_(pool), work_(std::move(work)), wanted_(helpers) {
    if (helpers == 0) return;
    {
        std::lock_guard<std::mutex> guard(pool_.lock_);
        pool_.grow(helpers);
        pool_.jobs_.push_back(this);
    }
    helpers == 1 ? pool_.wanted_.notify_one() : pool_.wanted_.notify_all();
}

void ThreadPool::Job::withdraw() {
    if (wanted_ > 0) pool_.jobs_.erase(std::remove(pool_.jobs_.begin(), pool_.jobs_.end(), this), pool_.jobs_.end());
    wanted_ = 0;
}

void ThreadPool::Job::finish() {
    std::unique_lock<std::mutex> guard(pool_.lock_);
    withdraw();
    done_.wait(guard, [&] { return running_ == 0; });
}

bool ThreadPool::Job::finish_within(std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> guard(pool_.lock_);
    withdraw();
    return done_.wait_for(guard, time, [&] { return running_ == 0; });
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
        wanted_.wait(guard, [&] { return !jobs_.empty(); });
        Job& job = *jobs_.front();
        ++job.running_;
        if (--job.wanted_ == 0) jobs_.pop_front();
        guard.unlock();
        job.work_();
        guard.lock();
        // The waiting thread destroys the job as soon as the lock is released.
        if (--job.running_ == 0) job.done_.notify_all();
    }
}

}  // namespace refscore

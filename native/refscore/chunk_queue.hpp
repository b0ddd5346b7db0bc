// Work that one thread has to hand out piece by piece (Python objects can be read under the interpreter's lock only) and all
// threads do, that one included.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "thread_pool.hpp"

namespace refscore {

// What process_chunks does with more than one thread. This thread works as well, inside unlocked(…), when enough is waiting for
// the others.
template <class Chunk, class Load, class Unlocked, class Make>
class ChunkQueue {
  public:
    ChunkQueue(size_t count, size_t threads, Load load, Unlocked unlocked, Make make)
        : count_(count), threads_(threads), load_(load), unlocked_(unlocked), make_(make) {}

    void run() {
        {
            ThreadPool::Job others(ThreadPool::instance(), threads_ - 1, [this] { work(); });
            try {
                feed();
            } catch (...) {
                stop(std::current_exception());
            }
            unlocked_([&] { others.finish(); });
        }
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void feed() {
        auto worker = make_();
        size_t most_waiting = 2 * threads_;
        for (size_t i = 0; i < count_; ++i) {
            std::unique_ptr<Chunk> chunk = free_chunk();
            load_(i, *chunk);
            bool enough = false;
            {
                std::lock_guard<std::mutex> guard(lock_);
                waiting_.push_back(std::move(chunk));
                enough = waiting_.size() > most_waiting;
                if (failure_) return;
            }
            changed_.notify_one();
            if (enough) unlocked_([&] { work_on(next(), worker); });
        }
        {
            std::lock_guard<std::mutex> guard(lock_);
            all_loaded_ = true;
        }
        changed_.notify_all();
        unlocked_([&] {
            while (work_on(next(), worker)) {
            }
        });
    }

    void work() {
        try {
            auto worker = make_();
            while (work_on(wait_for_next(), worker)) {
            }
        } catch (...) {
            stop(std::current_exception());
        }
    }

    template <class Worker>
    bool work_on(std::unique_ptr<Chunk> chunk, Worker& worker) {
        if (!chunk) return false;
        // Chunks are destroyed in the loading thread alone, whatever happens to them here.
        struct Return {
            ChunkQueue& queue;
            std::unique_ptr<Chunk>& chunk;
            ~Return() {
                std::lock_guard<std::mutex> guard(queue.lock_);
                queue.done_.push_back(std::move(chunk));
            }
        } give_back{*this, chunk};
        worker(*chunk);
        return true;
    }

    std::unique_ptr<Chunk> free_chunk() {
        std::lock_guard<std::mutex> guard(lock_);
        if (done_.empty()) {
            done_.reserve(++made_);  // so that giving a chunk back cannot fail
            return std::make_unique<Chunk>();
        }
        std::unique_ptr<Chunk> chunk = std::move(done_.back());
        done_.pop_back();
        return chunk;
    }
    std::unique_ptr<Chunk> next() {
        std::lock_guard<std::mutex> guard(lock_);
        return waiting_.empty() ? nullptr : take_waiting();
    }
    std::unique_ptr<Chunk> wait_for_next() {
        std::unique_lock<std::mutex> guard(lock_);
        changed_.wait(guard, [&] { return !waiting_.empty() || all_loaded_ || failure_; });
        return waiting_.empty() || failure_ ? nullptr : take_waiting();
    }
    std::unique_ptr<Chunk> take_waiting() {
        std::unique_ptr<Chunk> chunk = std::move(waiting_.front());
        waiting_.pop_front();
        return chunk;
    }

    void stop(std::exception_ptr failure) {
        {
            std::lock_guard<std::mutex> guard(lock_);
            if (!failure_) failure_ = failure;
        }
        changed_.notify_all();
    }

    size_t count_;
    size_t threads_;
    Load load_;
    Unlocked unlocked_;
    Make make_;
    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<std::unique_ptr<Chunk>> waiting_;
    std::vector<std::unique_ptr<Chunk>> done_;
    size_t made_ = 0;
    bool all_loaded_ = false;
    std::exception_ptr failure_;
};

// Calls load(i, chunk) for i = 0..count-1 in this thread and in order, and worker(chunk) for each loaded chunk in some thread and
// inside unlocked(…), where make() makes each thread's worker. A chunk is loaded again once it is done. What is thrown is thrown
// here, once all threads have stopped.
template <class Chunk, class Load, class Unlocked, class Make>
void process_chunks(size_t count, size_t threads, Load load, Unlocked unlocked, Make make) {
    threads = count <= 1 ? count : std::min(thread_count(threads), count);
    if (threads > 1) return ChunkQueue<Chunk, Load, Unlocked, Make>(count, threads, load, unlocked, make).run();
    if (count == 0) return;
    Chunk chunk;
    auto worker = make();
    for (size_t i = 0; i < count; ++i) {
        load(i, chunk);
        unlocked([&] { worker(chunk); });
    }
}

}  // namespace refscore

// Distributes work that only one thread can load, piece by piece, because Python objects require the GIL. All threads
// process the pieces, including the loading one.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "refscore/threads/parallel.hpp"
#include "refscore/threads/piece.hpp"
#include "refscore/threads/stopping.hpp"
#include "refscore/threads/thread_pool.hpp"

namespace refscore {

// A chunk and the number of its unfinished pieces.
template <class Chunk>
struct SharedChunk {
    Chunk chunk;
    size_t left = 0;
};

// Implements process_chunks for more than one thread. The loading thread also works, inside unlocked(…), when enough
// pieces wait for the others. It takes the cheapest piece, because nothing is loaded meanwhile: with a very long piece,
// the other threads would run out of work.
template <class Chunk, class Load, class Unlocked, class Make>
class ChunkQueue {
    using Shared = SharedChunk<Chunk>;

  public:
    ChunkQueue(size_t count, size_t threads, Load load, Unlocked unlocked, Make make)
        : count_(count), threads_(threads), load_(load), unlocked_(unlocked), make_(make) {}

    // Runs everything; `first` is already loaded and split into these pieces.
    void run(std::unique_ptr<Shared> first, std::vector<Piece> pieces) {
        shared_.push_back(std::move(first));
        done_.reserve(1);
        {
            ThreadPool::Job others(ThreadPool::instance(), [this] { work(); });
            others.ask(threads_ - 1);
            try {
                feed(std::move(pieces));
            } catch (...) {
                stop(std::current_exception());
            }
            bool is_finished = false;
            while (!is_finished) {
                try {
                    unlocked_([&] {
                        while (!(is_finished = others.finish_within(kPatience))) look_for_stop();
                    });
                } catch (...) {
                    stop(std::current_exception());
                }
            }
        }
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    struct Waiting {
        Shared* shared = nullptr;
        Piece piece{};
    };

    void feed(std::vector<Piece> pieces) {
        auto worker = make_();
        // Two waiting pieces per thread, so no thread runs out of work while the next chunk is loaded. Results do not
        // depend on it.
        size_t most_waiting = 2 * threads_;
        push(*shared_.front(), pieces);
        for (size_t i = 1; i < count_; ++i) {
            for (Waiting taken; (taken = lightest_beyond(most_waiting)).shared != nullptr;)
                unlocked_([&] { work_on(taken, worker); });
            Shared* shared = free_chunk();
            if (shared == nullptr) return;
            pieces.clear();
            load_(i, shared->chunk, pieces);
            push(*shared, pieces);
        }
        {
            std::lock_guard<std::mutex> guard(lock_);
            all_loaded_ = true;
        }
        changed_.notify_all();
        unlocked_([&] {
            while (work_on(next(), worker)) {}
        });
    }

    void work() {
        try {
            auto worker = make_();
            while (work_on(wait_for_next(), worker)) {}
        } catch (...) {
            stop(std::current_exception());
        }
    }

    template <class Worker>
    bool work_on(Waiting taken, Worker& worker) {
        if (taken.shared == nullptr) return false;
        // Chunks are destroyed only in the loading thread, even if a worker throws.
        struct Return {
            ChunkQueue& queue;
            Shared& shared;
            ~Return() {
                std::lock_guard<std::mutex> guard(queue.lock_);
                if (--shared.left == 0) queue.done_.push_back(&shared);
            }
        } give_back{*this, *taken.shared};
        Checkpoints checkpoints(flag_);
        worker(taken.shared->chunk, taken.piece.begin, taken.piece.end);
        return true;
    }

    void push(Shared& shared, const std::vector<Piece>& pieces) {
        {
            std::lock_guard<std::mutex> guard(lock_);
            shared.left = pieces.size();
            for (const Piece& piece : pieces) waiting_.push_back({&shared, piece});
        }
        pieces.size() == 1 ? changed_.notify_one() : changed_.notify_all();
    }
    // Returns null after a failure.
    Shared* free_chunk() {
        std::lock_guard<std::mutex> guard(lock_);
        if (failure_) return nullptr;
        if (done_.empty()) {
            shared_.push_back(std::make_unique<Shared>());
            done_.reserve(shared_.size());  // so returning a chunk cannot throw
            return shared_.back().get();
        }
        Shared* shared = done_.back();
        done_.pop_back();
        return shared;
    }
    Waiting next() {
        std::lock_guard<std::mutex> guard(lock_);
        return waiting_.empty() ? Waiting() : take(waiting_.begin());
    }
    Waiting lightest_beyond(size_t count) {
        std::lock_guard<std::mutex> guard(lock_);
        if (waiting_.size() <= count) return Waiting();
        return take(std::min_element(waiting_.begin(), waiting_.end(), [](const Waiting& one, const Waiting& other) {
            return one.piece.cost < other.piece.cost;
        }));
    }
    Waiting wait_for_next() {
        std::unique_lock<std::mutex> guard(lock_);
        changed_.wait(guard, [&] { return !waiting_.empty() || all_loaded_ || failure_; });
        return waiting_.empty() || failure_ ? Waiting() : take(waiting_.begin());
    }
    Waiting take(typename std::deque<Waiting>::iterator which) {
        Waiting taken = *which;
        waiting_.erase(which);
        return taken;
    }

    void stop(std::exception_ptr failure) {
        {
            std::lock_guard<std::mutex> guard(lock_);
            if (!failure_) failure_ = failure;
        }
        flag_.raise();
        changed_.notify_all();
    }

    size_t count_;
    size_t threads_;
    Load load_;
    Unlocked unlocked_;
    Make make_;
    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<Waiting> waiting_;
    std::vector<std::unique_ptr<Shared>> shared_;
    std::vector<Shared*> done_;
    bool all_loaded_ = false;
    std::exception_ptr failure_;
    StopFlag flag_;
};

// Calls load(i, chunk, pieces) for i = 0..count-1, in order and in this thread, and worker(chunk, begin, end) for each
// piece of each chunk, in any thread and inside unlocked(…). make() creates the worker of each thread. load must append
// at least one piece. Finished chunks are reused. Exceptions are rethrown in this thread after all threads have
// stopped.
template <class Chunk, class Load, class Unlocked, class Make>
void process_chunks(size_t count, size_t threads, Load load, Unlocked unlocked, Make make) {
    if (count == 0) return;
    auto first = std::make_unique<SharedChunk<Chunk>>();
    std::vector<Piece> pieces;
    load(0, first->chunk, pieces);
    threads = std::min(threads == 1 ? 1 : thread_count(threads), count - 1 + pieces.size());
    if (threads > 1)
        return ChunkQueue<Chunk, Load, Unlocked, Make>(count, threads, load, unlocked, make)
            .run(std::move(first), std::move(pieces));
    auto worker = make();
    Chunk& chunk = first->chunk;
    for (size_t i = 0;;) {
        unlocked([&] {
            for (const Piece& piece : pieces) worker(chunk, piece.begin, piece.end);
        });
        if (++i == count) return;
        pieces.clear();
        load(i, chunk, pieces);
    }
}

}  // namespace refscore

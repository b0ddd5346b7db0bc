// Distributes work that every thread loads and processes by itself, without a queue of loaded work.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "refscore/threads/parallel.hpp"
#include "refscore/threads/piece.hpp"
#include "refscore/threads/stopping.hpp"
#include "refscore/threads/thread_pool.hpp"

namespace refscore {

// Threads may load only while the gate is open. The calling thread closes it before other code may change the input.
class LoadGate {
  public:
    // Waits until the gate is open. Returns false if it stays closed for long.
    bool enter() {
        std::unique_lock<std::mutex> guard(lock_);
        if (is_closed_ && !changed_.wait_for(guard, kWait, [&] { return !is_closed_; })) return false;
        ++inside_;
        return true;
    }
    void leave() {
        bool is_last;
        {
            std::lock_guard<std::mutex> guard(lock_);
            is_last = --inside_ == 0 && is_closed_;
        }
        if (is_last) changed_.notify_all();
    }
    // Waits for threads that are inside.
    void close() {
        std::unique_lock<std::mutex> guard(lock_);
        is_closed_ = true;
        changed_.wait(guard, [&] { return inside_ == 0; });
    }
    void open() {
        {
            std::lock_guard<std::mutex> guard(lock_);
            is_closed_ = false;
        }
        changed_.notify_all();
    }

  private:
    // If other Python threads need the GIL only briefly, the gate opens again within microseconds.
    static constexpr std::chrono::milliseconds kWait{1};

    std::mutex lock_;
    std::condition_variable changed_;
    size_t inside_ = 0;
    bool is_closed_ = false;
};

// Leaves the gate at the end of a scope. Not a local class of load_and_process(), because clang 16 would not emit its
// destructor there.
struct InsideGate {
    LoadGate& gate;
    ~InsideGate() { gate.leave(); }
};

// Hands out [0, size) in ranges that become smaller towards the end, so all threads finish at about the same time.
class RangeQueue {
  public:
    RangeQueue(size_t size, size_t most) : size_(size), most_(most) {}

    // Divides what is left among this many threads.
    void share(size_t threads) { threads_.store(threads, std::memory_order_relaxed); }
    // Returns an empty range if nothing is left.
    Piece take() {
        std::lock_guard<std::mutex> guard(lock_);
        if (!returned_.empty()) {
            Piece range = returned_.back();
            returned_.pop_back();
            return range;
        }
        size_t begin = next_.load(std::memory_order_relaxed), threads = threads_.load(std::memory_order_relaxed);
        size_t range = std::clamp<size_t>((size_ - begin) / (kShares * threads), 1,
                                          threads == 1 ? std::min(most_, kAlone) : most_);
        size_t end = begin + std::min(size_ - begin, range);
        next_.store(end, std::memory_order_relaxed);
        return {begin, end};
    }
    void give_back(Piece range) {
        std::lock_guard<std::mutex> guard(lock_);
        returned_.push_back(range);
    }
    void clear() {
        std::lock_guard<std::mutex> guard(lock_);
        returned_.clear();
        next_ = size_;
    }
    bool is_empty() {
        std::lock_guard<std::mutex> guard(lock_);
        return returned_.empty() && next_ == size_;
    }
    // How many have not been handed out yet, roughly.
    size_t left() const { return size_ - next_.load(std::memory_order_relaxed); }

  private:
    // Ranges per thread if all had the size of the next one. With two, the last ranges are single segments. Results do
    // not depend on it.
    static constexpr size_t kShares = 2;
    // The size of a range while there is one thread: the time of such a range tells whether others are worth starting.
    static constexpr size_t kAlone = 8;

    std::mutex lock_;
    size_t size_, most_;
    std::atomic<size_t> next_{0}, threads_{1};
    std::vector<Piece> returned_;
};

// The result of loading a range.
struct LoadedPart {
    size_t end;     // of the loaded part; another thread may load the rest
    bool is_long;   // it takes so long that other threads should start now
    bool is_stuck;  // only the calling thread can load the rest
};

// Calls load(begin, end, chunk), which returns a LoadedPart, and then worker(chunk) for ranges that together cover [0,
// size), in any thread. make() creates the worker of each thread. `threads` 0 means all cores. `most` is the size of a
// range at most, `work` the nanoseconds per index at least. Returns the ranges that no thread could load, in order.
// Exceptions are rethrown after all threads have stopped.
template <class Chunk, class Load, class Make>
std::vector<Piece> load_and_process(size_t size, size_t threads, size_t most, size_t work, LoadGate& gate, Load load,
                                    Make make) {
    RangeQueue ranges(size, most);
    std::mutex lock;
    std::vector<Piece> stuck;
    std::atomic<size_t> away{0};  // threads that have left at a closed gate
    Failure failure;
    StopFlag flag;
    auto attempt = [&](auto work_on) {
        try {
            work_on();
        } catch (...) {
            failure.keep(std::current_exception());
            flag.raise();
            ranges.clear();
        }
    };
    auto run = [&](auto after_load, auto after_range) {
        attempt([&] {
            Checkpoints checkpoints(flag);
            auto worker = make();
            Chunk chunk;
            for (;;) {
                const Piece range = ranges.take();
                if (range.begin == range.end) return;
                if (!gate.enter()) {
                    // The thread can work for other calls, until this one asks for it again.
                    ranges.give_back(range);
                    ++away;
                    return;
                }
                LoadedPart part;
                {
                    InsideGate inside{gate};
                    part = load(range.begin, range.end, chunk);
                }
                if (part.end < range.end) {
                    Piece rest{part.end, range.end};
                    if (part.is_stuck) {
                        std::lock_guard<std::mutex> guard(lock);
                        stuck.push_back(rest);
                    } else {
                        ranges.give_back(rest);
                    }
                }
                checkpoint((part.end - range.begin) * kLeastWork);
                if (part.end == range.begin) continue;
                after_load(part, range);
                worker(chunk);
                after_range(part.end - range.begin);
            }
        });
    };
    {
        ThreadPool::Job job(ThreadPool::instance(), [&] { run([](auto&&...) {}, [](auto&&...) {}); });
        Help help(job, most_threads(threads), size, size * work);
        ranges.share(help.workers());
        size_t done = 0;
        do {
            run(
                [&](const LoadedPart& part, const Piece& range) {
                    if (part.is_long) help.ask_for_each(ranges.left() + range.end - part.end);
                    ranges.share(help.workers());
                },
                [&](size_t count) {
                    help.forget(away.exchange(0));
                    help.update(done += count, ranges.left());
                    ranges.share(help.workers());
                });
            while (!job.finish_within(kTurn)) attempt([] { look_for_stop(); });
        } while (!ranges.is_empty());
    }
    failure.rethrow();
    std::sort(stuck.begin(), stuck.end(), [](const Piece& one, const Piece& other) { return one.begin < other.begin; });
    return stuck;
}

}  // namespace refscore

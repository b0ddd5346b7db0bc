// Loops over input that has to be loaded before a thread can work on it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "refscore/threads/piece.hpp"
#include "refscore/threads/scheduler.hpp"

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

// Leaves the gate at the end of a scope.
struct InsideGate {
    LoadGate& gate;
    ~InsideGate() { gate.leave(); }
};

// Hands out [0, size) in ranges that become smaller towards the end, so all threads finish at about the same time.
class RangeQueue {
  public:
    RangeQueue(size_t size, size_t most) : size_(size), most_(most), left_(size) {}

    // Divides what is left among this many threads.
    void share(size_t threads) { threads_.store(threads, std::memory_order_relaxed); }
    // Returns an empty range if nothing is left.
    Piece take() {
        std::lock_guard<std::mutex> guard(lock_);
        Piece range{};
        if (!returned_.empty()) {
            range = returned_.back();
            returned_.pop_back();
        } else {
            size_t threads = threads_.load(std::memory_order_relaxed);
            size_t size = std::clamp<size_t>((size_ - next_) / (kShares * threads), 1,
                                             threads == 1 ? std::min(most_, kAlone) : most_);
            range = {next_, next_ + std::min(size_ - next_, size)};
            next_ = range.end;
        }
        left_.fetch_sub(range.end - range.begin, std::memory_order_relaxed);
        return range;
    }
    void give_back(Piece range) {
        std::lock_guard<std::mutex> guard(lock_);
        if (is_cancelled_) return;
        returned_.push_back(range);
        left_.fetch_add(range.end - range.begin, std::memory_order_relaxed);
    }
    void cancel() {
        std::lock_guard<std::mutex> guard(lock_);
        is_cancelled_ = true;
        returned_.clear();
        next_ = size_;
        left_ = 0;
    }
    size_t left() const { return left_.load(std::memory_order_relaxed); }

  private:
    // Ranges per thread if all had the size of the next one. With two, the last ranges are single segments. Results do
    // not depend on it.
    static constexpr size_t kShares = 2;
    // The size of a range while there is one thread: the time of such a range tells whether others are worth starting.
    static constexpr size_t kAlone = 8;

    std::mutex lock_;
    size_t size_, most_, next_ = 0;
    std::vector<Piece> returned_;
    bool is_cancelled_ = false;
    std::atomic<size_t> left_, threads_{1};
};

// The result of loading a range.
struct LoadedPart {
    size_t end;     // of the loaded part; another thread may load the rest
    bool is_long;   // it takes so long that other threads should start now
    bool is_stuck;  // only the calling thread can load the rest
};

// Every thread loads its own ranges of [0, size), through the gate.
template <class Chunk, class Load, class Make>
class LoadedByAll final : public Work {
  public:
    LoadedByAll(size_t size, size_t most, LoadGate& gate, Load& load, Make& make)
        : ranges_(size, most), gate_(gate), load_(load), make_(make) {}

    std::unique_ptr<Worker> worker(Role) override { return std::make_unique<OnThread>(*this); }
    size_t left() const override { return ranges_.left(); }
    void cancel() override { ranges_.cancel(); }
    void share(size_t threads) override { ranges_.share(threads); }

    // The ranges that need the calling thread, in order.
    std::vector<Piece> stuck() {
        std::sort(stuck_.begin(), stuck_.end(),
                  [](const Piece& one, const Piece& other) { return one.begin < other.begin; });
        return std::move(stuck_);
    }

  private:
    class OnThread final : public Worker {
      public:
        explicit OnThread(LoadedByAll& shared) : shared_(shared), work_(shared.make_()) {}
        State take() override {
            for (;;) {
                const Piece range = shared_.ranges_.take();
                if (range.begin == range.end) return State::kFinished;
                if (!shared_.gate_.enter()) {
                    shared_.ranges_.give_back(range);
                    return State::kAway;
                }
                LoadedPart part;
                {
                    InsideGate inside{shared_.gate_};
                    part = shared_.load_(range.begin, range.end, chunk_);
                }
                if (part.end < range.end) shared_.put_aside({part.end, range.end}, part.is_stuck);
                size_ = part.end - range.begin;
                if (size_ > 0) return part.is_long ? State::kLongPart : State::kPart;
            }
        }
        size_t work() override {
            work_(chunk_);
            return size_;
        }

      private:
        LoadedByAll& shared_;
        decltype(std::declval<Make&>()()) work_;
        Chunk chunk_;
        size_t size_ = 0;
    };

    void put_aside(Piece rest, bool is_stuck) {
        if (!is_stuck) return ranges_.give_back(rest);
        std::lock_guard<std::mutex> guard(lock_);
        stuck_.push_back(rest);
    }

    RangeQueue ranges_;
    LoadGate& gate_;
    Load& load_;
    Make& make_;
    std::mutex lock_;
    std::vector<Piece> stuck_;
};

// Calls load(begin, end, chunk), which returns a LoadedPart, and then worker(chunk) for ranges that together cover [0,
// size), in any thread. make() creates the worker of each thread. `threads` 0 means all cores. `most` is the size of a
// range at most, `work` the nanoseconds per index at least. Returns the ranges that no thread could load, in order.
// Exceptions are rethrown after all threads have stopped.
template <class Chunk, class Load, class Make>
std::vector<Piece> process_loaded_by_all(size_t size, size_t threads, size_t most, size_t work, LoadGate& gate,
                                         Load load, Make make) {
    LoadedByAll<Chunk, Load, Make> shared(size, most, gate, load, make);
    run(shared, threads, size, size * work);
    return shared.stuck();
}

// The calling thread loads all chunks, splits them into pieces, and processes some of them inside unlocked(…). It takes
// the cheapest piece, because nothing is loaded meanwhile: with a very long piece, the other threads would run out of
// work.
template <class Chunk, class Load, class Unlocked, class Make>
class LoadedByCaller final : public Work {
  public:
    LoadedByCaller(size_t count, Load& load, Unlocked& unlocked, Make& make)
        : unloaded_(count), load_(load), unlocked_(unlocked), make_(make) {}

    std::unique_ptr<Worker> worker(Role role) override {
        if (role == Role::kCaller) return std::make_unique<Caller>(*this);
        return std::make_unique<OnThread>(*this);
    }
    size_t left() const override {
        std::lock_guard<std::mutex> guard(lock_);
        return unloaded_ + waiting_.size();
    }
    void cancel() override {
        {
            std::lock_guard<std::mutex> guard(lock_);
            unloaded_ = 0;
            waiting_.clear();
        }
        changed_.notify_all();
    }
    void share(size_t threads) override { threads_ = threads; }
    void wait(const std::function<void()>& wait) override { unlocked_(wait); }

  private:
    // A chunk and the number of its unfinished pieces.
    struct Shared {
        Chunk chunk;
        size_t left = 0;
    };
    struct Waiting {
        Shared* shared = nullptr;
        Piece piece{};
    };

    // A helper: waits for pieces until the last chunk is loaded.
    class OnThread : public Worker {
      public:
        explicit OnThread(LoadedByCaller& queue) : queue_(queue), work_(queue.make_()) {}
        State take() override {
            std::unique_lock<std::mutex> guard(queue_.lock_);
            queue_.changed_.wait(guard, [&] { return !queue_.waiting_.empty() || queue_.unloaded_ == 0; });
            if (queue_.waiting_.empty()) return State::kFinished;
            taken_ = queue_.take(queue_.waiting_.begin());
            return State::kPart;
        }
        size_t work() override {
            work_(taken_.shared->chunk, taken_.piece.begin, taken_.piece.end);
            queue_.finish(*taken_.shared);
            return 1;
        }

      protected:
        LoadedByCaller& queue_;
        Waiting taken_;

      private:
        decltype(std::declval<Make&>()()) work_;
    };

    class Caller final : public OnThread {
      public:
        using OnThread::OnThread;
        State take() override {
            LoadedByCaller& queue = this->queue_;
            for (bool is_long = false;; is_long |= queue.load_next()) {
                std::lock_guard<std::mutex> guard(queue.lock_);
                // Two waiting pieces per thread, so no thread runs out of work while the next chunk is loaded. Results
                // do not depend on it.
                size_t most_waiting = queue.threads_ == 1 || queue.unloaded_ == 0 ? 0 : 2 * queue.threads_;
                if (queue.waiting_.size() > most_waiting) {
                    this->taken_ = queue.take(queue.lightest());
                    return is_long ? State::kLongPart : State::kPart;
                }
                if (queue.unloaded_ == 0) return State::kFinished;
            }
        }
        size_t work() override {
            this->queue_.unlocked_([&] { OnThread::work(); });
            return 1;
        }
    };

    // Returns whether the chunk has several pieces, because it is long.
    bool load_next() {
        Shared& shared = free_chunk();
        pieces_.clear();
        load_(next_++, shared.chunk, pieces_);
        shared.left = pieces_.size();
        {
            std::lock_guard<std::mutex> guard(lock_);
            if (unloaded_ == 0) return false;  // cancelled
            waiting_.reserve(waiting_.size() + pieces_.size());
            for (const Piece& piece : pieces_) waiting_.push_back({&shared, piece});
            --unloaded_;
        }
        changed_.notify_all();
        return pieces_.size() > 1;
    }
    Shared& free_chunk() {
        std::lock_guard<std::mutex> guard(lock_);
        if (finished_.empty()) {
            chunks_.push_back(std::make_unique<Shared>());
            finished_.reserve(chunks_.size());  // so finish() cannot throw
            return *chunks_.back();
        }
        Shared* shared = finished_.back();
        finished_.pop_back();
        return *shared;
    }
    void finish(Shared& shared) {
        std::lock_guard<std::mutex> guard(lock_);
        if (--shared.left == 0) finished_.push_back(&shared);
    }
    typename std::vector<Waiting>::iterator lightest() {
        return std::min_element(waiting_.begin(), waiting_.end(), [](const Waiting& one, const Waiting& other) {
            return one.piece.cost < other.piece.cost;
        });
    }
    Waiting take(typename std::vector<Waiting>::iterator which) {
        Waiting taken = *which;
        waiting_.erase(which);
        return taken;
    }

    mutable std::mutex lock_;
    std::condition_variable changed_;
    size_t unloaded_;  // chunks
    std::vector<Waiting> waiting_;
    std::vector<std::unique_ptr<Shared>> chunks_;  // destroyed by the calling thread, because they may hold objects
    std::vector<Shared*> finished_;
    // Only for the calling thread.
    size_t next_ = 0, threads_ = 1;
    std::vector<Piece> pieces_;
    Load& load_;
    Unlocked& unlocked_;
    Make& make_;
};

// Calls load(i, chunk, pieces) for i = 0..count-1, in order and in this thread, and worker(chunk, begin, end) for each
// piece of each chunk, in any thread and inside unlocked(…). make() creates the worker of each thread. load must append
// at least one piece. `work` is the number of nanoseconds per chunk, at least. Finished chunks are reused. Exceptions
// are rethrown in this thread after all threads have stopped.
template <class Chunk, class Load, class Unlocked, class Make>
void process_loaded_by_caller(size_t count, size_t threads, size_t work, Load load, Unlocked unlocked, Make make) {
    LoadedByCaller<Chunk, Load, Unlocked, Make> shared(count, load, unlocked, make);
    run(shared, threads, SIZE_MAX, count * work);
}

}  // namespace refscore

// Loops over indexes on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "refscore/threads/scheduler.hpp"
#include "refscore/threads/stopping.hpp"
#include "refscore/threads/thread_pool.hpp"

namespace refscore {

// Indexes per range. With at most a few microseconds per segment, 32 amortize the atomic increment and still balance
// the load. Callers with more or less work per index pass a different number. Results do not depend on it.
constexpr size_t kRange = 32;

// Ranges of [0, size), which a thread takes one after the other.
template <class Make>
class IndexRanges final : public Work {
  public:
    IndexRanges(size_t size, size_t range, Make& make) : size_(size), range_(range), make_(make) {}

    std::unique_ptr<Worker> worker(Role) override { return std::make_unique<OnThread>(*this); }
    size_t left() const override { return size_ - std::min(size_, next_.load(std::memory_order_relaxed)); }
    void cancel() override { next_ = size_; }

  private:
    class OnThread final : public Worker {
      public:
        explicit OnThread(IndexRanges& ranges) : ranges_(ranges), work_(ranges.make_()) {}
        State take() override {
            begin_ = ranges_.next_.fetch_add(ranges_.range_, std::memory_order_relaxed);
            end_ = std::min(begin_ + ranges_.range_, ranges_.size_);
            return begin_ < ranges_.size_ ? State::kPart : State::kFinished;
        }
        size_t work() override {
            work_(begin_, end_);
            return end_ - begin_;
        }

      private:
        IndexRanges& ranges_;
        decltype(std::declval<Make&>()()) work_;
        size_t begin_ = 0, end_ = 0;
    };

    const size_t size_, range_;
    Make& make_;
    alignas(64) std::atomic<size_t> next_{0};  // alone in its cache line, because all threads read the other members
};

// Calls make() once per thread to create its worker, then worker(begin, end) for ranges that together cover [0, size).
// `threads` 0 means all cores; the calling thread also works. Fewer threads are used if the work is small; `work` is
// the number of nanoseconds per index, at least. Exceptions are rethrown here, after all threads have stopped.
template <class Make>
void parallel_for(size_t size, size_t threads, Make make, size_t range = kRange, size_t work = kLeastWork) {
    IndexRanges<Make> ranges(size, range, make);
    run(ranges, threads, (size + range - 1) / range, size * work);
}

}  // namespace refscore

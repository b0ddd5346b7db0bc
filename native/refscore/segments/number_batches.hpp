// Hands out numbers to several threads.
#pragma once

#include <atomic>
#include <cstdint>

namespace refscore {

// Numbers from 1. Threads take them in batches of 64, to share the counter less often, so some numbers are never used.
class NumberBatches {
  public:
    static constexpr uint32_t kSize = 64;

    // All numbers are at most this.
    uint32_t end() const { return end_.load(std::memory_order_relaxed); }

    // The numbers of one thread.
    class Batch {
      public:
        explicit Batch(NumberBatches& all) : all_(&all) {}
        // Returns the next number; take() removes it.
        uint32_t next() {
            if (used_ == end_) {
                used_ = all_->end_.fetch_add(kSize, std::memory_order_relaxed);
                end_ = used_ + kSize;
            }
            return used_ + 1;
        }
        uint32_t take() {
            next();
            return ++used_;
        }

      private:
        NumberBatches* all_;
        uint32_t used_ = 0, end_ = 0;
    };

  private:
    std::atomic<uint32_t> end_{0};
};

}  // namespace refscore

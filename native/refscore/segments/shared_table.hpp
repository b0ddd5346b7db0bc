// A hash table that several threads fill at the same time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "refscore/base/hash_table.hpp"
#include "refscore/segments/number_batches.hpp"
#include "refscore/threads/parallel.hpp"

namespace refscore {

// Numbers words that stand for keys. It does not grow.
class SharedTable {
  public:
    // Clears the table and sets the number of slots, a power of two.
    void start(size_t slots, size_t threads) {
        constexpr size_t kRangeSlots = 4096;  // per block of parallel_for: 64 KiB, some microseconds
        if (slots > capacity_) {
            slots_.reset();
            slots_.reset(new Slot[slots]);
            capacity_ = slots;
        }
        mask_ = slots - 1;
        auto clear = [this](size_t from, size_t to) {
            for (size_t i = from; i < to; ++i) {
                slots_[i].word.store(0, std::memory_order_relaxed);
                slots_[i].number.store(0, std::memory_order_relaxed);
            }
        };
        parallel_for(slots, threads, [&] { return clear; }, kRangeSlots, 1);
    }
    // Returns the slot at which the search for a hash starts, and prefetches it.
    size_t slot_of(uint64_t hash) const {
        size_t slot = static_cast<size_t>(hash & mask_);
        prefetch_line(&slots_[slot]);
        return slot;
    }
    // Returns the number of a key, which is_same(word) recognizes by the word of the thread that added it; or of
    // `word`, not 0, if the key is new, and counts it in `added`. Returns 0 after `most_probes` slots.
    template <class IsSame>
    uint32_t add(uint64_t hash, uint64_t word, IsSame is_same, NumberBatches::Batch& batch, size_t& added,
                 size_t most_probes = SIZE_MAX) {
        uint32_t number = 0;
        find_slot(hash, mask_, [&](size_t at) {
            if (most_probes-- == 0) return true;
            Slot& slot = slots_[at];
            uint64_t known = slot.word.load(std::memory_order_relaxed);
            if (known == 0 && slot.word.compare_exchange_strong(known, word, std::memory_order_relaxed)) {
                ++added;
                slot.number.store(number = batch.take(), std::memory_order_relaxed);
                return true;
            }
            if (!is_same(known)) return false;
            // Another thread may still be about to write it.
            while ((number = slot.number.load(std::memory_order_relaxed)) == 0) pause_thread();
            return true;
        });
        return number;
    }

    size_t bytes() const { return capacity_ * sizeof(Slot); }

  private:
    struct Slot {
        std::atomic<uint64_t> word;    // 0: free
        std::atomic<uint32_t> number;  // 0: the thread that added the word is about to write it
    };

    std::unique_ptr<Slot[]> slots_;
    size_t capacity_ = 0;
    uint64_t mask_ = 0;
};

}  // namespace refscore

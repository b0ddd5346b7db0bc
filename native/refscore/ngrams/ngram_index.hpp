// Numbers the n-grams of many sequences consistently, so any two sequences can be compared without counting again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/segments/shared_table.hpp"

namespace refscore {

// Numbers pairs of a prefix and the next symbol, and marks which sides have them. Several threads fill it.
class SharedPairs {
  public:
    // The number of slots that is always enough for this many pairs.
    static size_t slots_for(size_t pairs);
    // Clears the table and sets its size, a power of two. At most `threads` threads, not 0, may add pairs.
    void start(size_t slots, size_t threads);
    // Returns the place at which add() starts, and prefetches it.
    uint32_t place_of(uint32_t prefix, uint32_t symbol) const {
        return static_cast<uint32_t>(table_.slot_of(hash_key(pair_key(prefix, symbol))));
    }
    // Returns the number of a pair, or 0 if the table is too small. The prefix must not be 0. Adds to `added` if the
    // pair is new.
    uint32_t add(uint32_t prefix, uint32_t symbol, uint32_t place, NumberBatches::Batch& batch, size_t& added) {
        // In a table that is at most three quarters full, so many probes are as good as impossible.
        constexpr size_t kMostProbes = 256;
        uint64_t key = pair_key(prefix, symbol);
        return table_.add(place, key, [=](uint64_t known) { return known == key; }, batch, added, kMostProbes);
    }
    // Marks that a side, 1 or 2, contains a pair.
    void mark(uint32_t number, uint8_t side) {
        // Read first, because most pairs are already marked and a write would take the cache line from the other
        // threads.
        if ((sides_[number].load(std::memory_order_relaxed) & side) == 0)
            sides_[number].fetch_or(side, std::memory_order_relaxed);
    }
    bool have_both(uint32_t number) const { return sides_[number].load(std::memory_order_relaxed) == 3; }

    size_t bytes() const { return table_.bytes() + most_numbers_; }

  private:
    SharedTable table_;
    std::unique_ptr<std::atomic<uint8_t>[]> sides_;  // by number
    size_t most_numbers_ = 0;
};

// Memory for the entries of several threads. They never move.
class EntrySlabs {
  public:
    struct Entry {
        uint32_t ngram;
        uint32_t count;
    };

    void clear() { used_ = 0; }
    // Returns memory for at least kSlab entries, and at least `entries`. `size` receives the number.
    Entry* take(size_t entries, size_t& size);
    size_t bytes() const;

  private:
    static constexpr size_t kSlab =
        size_t{1} << 13;  // 64 KiB: enough for hundreds of sentences, so threads rarely wait for the lock

    struct Slab {
        std::unique_ptr<Entry[]> entries;
        size_t size;
    };
    std::mutex lock_;
    std::vector<Slab> slabs_;
    size_t used_ = 0;
};

class NgramIndex {
  public:
    // An n-gram of a sequence and its number of occurrences.
    using Entry = EntrySlabs::Entry;

    // Numbers the n-grams of all sequences up to `max_order`. The first `left` sequences are one side, the others the
    // other side. N-grams that only one side has are omitted. Sequence i is codes[ends[i - 1], ends[i]). With several
    // threads, the numbers differ from run to run.
    void build(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order,
               size_t threads = 1);

    // The memory that stays allocated between calls.
    size_t bytes() const {
        return ends_.capacity() * sizeof(size_t) + entries_.capacity() * sizeof(entries_[0]) + slabs_.bytes() +
               classes_.bytes() + found_.bytes() + pairs_.bytes();
    }

    // N-grams of an order have numbers from first(order) to first(order + 1). Some numbers are unused.
    size_t first(size_t order) const { return firsts_[order - 1]; }
    size_t size() const { return firsts_.back(); }
    // Returns the distinct n-grams of one order (from 1) in a sequence.
    std::span<const Entry> entries(size_t sequence, size_t order) const {
        return entries_[(order - 1) * ends_.size() + sequence];
    }

  private:
    static constexpr uint8_t kLeft = 1, kRight = 2;

    // Counts the occurrences of the n-grams of one sequence; one instance per thread.
    class Lister;

    size_t begin_of(size_t sequence) const { return sequence > 0 ? ends_[sequence - 1] : 0; }
    // Returns false if the table is too small.
    bool find_pairs(std::span<const uint32_t> codes, size_t order, size_t left, size_t sequence,
                    NumberBatches::Batch& batch, size_t& added);

    std::vector<size_t> ends_;                     // of the sequences
    std::vector<size_t> firsts_;                   // by order; the last element is the end
    std::vector<std::span<const Entry>> entries_;  // by order and sequence
    EntrySlabs slabs_;                             // their memory
    Buffer<uint32_t> classes_;  // by position: the number of the n-gram that starts here; 0 if only one side has it
    Buffer<uint32_t> found_;    // by position: the place and then the number of the pair of the next order
    SharedPairs pairs_;         // of the current order
};

}  // namespace refscore

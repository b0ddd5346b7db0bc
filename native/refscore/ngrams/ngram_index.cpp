#include "refscore/ngrams/ngram_index.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "refscore/segments/vocabulary.hpp"
#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/text/text.hpp"
#include "refscore/threads/parallel.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kUnitWork =
    4;  // nanoseconds per symbol, for checkpoint() and the number of threads; only the order of magnitude matters
// How many more n-grams of the next order to expect, if there are fewer than kFew and otherwise. Measured with English
// sentences; only the time depends on it.
constexpr size_t kFew = 4096, kGrowthOfFew = 8, kGrowth = 2;
constexpr size_t kSequences = 16;  // per block of parallel_for: some microseconds for sentences

}  // namespace

size_t SharedPairs::slots_for(size_t pairs) {
    constexpr size_t kFewestSlots = 64;  // a power of two, for the mask
    return std::bit_ceil(std::max(kFewestSlots, 2 * pairs));
}

void SharedPairs::start(size_t slots, size_t threads) {
    constexpr size_t kRangeNumbers = 16384;  // per block of parallel_for: 16 KiB, a microsecond
    // Each thread may leave a batch of numbers unused.
    size_t numbers = slots + (threads + 1) * NumberBatches::kSize;
    if (numbers > std::numeric_limits<uint32_t>::max()) throw TooLarge();
    if (numbers > most_numbers_) {
        sides_.reset(new std::atomic<uint8_t>[numbers]);
        most_numbers_ = numbers;
    }
    table_.start(slots, threads);
    auto clear = [this](size_t from, size_t to) {
        for (size_t i = from; i < to; ++i) sides_[i].store(0, std::memory_order_relaxed);
    };
    parallel_for(numbers, threads, [&] { return clear; }, kRangeNumbers, 1);
}

EntrySlabs::Entry* EntrySlabs::take(size_t entries, size_t& size) {
    std::lock_guard<std::mutex> guard(lock_);
    size = std::max(kSlab, entries);
    // Slabs of earlier calls are used again. One that is too small is replaced, because sequences of such lengths may
    // follow.
    if (used_ == slabs_.size()) slabs_.push_back({nullptr, 0});
    Slab& slab = slabs_[used_++];
    if (slab.size < size) slab = {std::unique_ptr<Entry[]>(new Entry[size]), size};
    size = slab.size;
    return slab.entries.get();
}

size_t EntrySlabs::bytes() const {
    size_t entries = 0;
    for (const Slab& slab : slabs_) entries += slab.size;
    return entries * sizeof(Entry);
}

class NgramIndex::Lister {
  public:
    // All numbers are below `numbers`.
    Lister(NgramIndex& index, size_t order, size_t numbers) : index_(index), order_(order), last_(numbers) {}

    // Returns the number of positions whose n-gram both sides have.
    size_t list(size_t sequence) {
        size_t begin = index_.begin_of(sequence), end = index_.ends_[sequence], shared = 0, count = 0;
        if (begin + order_ > end) return 0;
        Entry* entries = reserve(end - begin);
        auto first = static_cast<uint32_t>(index_.firsts_[order_ - 1]);
        uint32_t *classes = index_.classes_.data(), *last = last_.data();
        const uint32_t* found = index_.found_.data();
        for (size_t i = begin; i + order_ <= end; ++i) {
            if (classes[i] == 0) continue;
            uint32_t number = found[i];
            if (!index_.pairs_.have_both(number)) {
                classes[i] = 0;
                continue;
            }
            classes[i] = number;
            ++shared;
            // The last entry of an n-gram may be in an earlier sequence, whose entries this one overwrites or does not
            // reach.
            if (last[number] >= count || entries[last[number]].ngram != first + number) {
                last[number] = static_cast<uint32_t>(count);
                entries[count++] = {first + number, 0};
            }
            ++entries[last[number]].count;
        }
        index_.entries_[(order_ - 1) * index_.ends_.size() + sequence] = {entries, count};
        free_ += count;
        return shared;
    }

  private:
    // Returns memory for the entries of a sequence.
    Entry* reserve(size_t length) {
        if (static_cast<size_t>(free_end_ - free_) < length) {
            size_t size = 0;
            free_ = index_.slabs_.take(length, size);
            free_end_ = free_ + size;
        }
        return free_;
    }

    NgramIndex& index_;
    size_t order_;
    Entry *free_ = nullptr, *free_end_ = nullptr;
    std::vector<uint32_t> last_;  // by number: the index of its entry in the last sequence that contains it
};

bool NgramIndex::find_pairs(std::span<const uint32_t> codes, size_t order, size_t left, size_t sequence,
                            NumberBatches::Batch& batch, size_t& added) {
    constexpr size_t kAhead =
        32;  // positions: enough for a cache miss to finish, and the prefetched lines stay in the L1 cache
    uint8_t side = sequence < left ? kLeft : kRight;
    if (ends_[sequence] - begin_of(sequence) < order) return true;
    const uint32_t *classes = classes_.data(), *last = codes.data() + order - 1;
    uint32_t* found = found_.data();
    for (size_t i = begin_of(sequence), end = ends_[sequence] - (order - 1); i < end; i += kAhead) {
        size_t stop = std::min(i + kAhead, end);
        for (size_t k = i; k < stop; ++k) found[k] = pairs_.place_of(classes[k], last[k]);
        for (size_t k = i; k < stop; ++k) {
            if (classes[k] == 0) continue;
            uint32_t number = pairs_.add(classes[k], last[k], found[k], batch, added);
            if (number == 0) return false;
            pairs_.mark(number, side);
            found[k] = number;
        }
    }
    return true;
}

void NgramIndex::build(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order,
                       size_t threads) {
    size_t total = codes.size();
    threads = thread_count(
        threads);  // counted once: the cores of a process may change, and the table has room for this many threads
    if (max_order * total > std::numeric_limits<uint32_t>::max()) throw TooLarge();
    ends_.assign(ends.begin(), ends.end());
    firsts_.assign(1, 0);
    slabs_.clear();
    entries_.assign(max_order * ends.size(), {});
    found_.reserve(total);
    std::fill_n(classes_.reserve(total), total, 1);  // every position starts with the empty n-gram
    size_t work = kUnitWork * (ends.empty() ? 0 : total / ends.size());
    size_t symbols = total == 0 ? 0 : *std::max_element(codes.begin(), codes.end()) + size_t{1}, prefixes = 1,
           places = total, known = total;
    auto for_each_sequence = [&](auto make) {
        parallel_for(
            ends.size(), threads,
            [&] {
                return [&, call = make()](size_t from, size_t to) mutable {
                    for (size_t s = from; s < to; ++s) {
                        checkpoint(kUnitWork * (ends_[s] - begin_of(s)));
                        call(s);
                    }
                };
            },
            kSequences, work);
    };
    for (size_t n = 1; n <= max_order; ++n) {
        std::atomic<size_t> pairs{0}, shared{0};
        size_t numbers = 0;
        // Each n-gram starts with one of the known ones and ends with a symbol. Usually there are not many more than of
        // the order below, and a small table stays in the cache. If it turns out to be too small, the order starts
        // again.
        size_t enough = SharedPairs::slots_for(symbols > places / prefixes ? places : prefixes * symbols);
        size_t slots = std::min(enough, SharedPairs::slots_for((known < kFew ? kGrowthOfFew : kGrowth) * known));
        for (;; slots = std::min(enough, kGrowthOfFew * slots)) {
            std::atomic<bool> is_full{false};
            NumberBatches batches;
            pairs = 0;
            pairs_.start(slots, threads);
            for_each_sequence([&] {
                return [&, batch = NumberBatches::Batch(batches)](size_t s) mutable {
                    size_t added = 0;
                    if (is_full.load(std::memory_order_relaxed)) return;
                    if (!find_pairs(codes, n, left, s, batch, added)) is_full = true;
                    // More than three quarters: probes become slow.
                    if (added > 0 && pairs.fetch_add(added, std::memory_order_relaxed) + added > slots / 4 * 3)
                        is_full = true;
                };
            });
            numbers = batches.end() + size_t{1};
            if (!is_full) break;
        }
        known = pairs;
        for_each_sequence([&] {
            return [&, lister = Lister(*this, n, numbers)](size_t s) mutable {
                if (size_t found = lister.list(s)) shared.fetch_add(found, std::memory_order_relaxed);
            };
        });
        firsts_.push_back(firsts_.back() + numbers);
        if (n == 1) symbols = pairs;
        prefixes = numbers;
        places = shared;
    }
}

}  // namespace refscore

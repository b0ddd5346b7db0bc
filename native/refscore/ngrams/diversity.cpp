#include "refscore/ngrams/diversity.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "refscore/ngrams/ngram_walk.hpp"
#include "refscore/segments/token_positions.hpp"
#include "refscore/threads/parallel.hpp"

namespace refscore {
namespace {

// Visits the n-grams of all tokens; make() creates the visitor of each thread. Low token numbers are frequent tokens,
// so neighbouring tokens are spread over different blocks of the loop.
template <class Make>
void walk_all(const Collection& collection, uint32_t vocabulary, size_t max_order, size_t threads, Make make) {
    TokenPositions places;
    places.build(collection.tokens(), vocabulary);
    size_t ranges = vocabulary / kRange + 1;
    auto work = [&] {
        return [&, walk = NgramWalk(collection, vocabulary), visit = make()](size_t from, size_t to) mutable {
            for (size_t i = from; i < to; ++i) {
                size_t token = i % kRange * ranges + i / kRange + 1;
                if (token <= vocabulary)
                    walk.walk(places.of(static_cast<uint32_t>(token)), max_order, visit.by_ngram());
            }
        };
    };
    parallel_for(ranges * kRange, threads, work);
}

// Counts the matches of each text with all others. All occurrences of an n-gram match, except in the text that has the
// most: there, only the second-highest count matches.
class Matches {
  public:
    Matches(const Collection& collection, size_t orders, int64_t* whole, std::mutex& lock)
        : collection_(&collection), orders_(orders), own_(collection.size() * orders), whole_(whole), lock_(&lock) {}
    Matches(Matches&& other) noexcept = default;
    Matches(const Matches&) = delete;
    ~Matches() {
        std::lock_guard<std::mutex> guard(*lock_);
        for (size_t i = 0; i < own_.size(); ++i) whole_[i] += own_[i];
    }

    auto by_ngram() {
        return [this](size_t order, uint32_t, std::span<const uint32_t> places) -> uint32_t {
            uint32_t first = collection_->text_at(places.front());
            if (first == collection_->text_at(places.back())) return 0;
            int64_t most = 0, second = 0;
            uint32_t owner = 0;
            for (size_t begin = 0; begin < places.size();) {
                uint32_t text = collection_->text_at(places[begin]);
                size_t end = begin + 1;
                while (end < places.size() && collection_->text_at(places[end]) == text) ++end;
                auto count = static_cast<int64_t>(end - begin);
                own_[text * orders_ + order - 1] += count;
                if (count > most) {
                    second = most;
                    most = count;
                    owner = text;
                } else {
                    second = std::max(second, count);
                }
                begin = end;
            }
            own_[owner * orders_ + order - 1] -= most - second;
            return 1;
        };
    }

  private:
    const Collection* collection_;
    size_t orders_;
    std::vector<int64_t> own_;
    int64_t* whole_;
    std::mutex* lock_;
};

class Distinct {
  public:
    Distinct(const Collection& collection, std::vector<uint64_t>& whole, std::mutex& lock)
        : collection_(&collection), own_(whole.size() + 1), whole_(&whole), lock_(&lock) {}
    Distinct(Distinct&& other) noexcept = default;
    Distinct(const Distinct&) = delete;
    ~Distinct() {
        std::lock_guard<std::mutex> guard(*lock_);
        int64_t here = 0;
        for (size_t n = 0; n + 1 < own_.size(); ++n) (*whole_)[n] += static_cast<uint64_t>(here += own_[n]);
    }

    auto by_ngram() {
        return [this](size_t order, uint32_t, std::span<const uint32_t> places) -> uint32_t {
            ++own_[order - 1];
            size_t last = order;
            if (places.size() == 1) {  // all longer n-grams that begin at this position are also unique
                size_t left = collection_->end(collection_->text_at(places[0])) - places[0];
                last = std::min(left, own_.size() - 1);
            }
            --own_[last];
            return places.size() > 1;
        };
    }

  private:
    const Collection* collection_;
    std::vector<int64_t>
        own_;  // difference array: +1 at the order where an n-gram begins to exist, -1 after its last order
    std::vector<uint64_t>* whole_;
    std::mutex* lock_;
};

// Determines the reference length for each text from the lengths of all others.
class OtherLengths {
  public:
    OtherLengths(ReferenceLength rule, const Collection& collection) : rule_(rule) {
        for (size_t text = 0; text < collection.size(); ++text) {
            lengths_.push_back({collection.length(text), text, 1});
            total_ += collection.length(text);
        }
        std::sort(lengths_.begin(), lengths_.end(), [](const Length& a, const Length& b) {
            return a.length != b.length ? a.length < b.length : a.first_text < b.first_text;
        });
        size_t kept = 0;
        for (const Length& length : lengths_) {
            if (kept > 0 && lengths_[kept - 1].length == length.length) {
                ++lengths_[kept - 1].texts;
            } else {
                lengths_[kept++] = length;
            }
        }
        lengths_.resize(kept);
    }

    int64_t of(int64_t own) const {
        if (rule_ == ReferenceLength::Total) return total_ - own;
        // The text itself is among the lengths, so its own length is another's only if it occurs again.
        auto here = std::lower_bound(lengths_.begin(), lengths_.end(), own,
                                     [](const Length& a, int64_t length) { return a.length < length; });
        bool again = here->texts > 1;
        if (rule_ == ReferenceLength::Shortest)
            return here == lengths_.begin() && !again ? here[1].length : lengths_[0].length;
        if (again) return own;
        if (here == lengths_.begin()) return here[1].length;
        if (here + 1 == lengths_.end()) return here[-1].length;
        const Length &below = here[-1], &above = here[1];
        if (own - below.length != above.length - own)
            return own - below.length < above.length - own ? below.length : above.length;
        return rule_ == ReferenceLength::ClosestFirst && above.first_text < below.first_text ? above.length
                                                                                             : below.length;
    }

  private:
    struct Length {
        int64_t length;
        size_t first_text;
        size_t texts;  // with this length
    };
    ReferenceLength rule_;
    std::vector<Length> lengths_;  // distinct, ascending
    int64_t total_ = 0;
};

}  // namespace

void leave_one_out_rows(const BleuSettings& settings, const Collection& collection, uint32_t vocabulary, size_t threads,
                        std::span<int64_t> rows) {
    size_t orders = settings.counted_orders(), columns = settings.columns();
    std::vector<int64_t> matches(collection.size() * orders);
    std::mutex lock;
    walk_all(collection, vocabulary, orders, threads,
             [&] { return Matches(collection, orders, matches.data(), lock); });
    OtherLengths lengths(settings.reference_length, collection);
    for (size_t text = 0; text < collection.size(); ++text) {
        std::span<int64_t> row = rows.subspan(text * columns, columns);
        row[0] = collection.length(text);
        row[1] = lengths.of(row[0]);
        std::copy_n(matches.begin() + static_cast<ptrdiff_t>(text * orders), orders, row.begin() + 2);
        complete_bleu_row(settings, row);
    }
}

std::vector<uint64_t> distinct_ngrams(const Collection& collection, uint32_t vocabulary, size_t max_order,
                                      size_t threads) {
    std::vector<uint64_t> counts(max_order);
    std::mutex lock;
    walk_all(collection, vocabulary, max_order, threads, [&] { return Distinct(collection, counts, lock); });
    return counts;
}

}  // namespace refscore

// N-grams of a test set in a corpus.
#include "bind.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/overlap/overlap.hpp"
#include "refscore/overlap/overlap_filter.hpp"
#include "segment_loops.hpp"
#include "text_lines.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

// Throws if an object is already used by a different thread.
class InUse {
  public:
    explicit InUse(std::atomic<bool>& flag) : flag_(flag) {
        require(!flag.exchange(true), "the object is in use by a different thread");
    }
    InUse(const InUse&) = delete;
    ~InUse() { flag_ = false; }

  private:
    std::atomic<bool>& flag_;
};

// All texts of both sides must have the same kind of tokens, because the numbers of an id could be the letters of a
// word.
class TokenKind {
  public:
    void check(const TokenList& list) {
        if (list.tokens.empty()) return;
        int kind = list.kind == ItemKind::Ids ? 2 : 1, known = 0;
        if (kind_.compare_exchange_strong(known, kind) || known == kind) return;
        throw InputError(std::nullopt, "the segments and the corpus have tokens of different kinds",
                         "strings (or text) and integers never match");
    }

  private:
    std::atomic<int> kind_{0};
};

// Tokenizes texts, and calls work(first, lists) for a few of them at a time. `first` is the index of the first text.
// One per thread.
class BatchReader {
  public:
    BatchReader(const TextRules& rules, TokenKind& kind) : numberer_(rules), kind_(&kind) {}

    template <class Work>
    void read(const Block& block, size_t begin, Work work) {
        constexpr size_t kTokens = 1 << 14;  // more would not fit into the cache
        size_t count = 0, tokens = 0;
        for (size_t i = 0; i < block.size(); ++i) {
            if (lists_.size() == count) lists_.emplace_back();
            numberer_.read_hypothesis(block, i, lists_[count]);
            kind_->check(lists_[count]);
            tokens += lists_[count++].tokens.size();
            if (tokens < kTokens && i + 1 < block.size()) continue;
            work(begin + i + 1 - count, std::span<const TokenList>(lists_.data(), count));
            count = tokens = 0;
        }
    }

  private:
    Numberer numberer_;
    TokenKind* kind_;
    std::vector<TokenList> lists_;
};

// Calls worker(first, lists) for all texts; make() creates the worker of each thread. Returns the number of texts.
template <class Make>
size_t for_each_batch(nb::handle texts, const TextRules& rules, TokenKind& kind, size_t threads, Make make) {
    require(!rules.lines && !rules.references_twice, "texts are read as hypotheses");
    if (nb::isinstance<TextLines>(texts)) {
        const TextLines& lines = *nb::inst_ptr<TextLines>(texts);
        require(lines.is_utf8(), "the lines are not UTF-8");
        without_gil([&] {
            parallel_for(
                lines.pieces().size(), threads,
                [&] {
                    return [&, reader = BatchReader(rules, kind), worker = make(), block = Block()](size_t from,
                                                                                                    size_t to) mutable {
                        for (size_t piece = from; piece < to; ++piece) {
                            lines.load(lines.pieces()[piece].begin, lines.pieces()[piece].end, block);
                            reader.read(block, lines.pieces()[piece].begin, worker);
                        }
                    };
                },
                1, 100'000);  // nanoseconds per piece
        });
        return lines.size();
    }
    PythonInput input(texts, nb::handle(), rules.lowercase);
    for_each_block(input, threads, [&] {
        return [&, reader = BatchReader(rules, kind), worker = make()](LoadedBlock& loaded) mutable {
            reader.read(loaded.block, loaded.begin, worker);
        };
    });
    return input.size();
}

// Adds up the counts of documents and tokens.
struct Totals {
    std::atomic<uint64_t> tokens{0}, ngrams{0};

    void add(std::span<const TokenList> lists) {
        uint64_t sum = 0;
        for (const TokenList& list : lists) sum += list.tokens.size();
        tokens.fetch_add(sum, std::memory_order_relaxed);
    }
};

Array<int64_t, 2> as_rows(const std::vector<OverlapCounts>& counts) {
    std::unique_ptr<int64_t[]> rows(new int64_t[4 * counts.size()]);
    for (size_t i = 0; i < counts.size(); ++i) {
        const int64_t row[] = {counts[i].tokens, counts[i].ngrams, counts[i].matches, counts[i].covered};
        std::copy(row, row + 4, rows.get() + 4 * i);
    }
    return as_array<int64_t, 2>(std::move(rows), {counts.size(), 4});
}

class BoundIndex {
  public:
    size_t add(nb::handle segments, const TextRules& rules, size_t threads) {
        InUse in_use(flag_);
        require(!index_.is_built(), "segments must be added before the n-grams are entered");
        struct Numbered {
            size_t begin;
            std::vector<uint32_t> tokens, lengths;
        };
        std::vector<Numbered> batches;
        std::mutex lock;
        // Threads tokenize in parallel; numbers are assigned under the lock.
        size_t count = for_each_batch(segments, rules, kind_, threads, [&] {
            return [&](size_t first, std::span<const TokenList> lists) {
                Numbered numbered{first, {}, {}};
                std::lock_guard<std::mutex> guard(lock);
                for (const TokenList& list : lists) {
                    for (const Token& token : list.tokens)
                        numbered.tokens.push_back(index_.number(token, list.arena.data()));
                    numbered.lengths.push_back(static_cast<uint32_t>(list.tokens.size()));
                }
                batches.push_back(std::move(numbered));
            };
        });
        std::sort(batches.begin(), batches.end(),
                  [](const Numbered& a, const Numbered& b) { return a.begin < b.begin; });
        for (const Numbered& batch : batches) index_.add(batch.tokens, batch.lengths);
        return count;
    }

    Array<int64_t, 1> lengths() const {
        std::unique_ptr<int64_t[]> lengths(new int64_t[index_.size()]);
        for (size_t i = 0; i < index_.size(); ++i) lengths[i] = static_cast<int64_t>(index_.length(i));
        return as_array<int64_t, 1>(std::move(lengths), {index_.size()});
    }

    void build(size_t order, size_t most_documents, size_t threads) {
        InUse in_use(flag_);
        without_gil([&] { index_.build(order, most_documents, threads); });
    }

    std::pair<uint64_t, uint64_t> scan(nb::handle documents, const TextRules& rules, size_t threads) {
        InUse in_use(flag_);
        require(index_.is_built(), "the n-grams must be entered before documents are scanned");
        Totals totals;
        size_t count = for_each_batch(documents, rules, kind_, threads, [&] {
            return [&, scratch = NgramScratch()](size_t, std::span<const TokenList> lists) mutable {
                index_.scan(lists, scratch);
                totals.add(lists);
            };
        });
        return {count, totals.tokens};
    }

    Array<int64_t, 2> counts(size_t threads) {
        InUse in_use(flag_);
        require(index_.is_built(), "the n-grams must be entered before segments are counted");
        std::vector<OverlapCounts> counts(index_.size());
        parallel_without_gil(index_.size(), threads, [&] {
            return [&, scratch = NgramScratch()](size_t from, size_t to) mutable {
                for (size_t segment = from; segment < to; ++segment) counts[segment] = index_.count(segment, scratch);
            };
        });
        return as_rows(counts);
    }

  private:
    OverlapIndex index_;
    TokenKind kind_;
    std::atomic<bool> flag_{false};
};

class BoundFilter {
  public:
    BoundFilter(size_t order, size_t blocks, size_t hashes) : filter_(order, blocks, hashes) {}

    nb::tuple add(nb::handle documents, const TextRules& rules, size_t threads) {
        InUse in_use(flag_);
        Totals totals;
        size_t count = for_each_batch(documents, rules, kind_, threads, [&] {
            return [&, scratch = NgramScratch()](size_t, std::span<const TokenList> lists) mutable {
                totals.ngrams.fetch_add(filter_.add(lists, scratch), std::memory_order_relaxed);
                totals.add(lists);
            };
        });
        return nb::make_tuple(count, totals.tokens.load(), totals.ngrams.load());
    }

    Array<int64_t, 2> counts(nb::handle segments, const TextRules& rules, size_t threads) {
        InUse in_use(flag_);
        std::vector<std::pair<size_t, std::vector<OverlapCounts>>> batches;
        std::mutex lock;
        for_each_batch(segments, rules, kind_, threads, [&] {
            return [&, scratch = NgramScratch()](size_t first, std::span<const TokenList> lists) mutable {
                std::vector<OverlapCounts> counts;
                for (const TokenList& list : lists) counts.push_back(filter_.count(list, scratch));
                std::lock_guard<std::mutex> guard(lock);
                batches.emplace_back(first, std::move(counts));
            };
        });
        std::sort(batches.begin(), batches.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<OverlapCounts> all;
        for (const auto& [first, counts] : batches) all.insert(all.end(), counts.begin(), counts.end());
        return as_rows(all);
    }

    double false_positive_rate() {
        InUse in_use(flag_);
        double rate = 0;
        without_gil([&] { rate = filter_.false_positive_rate(); });
        return rate;
    }

    OverlapFilter& filter() { return filter_; }

  private:
    OverlapFilter filter_;
    TokenKind kind_;
    std::atomic<bool> flag_{false};
};

}  // namespace

void bind_overlap(nb::module_& m) {
    nb::class_<TextLines>(m, "TextLines")
        .def(nb::init<nb::bytes, const TextRules&, size_t>(), "data"_a, "rules"_a, "threads"_a)
        .def_prop_ro("is_utf8", &TextLines::is_utf8)
        .def("__len__", &TextLines::size);
    nb::class_<BoundIndex>(m, "OverlapIndex")
        .def(nb::init<>())
        .def("add", &BoundIndex::add, "segments"_a, "rules"_a, "threads"_a)
        .def("lengths", &BoundIndex::lengths)
        .def("build", &BoundIndex::build, "order"_a, "most_documents"_a, "threads"_a)
        .def("scan", &BoundIndex::scan, "documents"_a, "rules"_a, "threads"_a)
        .def("counts", &BoundIndex::counts, "threads"_a);
    nb::class_<BoundFilter>(m, "OverlapFilter")
        .def(nb::init<size_t, size_t, size_t>(), "order"_a, "blocks"_a, "hashes"_a)
        .def("add", &BoundFilter::add, "documents"_a, "rules"_a, "threads"_a,
             nb::sig("def add(self, documents: object, rules: TextRules, threads: int) -> tuple[int, int, int]"))
        .def("counts", &BoundFilter::counts, "segments"_a, "rules"_a, "threads"_a)
        .def("false_positive_rate", &BoundFilter::false_positive_rate)
        .def("bytes", [](nb::handle_t<BoundFilter> self) {
            OverlapFilter& filter = nb::cast<BoundFilter&>(self).filter();
            return nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>, nb::c_contig>(filter.bytes(), {filter.size()}, self);
        });
}

}  // namespace refscore::bindings

// Common code of the bindings: turns a kernel (segments to rows, rows to values) into a scorer of Python input.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <forward_list>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "arrays.hpp"
#include "limits.hpp"
#include "python_input.hpp"
#include "released_gil.hpp"
#include "segment_loops.hpp"
#include "thread_sums.hpp"
#include "refscore/parallel.hpp"
#include "refscore/preconditions.hpp"
#include "refscore/thread_local_cache.hpp"

namespace refscore::bindings {

// Renumbers words from 1 (Python numbers them from 0) and returns the largest number. Kernels allocate memory for all numbers, so
// there are never more numbers than words.
inline uint32_t number_from_one(std::vector<uint32_t>& hypothesis, std::vector<uint32_t>& reference, uint32_t vocabulary) {
    std::vector<uint32_t> known;
    for (const std::vector<uint32_t>* words : {&hypothesis, &reference}) {
        for (uint32_t word : *words) require(word < vocabulary, "a word's number is beyond the vocabulary");
        known.insert(known.end(), words->begin(), words->end());
    }
    bool is_sparse = vocabulary > known.size();
    if (is_sparse) {
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        vocabulary = static_cast<uint32_t>(known.size());
    }
    for (std::vector<uint32_t>* words : {&hypothesis, &reference})
        for (uint32_t& word : *words)
            word = 1 + (is_sparse ? static_cast<uint32_t>(std::lower_bound(known.begin(), known.end(), word) - known.begin()) : word);
    return vocabulary;
}

// A weight for each of several references, or an empty array.
using WeightArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The input types of a kernel: numbered tokens, unless it declares an Input.
template <class Kernel>
struct InputOf {
    using Rules = TextRules;
    using Reader = Numberer;
    using Prepared = PreparedReferences;
    using List = TokenList;
};
template <class Kernel>
    requires requires { typename Kernel::Input; }
struct InputOf<Kernel> : Kernel::Input {};

// A Kernel contains the settings of a metric, and:
// Scratch scratch memory for one thread
// kCounts true if its rows can be counts
// columns(), has_counts() the width of a row, and whether its rows are counts (int64) or double
// row(scratch, hypothesis, references, out) both sides as read by its Input
// value(scratch, row) the score of a row of doubles
// Pairs optional: a faster way to score all pairs
template <class Kernel>
class Scorer {
    using Rules = typename InputOf<Kernel>::Rules;
    using Reader = typename InputOf<Kernel>::Reader;
    using Prepared = typename InputOf<Kernel>::Prepared;
    using List = typename InputOf<Kernel>::List;

  public:
    Scorer(Rules rules, Kernel kernel) : rules_(rules), kernel_(std::move(kernel)) {
        if constexpr (requires { kernel_.settings.check(); }) kernel_.settings.check();
        bool reads_lines = false;
        if constexpr (requires { kernel_.reads_lines(); }) reads_lines = kernel_.reads_lines();
        require(rules_.lines == reads_lines, "ROUGE-Lsum must split text into lines, and no other metric may");
    }
    Scorer(const Scorer&) = delete;
    ~Scorer() { delete spare_.load(); }

    const Kernel& kernel() const { return kernel_; }
    const TextRules& rules() const { return rules_; }

    // Returns the rows, and the smallest and largest number of references.
    nb::tuple counted(nb::handle hypotheses, nb::handle references, size_t threads) const {
        std::vector<size_t> counts;
        auto with_counts = [&](auto rows) {
            size_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
            return nb::make_tuple(rows, most == 0 ? 0 : *std::min_element(counts.begin(), counts.end()), most);
        };
        if constexpr (Kernel::kCounts)
            if (kernel_.has_counts()) return with_counts(rows_of<int64_t>(hypotheses, references, threads, counts));
        return with_counts(rows_of<double>(hypotheses, references, threads, counts));
    }

    // Returns the score of each segment, and the smallest and largest number of references.
    nb::tuple scores(nb::handle hypotheses, nb::handle references, size_t threads) const {
        if constexpr (Kernel::kCounts)
            if (kernel_.has_counts()) return scores_of<int64_t>(hypotheses, references, threads);
        return scores_of<double>(hypotheses, references, threads);
    }

    // Returns the summed row, and the smallest and largest number of references.
    nb::tuple total(nb::handle hypotheses, nb::handle references, size_t threads) const {
        if constexpr (Kernel::kCounts)
            if (kernel_.has_counts()) return total_of<int64_t>(hypotheses, references, threads);
        return total_of<double>(hypotheses, references, threads);
    }

    // Adds the rows to sums of one group. Returns the smallest and largest number of references.
    nb::tuple total_into(nb::handle hypotheses, nb::handle references, size_t threads, ExactSums& sums) const {
        check_columns(sums.columns());
        require(sums.groups() == 1, "the sums must have one group");
        ReferenceCounts counts = add_rows(hypotheses, references, threads, sums);
        return nb::make_tuple(counts.least(), counts.most);
    }

    // Returns the value and the row of one segment as Python numbers, which are faster to create than arrays, and its number of references.
    nb::tuple one(nb::handle hypothesis, nb::handle references) const {
        if constexpr (Kernel::kCounts)
            if (kernel_.has_counts()) return one_of<int64_t>(hypothesis, references);
        return one_of<double>(hypothesis, references);
    }

    Array<double, 1> values(nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows, size_t threads) const {
        size_t size = rows.shape(0), columns = rows.shape(1);
        check_columns(columns);
        std::unique_ptr<double[]> scores(new double[size]);
        parallel_without_gil(size, threads, [&] {
            return [&, scratch = typename Kernel::Scratch()](size_t from, size_t to) mutable {
                for (size_t i = from; i < to; ++i) scores[i] = kernel_.value(scratch, rows.data() + i * columns);
            };
        });
        return as_array<double, 1>(std::move(scores), {size});
    }

    Prepared prepare(nb::handle references, size_t threads) const {
        PythonInput input(nb::handle(), references, rules_.lowercase);
        // Each thread prepares its own blocks, which are then joined in order.
        std::vector<std::pair<size_t, Prepared>> parts;
        std::mutex lock;
        Prepared prepared(input.kind());
        for_each_block(input, threads, [&] {
            return [&, reader = Reader(rules_)](LoadedBlock& loaded) mutable {
                if (threads == 1) return prepared.add(loaded.block, reader);
                Prepared part(input.kind());
                part.add(loaded.block, reader);
                std::lock_guard<std::mutex> guard(lock);
                parts.emplace_back(loaded.begin, std::move(part));
            };
        });
        without_gil([&] {
            std::sort(parts.begin(), parts.end(), [](const auto& one, const auto& other) { return one.first < other.first; });
            for (auto& [begin, part] : parts) {
                prepared.append(part);
                part = Prepared(input.kind());
            }
            prepared.finish();
        });
        Limits::current().check_prepared(prepared);
        return prepared;
    }

    // Scores each hypothesis with each segment of references.
    Array<double, 2> pairwise(nb::handle hypotheses, const Prepared& references, size_t threads) const {
        PythonInput input(hypotheses, nb::handle(), rules_.lowercase, references.kind());
        if (!references.takes(input.kind())) throw UnsupportedInput();
        size_t width = references.size();
        std::unique_ptr<double[]> scores(new double[input.size() * width]);
        check_prepared(references);
        std::vector<List> lists = read(input, threads);
        FirstRefused refused;
        if constexpr (requires { typename Kernel::Pairs; })
            if (Kernel::Pairs::takes(references)) {
                without_gil([&] {
                    with_cached<typename Kernel::Pairs>([&](typename Kernel::Pairs& pairs) {
                        pairs.build(kernel_.settings, lists, references, threads);
                        score_pairs(pairs, lists.size(), width, threads, scores.get());
                    });
                });
                return as_array<double, 2>(std::move(scores), {input.size(), width});
            }
        parallel_without_gil(input.size() * width, threads, [&] {
            return [&, reader = Reader(rules_), scratch = typename Kernel::Scratch(),
                    row = std::vector<double>(kernel_.columns())](size_t from, size_t to) mutable {
                for (size_t pair = from; pair < to; ++pair) {
                    auto chosen = references[pair % width];
                    auto hypothesis = reader.hypothesis(lists[pair / width], chosen);
                    refused.watch(pair % width, [&] { kernel_.row(scratch, hypothesis, chosen, row.data()); });
                    scores[pair] = kernel_.value(scratch, row.data());
                }
            };
        });
        refused.rethrow();
        return as_array<double, 2>(std::move(scores), {input.size(), width});
    }

    // Scores each hypothesis with the mean of all references, computed by with_all(settings, lists, references, weights, scores).
    // Without weights, all references count equally.
    template <class WithAll>
    Array<double, 1> aggregate(nb::handle hypotheses, const Prepared& references, const WeightArray& weights, WithAll with_all) const {
        PythonInput input(hypotheses, nb::handle(), rules_.lowercase, references.kind());
        if (!references.takes(input.kind()) || !Kernel::Pairs::takes(references)) throw UnsupportedInput();
        require(weights.size() == 0 || weights.size() == references.size(), "there must be a weight for each reference");
        check_prepared(references);
        std::vector<List> lists = read(input, 0);
        std::unique_ptr<double[]> scores(new double[input.size()]);
        without_gil([&] { with_all(kernel_.settings, lists, references, std::span(weights.data(), weights.size()), scores.get()); });
        return as_array<double, 1>(std::move(scores), {input.size()});
    }

    // Reads all hypotheses of an input, for comparison with many references.
    std::vector<List> read(PythonInput& input, size_t threads) const {
        std::vector<List> lists(input.size());
        for_each_block(input, threads, [&] {
            return [&, reader = Reader(rules_)](LoadedBlock& loaded) mutable {
                for (size_t i = 0; i < loaded.block.size(); ++i) reader.read_hypothesis(loaded.block, i, lists[loaded.begin + i]);
            };
        });
        Limits limits = Limits::current();
        FirstRefused refused;
        for (size_t i = 0; i < lists.size(); ++i) refused.watch(i, [&] { limits.check_hypothesis(lists[i]); });
        refused.rethrow();
        return lists;
    }

    Lowercase lowercase() const { return rules_.lowercase; }

    void check_columns(size_t found) const {
        require(found == kernel_.columns(), "a row has a different number of columns than the metric");
    }

  private:
    void require_fit(const Prepared& references) const {
        require(references.fits(rules_), "the references were prepared by a metric that reads text differently");
    }
    void check_prepared(const Prepared& references) const {
        require_fit(references);
        Limits::current().check_prepared(references);
    }

    // Scores all hypotheses with a block of references at a time. A block has at least 8 references, one cache line of doubles per
    // output row, and about 1,024 pairs, to amortize handing it to a thread.
    template <class Pairs>
    static void score_pairs(const Pairs& pairs, size_t hypotheses, size_t references, size_t threads, double* out) {
        constexpr size_t kPairs = 1024, kLineDoubles = 8, kPairWork = 16;  // nanoseconds per pair at least, measured with BLEU
        size_t range = std::clamp<size_t>(kPairs / std::max<size_t>(hypotheses, 1), kLineDoubles, kRange);
        parallel_for(references, threads, [&] {
            return [&, scratch = typename Pairs::Scratch(), scores = std::vector<double>(range * hypotheses)](size_t from, size_t to) mutable {
                for (size_t r = from; r < to; ++r) {
                    checkpoint(hypotheses * kLeastWork);
                    pairs.scores(scratch, r, scores.data() + (r - from) * hypotheses);
                }
                for (size_t h = 0; h < hypotheses; ++h)
                    for (size_t r = from; r < to; ++r) out[h * references + r] = scores[(r - from) * hypotheses + h];
            };
        }, range, hypotheses * kPairWork);
    }

    // Adds nothing if an exception is thrown.
    ReferenceCounts add_rows(nb::handle hypotheses, nb::handle references, size_t threads, ExactSums& sums) const {
        if constexpr (Kernel::kCounts)
            if (kernel_.has_counts()) return add_rows_of<int64_t>(hypotheses, references, threads, sums);
        return add_rows_of<double>(hypotheses, references, threads, sums);
    }

    template <class T>
    ReferenceCounts add_rows_of(nb::handle hypotheses, nb::handle references, size_t threads, ExactSums& sums) const {
        std::forward_list<ThreadSum<T>> thread_sums;
        ReferenceCounts counts = sum_rows(hypotheses, references, threads, thread_sums);
        // A thread's rows may not be finite, and then nothing must be added.
        ExactSums total(1, kernel_.columns());
        for (ThreadSum<T>& sum : thread_sums) sum.add_to(total);
        sums.merge(total);
        return counts;
    }

    template <class T>
    nb::tuple total_of(nb::handle hypotheses, nb::handle references, size_t threads) const {
        std::forward_list<ThreadSum<T>> thread_sums;
        ReferenceCounts counts = sum_rows(hypotheses, references, threads, thread_sums);
        std::unique_ptr<T[]> row(new T[kernel_.columns()]);
        ThreadSum<T>::write_total(thread_sums, row.get(), kernel_.columns());
        return nb::make_tuple(as_array<T, 1>(std::move(row), {kernel_.columns()}), counts.least(), counts.most);
    }

    template <class T>
    ReferenceCounts sum_rows(nb::handle hypotheses, nb::handle references, size_t threads, std::forward_list<ThreadSum<T>>& thread_sums) const {
        std::mutex lock;
        for_each_row<T>(hypotheses, references, threads, [&] {
            std::lock_guard<std::mutex> guard(lock);
            ThreadSum<T>& sum = thread_sums.emplace_front(kernel_.columns());
            return [&sum](size_t, const T* row, size_t count) { sum.add(row, count); };
        });
        ReferenceCounts counts;
        for (const ThreadSum<T>& sum : thread_sums) counts.add(sum.counts());
        return counts;
    }

    // Calls visit(segment, row, number of references) for each segment. make_visit() creates the visitor of each thread.
    template <class T, class MakeVisit>
    void for_each_row(nb::handle hypotheses, nb::handle references, size_t threads, MakeVisit make_visit) const {
        const Prepared* prepared = nb::isinstance<Prepared>(references) ? nb::inst_ptr<Prepared>(references) : nullptr;
        PythonInput input = prepared != nullptr ? PythonInput(hypotheses, nb::handle(), rules_.lowercase, prepared->kind())
                                                : PythonInput(hypotheses, references, rules_.lowercase);
        if (prepared != nullptr && (prepared->size() != input.size() || !prepared->takes(input.kind()))) throw UnsupportedInput();
        if (prepared != nullptr) require_fit(*prepared);
        FirstRefused refused;
        Limits limits = Limits::current();
        auto work = [&] {
            return [&, reader = Reader(rules_), scratch = typename Kernel::Scratch(),
                    row = std::vector<T>(kernel_.columns()), visit = make_visit()](LoadedBlock& loaded, size_t begin, size_t end) mutable {
                const Block& block = loaded.block;
                decltype(reader.references(block, 0)) chosen{};
                for (size_t i = begin; i < end; ++i) {
                    if (i + 1 < end) prefetch(block, i + 1);
                    if (prepared != nullptr) {
                        chosen = (*prepared)[loaded.begin + i];
                    } else if (i == begin || !same_references(block, i, i - 1)) {
                        chosen = reader.references(block, i);
                    }
                    auto hypothesis = reader.hypothesis(block, i, chosen);
                    refused.watch(loaded.begin + i, [&] {
                        limits.check_references(chosen);
                        limits.check_hypothesis(hypothesis);
                        kernel_.row(scratch, hypothesis, chosen, row.data());
                    });
                    visit(loaded.begin + i, row.data(), chosen.lengths.size());
                }
            };
        };
        for_each_piece(input, threads, cut_by_length, work);
        refused.rethrow();
    }

    template <class T>
    nb::tuple one_of(nb::handle hypothesis, nb::handle references) const {
        nb::tuple hypotheses = nb::make_tuple(hypothesis), entries = nb::make_tuple(references);
        PythonInput input(hypotheses, entries, rules_.lowercase);
        std::unique_ptr<Single> single(spare_.exchange(nullptr));
        if (!single) single = std::make_unique<Single>(rules_);
        const Block& block = single->loaded.block;
        input.load(0, 1, single->loaded);
        std::vector<T> row(kernel_.columns());
        double value = 0;
        size_t count = 0;
        Limits limits = Limits::current();
        auto score = [&] {
            auto chosen = single->reader.references(block, 0);
            count = chosen.lengths.size();
            auto read = single->reader.hypothesis(block, 0, chosen);
            limits.check_references(chosen);
            limits.check_hypothesis(read);
            try {
                kernel_.row(single->scratch, read, chosen, row.data());
            } catch (const EmptyReference& empty) {
                throw EmptyReferenceAt(0, empty.reference);
            }
            single->numbers.assign(row.begin(), row.end());
            value = kernel_.value(single->scratch, single->numbers.data());
        };
        // Releasing the GIL takes as long as scoring a few words. Characters or ids: two long sentences, scored in microseconds.
        if (is_at_most(block, 512)) {
            score();
        } else {
            without_gil(score);
        }
        single->loaded.release();
        if (is_at_most(block, 4096)) single.reset(spare_.exchange(single.release()));
        nb::object columns = steal_checked(PyTuple_New(static_cast<Py_ssize_t>(row.size())));
        for (size_t c = 0; c < row.size(); ++c) PyTuple_SET_ITEM(columns.ptr(), static_cast<Py_ssize_t>(c), nb::cast(row[c]).release().ptr());
        return nb::make_tuple(value, columns, count);
    }

    // Computes each score from its row immediately: rows take ten times the memory of scores.
    template <class T>
    nb::tuple scores_of(nb::handle hypotheses, nb::handle references, size_t threads) const {
        size_t size = PythonInput(hypotheses, nb::handle(), rules_.lowercase).size();
        std::unique_ptr<double[]> scores(new double[size]);
        ReferenceCounts all;
        std::mutex lock;
        for_each_row<T>(hypotheses, references, threads, [&] {
            // Adds the counts of a thread when it has finished.
            struct ThreadCounts : ReferenceCounts {
                ReferenceCounts& all;
                std::mutex& lock;
                ThreadCounts(ReferenceCounts& total, std::mutex& guard) : all(total), lock(guard) {}
                ~ThreadCounts() {
                    std::lock_guard<std::mutex> guard(lock);
                    all.add(*this);
                }
            };
            return [&, counts = std::make_unique<ThreadCounts>(all, lock), scratch = typename Kernel::Scratch(),
                    numbers = std::vector<double>(kernel_.columns())](size_t segment, const T* row, size_t count) mutable {
                counts->add({count, count});
                std::copy_n(row, numbers.size(), numbers.begin());
                scores[segment] = kernel_.value(scratch, numbers.data());
            };
        });
        return nb::make_tuple(as_array<double, 1>(std::move(scores), {size}), all.least(), all.most);
    }

    // Also writes the number of references of each segment to `counts`.
    template <class T>
    Array<T, 2> rows_of(nb::handle hypotheses, nb::handle references, size_t threads, std::vector<size_t>& counts) const {
        size_t size = PythonInput(hypotheses, nb::handle(), rules_.lowercase).size(), columns = kernel_.columns();
        std::unique_ptr<T[]> rows(new T[size * columns]);
        counts.resize(size);
        for_each_row<T>(hypotheses, references, threads, [&] {
            return [&](size_t segment, const T* row, size_t count) {
                std::copy(row, row + columns, rows.get() + segment * columns);
                counts[segment] = count;
            };
        });
        return as_array<T, 2>(std::move(rows), {size, columns});
    }

    // The memory of one().
    struct Single {
        LoadedBlock loaded;
        Reader reader;
        typename Kernel::Scratch scratch;
        std::vector<double> numbers;

        explicit Single(const Rules& rules) : reader(rules) {}
    };

    // Whether a block has at most this many characters and ids.
    static bool is_at_most(const Block& block, size_t most) {
        size_t size = 0;
        for (const TextView& text : block.texts) size += text.size;
        for (const IdView& ids : block.ids) size += ids.size;
        return size <= most;
    }

    Rules rules_;
    Kernel kernel_;
    // Kept for the next call of one(). It is taken out during a call, so other threads and signal handlers create their own.
    mutable std::atomic<Single*> spare_{nullptr};
};

// Binds the class of prepared references.
template <class Prepared>
nb::class_<Prepared> bind_prepared(nb::module_& m, const char* name) {
    return nb::class_<Prepared>(m, name)
        .def("__len__", &Prepared::size)
        .def_prop_ro("is_empty", &Prepared::is_empty)
        .def_prop_ro("kind", [](const Prepared& self) {
            return self.kind() == ItemKind::Text ? "text" : self.kind() == ItemKind::Tokens ? "tokens" : "ids";
        });
}

// Binds the class of a metric, with the functions that all scorers share.
template <class Kernel>
nb::class_<Scorer<Kernel>> bind_scorer(nb::module_& m, const char* name) {
    using namespace nb::literals;
    using Bound = Scorer<Kernel>;
    return nb::class_<Bound>(m, name)
        .def("counted", &Bound::counted, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def counted(self, hypotheses: object, references: object, threads: int, /)"
                     " -> tuple[numpy.typing.NDArray[typing.Any], int, int]"))
        .def("scores", &Bound::scores, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def scores(self, hypotheses: object, references: object, threads: int, /)"
                     " -> tuple[numpy.typing.NDArray[numpy.float64], int, int]"))
        .def("total", &Bound::total, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def total(self, hypotheses: object, references: object, threads: int, /)"
                     " -> tuple[numpy.typing.NDArray[typing.Any], int, int]"))
        .def("total_into", &Bound::total_into, "hypotheses"_a.none(), "references"_a.none(), "threads"_a, "sums"_a,
             nb::sig("def total_into(self, hypotheses: object, references: object, threads: int, sums: ExactRowSums, /) -> tuple[int, int]"))
        .def("one", &Bound::one, "hypothesis"_a.none(), "references"_a.none(),
             nb::sig("def one(self, hypothesis: object, references: object, /) -> tuple[float, tuple[typing.Any, ...], int]"))
        .def("values", &Bound::values, "rows"_a, "threads"_a)
        .def("prepare", &Bound::prepare, "references"_a.none(), "threads"_a)
        .def("pairwise", &Bound::pairwise, "hypotheses"_a, "references"_a, "threads"_a);
}

}  // namespace refscore::bindings

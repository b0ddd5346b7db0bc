// The code of InputScorer: loops over segments on several threads. Only the file that instantiates it includes this
// header.
#pragma once

#include <map>
#include <mutex>

#include "scoring.hpp"

namespace refscore::bindings {

// The memory of one().
template <class Input>
struct InputScorer<Input>::Single {
    LoadedBlock loaded;
    Reader reader;
    std::unique_ptr<ThreadKernel<Input>> kernel;
    std::vector<double> numbers;

    Single(const Rules& rules, const AnyKernel<Input>& any) : reader(rules), kernel(any.for_thread()) {}
};

// Reads all blocks of an input into one object. Each thread fills its own parts, which are then joined in order.
template <class All, class MakeEmpty, class MakeAdd>
All collect_parts(PythonInput& input, size_t threads, MakeEmpty make_empty, MakeAdd make_add) {
    std::map<size_t, All> parts;
    std::mutex lock;
    All all = make_empty();
    for_each_block(input, threads, [&] {
        return [&, add = make_add()](LoadedBlock& loaded) mutable {
            if (threads == 1) return add(all, loaded.block);
            All part = make_empty();
            add(part, loaded.block);
            std::lock_guard<std::mutex> guard(lock);
            parts.emplace(loaded.begin, std::move(part));
        };
    });
    without_gil([&] {
        for (auto& [begin, part] : parts) all.append(std::move(part));
    });
    return all;
}

template <class Input>
InputScorer<Input>::InputScorer(Rules rules, std::unique_ptr<const AnyKernel<Input>> kernel)
    : rules_(rules), kernel_(std::move(kernel)) {
    require(rules_.lines == kernel_->reads_lines(), "ROUGE-Lsum must split text into lines, and no other metric may");
}

template <class Input>
InputScorer<Input>::~InputScorer() {
    delete spare_.load();
}

template <class Input>
nb::tuple InputScorer<Input>::counted(nb::handle hypotheses, nb::handle references, size_t threads) const {
    return kernel_->has_counts() ? rows_of<int64_t>(hypotheses, references, threads)
                                 : rows_of<double>(hypotheses, references, threads);
}

template <class Input>
nb::tuple InputScorer<Input>::scores(nb::handle hypotheses, nb::handle references, size_t threads) const {
    return kernel_->has_counts() ? scores_of<int64_t>(hypotheses, references, threads)
                                 : scores_of<double>(hypotheses, references, threads);
}

template <class Input>
nb::tuple InputScorer<Input>::total(nb::handle hypotheses, nb::handle references, size_t threads) const {
    return kernel_->has_counts() ? total_of<int64_t>(hypotheses, references, threads)
                                 : total_of<double>(hypotheses, references, threads);
}

template <class Input>
nb::tuple InputScorer<Input>::total_into(nb::handle hypotheses, nb::handle references, size_t threads,
                                         ExactSums& sums) const {
    check_columns(sums.columns());
    require(sums.groups() == 1, "the sums must have one group");
    return kernel_->has_counts() ? total_into_of<int64_t>(hypotheses, references, threads, sums)
                                 : total_into_of<double>(hypotheses, references, threads, sums);
}

template <class Input>
nb::tuple InputScorer<Input>::one(nb::handle hypothesis, nb::handle references) const {
    return kernel_->has_counts() ? one_of<int64_t>(hypothesis, references) : one_of<double>(hypothesis, references);
}

template <class Input>
Array<double, 1> InputScorer<Input>::values(nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows,
                                            size_t threads) const {
    size_t size = rows.shape(0), columns = rows.shape(1);
    check_columns(columns);
    std::unique_ptr<double[]> scores(new double[size]);
    parallel_without_gil(size, threads, [&] {
        return [&, kernel = kernel_->for_thread()](size_t from, size_t to) {
            for (size_t i = from; i < to; ++i) scores[i] = kernel->value({rows.data() + i * columns, columns});
        };
    });
    return as_array<double, 1>(std::move(scores), {size});
}

template <class Input>
LazilyPrepared<typename Input::Prepared>* InputScorer<Input>::prepare(nb::handle references, size_t threads) const {
    PythonInput input(nb::handle(), references, rules_.lowercase);
    // Limits and the marks of alternatives are checked now, before any hypothesis is known.
    if (input.kind() == ItemKind::Text && !rules_.alternatives && !limits().any()) {
        TextStore texts = collect_parts<TextStore>(
            input, threads, [] { return TextStore(); },
            [&] { return [](TextStore& part, const Block& block) { part.add(block); }; });
        return new Prepared(std::move(texts), rules_);
    }
    Analysed analysed = collect_parts<Analysed>(
        input, threads, [&] { return Analysed(input.kind()); },
        [&] {
            return [reader = Reader(rules_)](Analysed& part, const Block& block) mutable { part.add(block, reader); };
        });
    limits().check_prepared(analysed);
    FirstRefused refused;
    for (size_t i = 0; i < analysed.size(); ++i) refused.watch(i, [&] { kernel_->check_references(analysed[i]); });
    refused.rethrow();
    return new Prepared(std::move(analysed));
}

template <class Input>
Array<double, 2> InputScorer<Input>::pairwise(nb::handle hypotheses, const Prepared& references, size_t threads) const {
    PythonInput input(hypotheses, nb::handle(), rules_.lowercase, references.kind());
    if (!references.takes(input.kind())) throw UnsupportedInput();
    size_t width = references.size();
    std::unique_ptr<double[]> scores(new double[input.size() * width]);
    const Analysed& known = analysed(references, threads);
    std::vector<List> lists = read(input, threads);
    if (kernel_->score_pairs(lists, known, threads, {scores.get(), input.size() * width}))
        return as_array<double, 2>(std::move(scores), {input.size(), width});
    FirstRefused refused;
    parallel_without_gil(input.size() * width, threads, [&] {
        return [&, reader = Reader(rules_), kernel = kernel_->for_thread(),
                row = std::vector<double>(kernel_->columns())](size_t from, size_t to) mutable {
            for (size_t pair = from; pair < to; ++pair) {
                auto chosen = known[pair % width];
                auto hypothesis = reader.hypothesis(lists[pair / width], chosen);
                refused.watch(pair % width, [&] { kernel->row(hypothesis, chosen, std::span(row)); });
                scores[pair] = kernel->value(row);
            }
        };
    });
    refused.rethrow();
    return as_array<double, 2>(std::move(scores), {input.size(), width});
}

template <class Input>
std::vector<typename Input::List> InputScorer<Input>::read(PythonInput& input, size_t threads) const {
    std::vector<List> lists(input.size());
    for_each_block(input, threads, [&] {
        return [&, reader = Reader(rules_)](LoadedBlock& loaded) mutable {
            for (size_t i = 0; i < loaded.block.size(); ++i)
                reader.read_hypothesis(loaded.block, i, lists[loaded.begin + i]);
        };
    });
    Limits most = limits();
    FirstRefused refused;
    for (size_t i = 0; i < lists.size(); ++i) refused.watch(i, [&] { most.check_hypothesis(lists[i]); });
    refused.rethrow();
    return lists;
}

// Returns a null handle for None if the metric needs no references. Otherwise None cannot be read.
template <class Input>
nb::handle InputScorer<Input>::without_none(nb::handle references) {
    return !Input::kNeedsReferences && references.is_none() ? nb::handle() : references;
}

template <class Input>
void InputScorer<Input>::require_fit(const Prepared& references) const {
    require(references.fits(rules_), "the references were prepared by a metric that reads text differently");
}

template <class Input>
const typename Input::Prepared& InputScorer<Input>::analysed(const Prepared& references, size_t threads) const {
    require_fit(references);
    const Analysed& known = references.analysed(threads);
    limits().check_prepared(known);
    return known;
}

template <class Input>
Limits InputScorer<Input>::limits() const {
    Limits current = Limits::current();
    current.sources = kernel_->sources();
    return current;
}

// Adds nothing if an exception is thrown.
template <class Input>
template <class T>
nb::tuple InputScorer<Input>::total_into_of(nb::handle hypotheses, nb::handle references, size_t threads,
                                            ExactSums& sums) const {
    std::forward_list<ThreadSum<T>> thread_sums;
    ReferenceCounts counts = sum_rows<T>(hypotheses, references, threads, thread_sums);
    // A thread's rows may not be finite, and then nothing must be added.
    ExactSums total(1, kernel_->columns());
    for (ThreadSum<T>& sum : thread_sums) sum.add_to(total);
    sums.merge(total);
    return nb::make_tuple(counts.least(), counts.most);
}

template <class Input>
template <class T>
nb::tuple InputScorer<Input>::total_of(nb::handle hypotheses, nb::handle references, size_t threads) const {
    std::forward_list<ThreadSum<T>> thread_sums;
    ReferenceCounts counts = sum_rows<T>(hypotheses, references, threads, thread_sums);
    size_t columns = kernel_->columns();
    std::unique_ptr<T[]> row(new T[columns]);
    ThreadSum<T>::write_total(thread_sums, std::span(row.get(), columns));
    return nb::make_tuple(as_array<T, 1>(std::move(row), {columns}), counts.least(), counts.most);
}

template <class Input>
template <class T>
ReferenceCounts InputScorer<Input>::sum_rows(nb::handle hypotheses, nb::handle references, size_t threads,
                                             std::forward_list<ThreadSum<T>>& thread_sums) const {
    std::mutex lock;
    for_each_row<T>(hypotheses, references, threads, [&] {
        std::lock_guard<std::mutex> guard(lock);
        ThreadSum<T>& sum = thread_sums.emplace_front(kernel_->columns());
        return [&sum](size_t, std::span<const T> row, size_t count) { sum.add(row, count); };
    });
    ReferenceCounts counts;
    for (const ThreadSum<T>& sum : thread_sums) counts.add(sum.counts());
    return counts;
}

// Calls visit(segment, row, number of references) for each segment. make_visit() creates the visitor of each thread.
template <class Input>
template <class T, class MakeVisit>
void InputScorer<Input>::for_each_row(nb::handle hypotheses, nb::handle references, size_t threads,
                                      MakeVisit make_visit) const {
    const Prepared* given = nb::isinstance<Prepared>(references) ? nb::inst_ptr<Prepared>(references) : nullptr;
    const TextStore* texts = nullptr;
    const Analysed* prepared = nullptr;
    if (given != nullptr) {
        PythonInput own(hypotheses, nb::handle(), rules_.lowercase, given->kind());
        if (given->size() != own.size() || !given->takes(own.kind())) throw UnsupportedInput();
        require_fit(*given);
        texts = given->use();
        if (texts == nullptr) prepared = &given->analysed(threads);
    }
    PythonInput input = given != nullptr ? PythonInput(hypotheses, nb::handle(), rules_.lowercase, given->kind(), texts)
                                         : PythonInput(hypotheses, without_none(references), rules_.lowercase);
    FirstRefused refused;
    Limits most = limits();
    auto work = [&] {
        return [&, reader = Reader(rules_), kernel = kernel_->for_thread(), row = std::vector<T>(kernel_->columns()),
                visit = make_visit()](LoadedBlock& loaded, size_t begin, size_t end) mutable {
            const Block& block = loaded.block;
            ReferencesOf<Input> chosen{};
            for (size_t i = begin; i < end; ++i) {
                if (i + 1 < end) prefetch(block, i + 1);
                if (prepared != nullptr && i + 1 < end) prepared->prefetch(loaded.begin + i + 1);
                if (prepared != nullptr) {
                    chosen = (*prepared)[loaded.begin + i];
                } else if (block.has_references() && (i == begin || !same_references(block, i, i - 1))) {
                    chosen = reader.references(block, i);
                }
                auto hypothesis = reader.hypothesis(block, i, chosen);
                refused.watch(loaded.begin + i, [&] {
                    most.check_references(chosen);
                    most.check_hypothesis(hypothesis);
                    kernel->row(hypothesis, chosen, std::span(row));
                });
                visit(loaded.begin + i, std::span<const T>(row), chosen.lengths.size());
            }
        };
    };
    for_each_piece(input, threads, cut_by_length, work);
    refused.rethrow();
}

template <class Input>
template <class T>
nb::tuple InputScorer<Input>::one_of(nb::handle hypothesis, nb::handle references) const {
    nb::tuple hypotheses = nb::make_tuple(hypothesis), entries = nb::make_tuple(references);
    bool has_references = without_none(references).is_valid();
    PythonInput input(hypotheses, has_references ? nb::handle(entries) : nb::handle(), rules_.lowercase);
    std::unique_ptr<Single> single(spare_.exchange(nullptr));
    if (!single) single = std::make_unique<Single>(rules_, *kernel_);
    const Block& block = single->loaded.block;
    input.load(0, 1, single->loaded);
    std::vector<T> row(kernel_->columns());
    double value = 0;
    size_t count = 0;
    Limits most = limits();
    auto score = [&] {
        ReferencesOf<Input> chosen{};
        if (block.has_references()) chosen = single->reader.references(block, 0);
        count = chosen.lengths.size();
        auto read = single->reader.hypothesis(block, 0, chosen);
        most.check_references(chosen);
        most.check_hypothesis(read);
        try {
            single->kernel->row(read, chosen, std::span(row));
        } catch (const EmptyReference& empty) {
            throw EmptyReferenceAt(0, empty.reference);
        }
        single->numbers.assign(row.begin(), row.end());
        value = single->kernel->value(single->numbers);
    };
    // Characters and ids. Releasing the GIL takes as long as scoring a few words: two long sentences are scored in
    // microseconds.
    auto is_at_most = [&](size_t most_size) {
        size_t size = 0;
        for (const TextView& text : block.texts) size += text.size;
        for (const IdView& ids : block.ids) size += ids.size;
        return size <= most_size;
    };
    if (is_at_most(512)) {
        score();
    } else {
        without_gil(score);
    }
    single->loaded.release();
    if (is_at_most(4096)) single.reset(spare_.exchange(single.release()));
    nb::object columns = steal_checked(PyTuple_New(static_cast<Py_ssize_t>(row.size())));
    for (size_t c = 0; c < row.size(); ++c) set_tuple_item(columns.ptr(), c, nb::cast(row[c]));
    return nb::make_tuple(value, columns, count);
}

// Computes each score from its row immediately: rows take ten times the memory of scores.
template <class Input>
template <class T>
nb::tuple InputScorer<Input>::scores_of(nb::handle hypotheses, nb::handle references, size_t threads) const {
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
        return [&, counts = std::make_unique<ThreadCounts>(all, lock), kernel = kernel_->for_thread(),
                numbers = std::vector<double>(kernel_->columns())](size_t segment, std::span<const T> row,
                                                                   size_t count) mutable {
            counts->add({count, count});
            std::copy(row.begin(), row.end(), numbers.begin());
            scores[segment] = kernel->value(numbers);
        };
    });
    return nb::make_tuple(as_array<double, 1>(std::move(scores), {size}), all.least(), all.most);
}

template <class Input>
template <class T>
nb::tuple InputScorer<Input>::rows_of(nb::handle hypotheses, nb::handle references, size_t threads) const {
    size_t size = PythonInput(hypotheses, nb::handle(), rules_.lowercase).size(), columns = kernel_->columns();
    std::unique_ptr<T[]> rows(new T[size * columns]);
    std::vector<size_t> counts(size);
    for_each_row<T>(hypotheses, references, threads, [&] {
        return [&](size_t segment, std::span<const T> row, size_t count) {
            std::copy(row.begin(), row.end(), rows.get() + segment * columns);
            counts[segment] = count;
        };
    });
    size_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    size_t least = most == 0 ? 0 : *std::min_element(counts.begin(), counts.end());
    return nb::make_tuple(as_array<T, 2>(std::move(rows), {size, columns}), least, most);
}

// Binds the base class of the scorers that read this kind of input.
template <class Input>
void bind_input_scorer(nb::module_& m, const char* name) {
    using namespace nb::literals;
    using Bound = InputScorer<Input>;
    nb::class_<Bound>(m, name)
        .def("counted", &Bound::counted, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def counted(self, hypotheses: object, references: object, threads: int, /)"
                     " -> tuple[numpy.typing.NDArray[typing.Any], int, int]"))
        .def("scores", &Bound::scores, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def scores(self, hypotheses: object, references: object, threads: int, /)"
                     " -> tuple[numpy.typing.NDArray[numpy.float64], int, int]"))
        .def("total", &Bound::total, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def total(self, hypotheses: object, references: object, threads: int, /)"
                     " -> tuple[numpy.typing.NDArray[typing.Any], int, int]"))
        .def("total_into", &Bound::total_into, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             "sums"_a.lock(),
             nb::sig("def total_into(self, hypotheses: object, references: object, threads: int, sums: ExactRowSums, "
                     "/) -> tuple[int, int]"))
        .def("one", &Bound::one, "hypothesis"_a.none(), "references"_a.none(),
             nb::sig("def one(self, hypothesis: object, references: object, /) -> tuple[float, tuple[typing.Any, ...], "
                     "int]"))
        .def("values", &Bound::values, "rows"_a, "threads"_a)
        .def("prepare", &Bound::prepare, "references"_a.none(), "threads"_a)
        .def("pairwise", &Bound::pairwise, "hypotheses"_a, "references"_a, "threads"_a);
}

}  // namespace refscore::bindings

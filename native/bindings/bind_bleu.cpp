#include "bind.hpp"

#include <nanobind/stl/vector.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "arrays.hpp"
#include "python_input.hpp"
#include "refscore/bleu.hpp"
#include "refscore/chunk_queue.hpp"
#include "refscore/parallel.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

// Takes the GIL back at the end, unless the interpreter is being taken down meanwhile. Python would then end the thread by
// unwinding its stack, through C++ that cannot be unwound; so the thread stays here until the process is gone.
class ReleasedGil {
  public:
    ReleasedGil() : state_(PyEval_SaveThread()) {}
    ReleasedGil(const ReleasedGil&) = delete;
    ~ReleasedGil() {
        if (is_finalizing()) stay();
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {
            stay();
        }
    }

  private:
    static bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030d0000
        return Py_IsFinalizing() != 0;
#else
        return _Py_IsFinalizing() != 0;
#endif
    }
    [[noreturn]] static void stay() {
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    PyThreadState* state_;
};

template <class Work>
void without_gil(Work work) {
    ReleasedGil released;
    work();
}

// Calls make() once per thread for its worker, and worker(block) for all blocks of the input, without the GIL.
template <class Make>
void for_each_block(const PythonInput& input, size_t threads, Make make) {
    constexpr size_t kSegments = 64;
    auto load = [&](size_t i, LoadedBlock& block) { input.load(i * kSegments, std::min((i + 1) * kSegments, input.size()), block); };
    process_chunks<LoadedBlock>((input.size() + kSegments - 1) / kSegments, threads, load, [](auto work) { without_gil(work); }, make);
}

// One thread's room for rows.
struct RowMaker {
    const BleuSettings& settings;
    Numberer numberer;
    NgramCounter counter;

    RowMaker(const BleuSettings& settings, Tokenizer tokenizer) : settings(settings), numberer(tokenizer) {}

    // `segment` counts from the block's beginning, `first` is where the block begins among the prepared references.
    size_t row(const Block& block, size_t segment, const PreparedReferences* prepared, size_t first, int64_t* out) {
        NumberedReferences references = prepared != nullptr ? (*prepared)[first + segment] : numberer.references(block, segment);
        bleu_row(settings, numberer.hypothesis(block, segment, references.vocabulary), references, counter, out);
        return references.lengths.size();
    }
};

template <class T>
struct Sums {
    std::vector<T> row;
    size_t fewest = SIZE_MAX, most = 0;  // references of a segment

    explicit Sums(size_t columns) : row(columns) {}
    void add(const T* other, size_t other_fewest, size_t other_most) {
        for (size_t c = 0; c < row.size(); ++c) row[c] += other[c];
        fewest = std::min(fewest, other_fewest);
        most = std::max(most, other_most);
    }
    nb::tuple as_tuple() const {
        std::unique_ptr<T[]> copy(new T[row.size()]);
        std::copy(row.begin(), row.end(), copy.get());
        return nb::make_tuple(as_array<T, 1>(std::move(copy), {row.size()}), most == 0 ? 0 : fewest, most);
    }
};

// Sums some rows on its own, and adds them to the whole at the end: the order does not matter for integers.
struct Summing {
    Sums<int64_t> own;
    Sums<int64_t>& whole;
    std::mutex& lock;

    void operator()(size_t, const int64_t* row, size_t references) { own.add(row, references, references); }
    ~Summing() {
        std::lock_guard<std::mutex> guard(lock);
        whole.add(own.row.data(), own.fewest, own.most);
    }
};

struct Bleu {
    BleuSettings settings;
    Tokenizer tokenizer;

    void check_columns(size_t found) const {
        if (found != settings.columns()) throw nb::value_error("a row has another number of columns than the metric");
    }

    bool averages() const { return settings.reference_length == ReferenceLength::Total; }

    // Calls visit(segment, row, number of references) for each segment, from several threads; visit is made anew, by
    // make_visit(), for each short range of segments.
    template <class MakeVisit>
    void for_each_row(nb::handle hypotheses, nb::handle references, size_t threads, MakeVisit make_visit) const {
        const PreparedReferences* prepared =
            nb::isinstance<PreparedReferences>(references) ? nb::inst_ptr<PreparedReferences>(references) : nullptr;
        PythonInput input = prepared != nullptr ? PythonInput(hypotheses, nb::handle(), prepared->kind()) : PythonInput(hypotheses, references);
        if (prepared != nullptr && (prepared->size() != input.size() || !prepared->takes(input.kind()))) throw NotPlain();
        auto work = [&] {
            return [&, maker = RowMaker(settings, tokenizer), row = std::vector<int64_t>(settings.columns())](LoadedBlock& loaded) mutable {
                auto visit = make_visit();
                for (size_t i = 0; i < loaded.block.size(); ++i) {
                    if (i + 1 < loaded.block.size()) prefetch(loaded.block, i + 1);
                    size_t count = maker.row(loaded.block, i, prepared, loaded.begin, row.data());
                    visit(loaded.begin + i, row.data(), count);
                }
            };
        };
        for_each_block(input, threads, work);
    }

    // Also writes each segment's number of references to `counts`, unless it is null.
    template <class T>
    Array<T, 2> rows_of(nb::handle hypotheses, nb::handle references, size_t threads, std::vector<size_t>* counts) const {
        size_t size = PythonInput(hypotheses, nb::handle()).size(), columns = settings.columns();
        std::unique_ptr<T[]> made(new T[size * columns]);
        if (counts != nullptr) counts->resize(size);
        for_each_row(hypotheses, references, threads, [&] {
            return [&](size_t segment, const int64_t* row, size_t count) {
                T* to = made.get() + segment * columns;
                std::copy(row, row + columns, to);
                if (averages()) to[1] /= static_cast<T>(count);
                if (counts != nullptr) (*counts)[segment] = count;
            };
        });
        return as_array<T, 2>(std::move(made), {size, columns});
    }

    // Fractions are summed in the order of the segments, so that the sum does not depend on the threads.
    nb::tuple mean_total(nb::handle hypotheses, nb::handle references, size_t threads) const {
        std::vector<size_t> counts;
        Array<double, 2> rows = rows_of<double>(hypotheses, references, threads, &counts);
        Sums<double> sums(settings.columns());
        for (size_t i = 0; i < counts.size(); ++i) sums.add(rows.data() + i * settings.columns(), counts[i], counts[i]);
        return sums.as_tuple();
    }

    // int64, or double where the reference length is an average.
    AnyArray<2> rows(nb::handle hypotheses, nb::handle references, size_t threads) const {
        if (averages()) return AnyArray<2>(rows_of<double>(hypotheses, references, threads, nullptr));
        return AnyArray<2>(rows_of<int64_t>(hypotheses, references, threads, nullptr));
    }

    // The summed row, the smallest and the largest number of references.
    nb::tuple total(nb::handle hypotheses, nb::handle references, size_t threads) const {
        size_t columns = settings.columns();
        if (averages()) return mean_total(hypotheses, references, threads);
        Sums<int64_t> sums(columns);
        std::mutex lock;
        for_each_row(hypotheses, references, threads, [&] { return Summing{Sums<int64_t>(columns), sums, lock}; });
        return sums.as_tuple();
    }

    Array<double, 1> values(nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows, size_t threads) const {
        size_t size = rows.shape(0), columns = rows.shape(1);
        check_columns(columns);
        std::unique_ptr<double[]> made(new double[size]);
        without_gil([&] {
            parallel_for(size, threads, [&] {
                return [&, parts = BleuParts()](size_t from, size_t to) mutable {
                    for (size_t i = from; i < to; ++i) {
                        bleu_score(settings, rows.data() + i * columns, parts);
                        made[i] = parts.value;
                    }
                };
            });
        });
        return as_array<double, 1>(std::move(made), {size});
    }

    // value, brevity penalty, precisions
    nb::tuple parts(nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> row) const {
        check_columns(row.shape(0));
        BleuParts parts;
        bleu_score(settings, row.data(), parts);
        return nb::make_tuple(parts.value, parts.brevity_penalty, nb::tuple(nb::cast(parts.precisions)));
    }

    PreparedReferences prepare(nb::handle references) const {
        PythonInput input(nb::handle(), references);
        PreparedReferences prepared(input.kind());
        for_each_block(input, 1, [&] {
            return [&, numberer = Numberer(tokenizer)](LoadedBlock& loaded) mutable { prepared.add(loaded.block, numberer); };
        });
        prepared.finish();
        return prepared;
    }

    // Each hypothesis with each segment of references.
    Array<double, 2> pairwise(nb::handle hypotheses, const PreparedReferences& references, size_t threads) const {
        PythonInput input(hypotheses, nb::handle(), references.kind());
        if (!references.takes(input.kind())) throw NotPlain();
        size_t width = references.size();
        std::unique_ptr<double[]> made(new double[input.size() * width]);
        std::vector<TokenList> lists(input.size());
        for_each_block(input, 1, [&] {
            return [&, reader = Numberer(tokenizer)](LoadedBlock& loaded) mutable {
                for (size_t i = 0; i < loaded.block.size(); ++i) reader.read_hypothesis(loaded.block, i, lists[loaded.begin + i]);
            };
        });
        without_gil([&] {
            parallel_for(input.size() * width, threads, [&] {
                return [&, maker = RowMaker(settings, tokenizer), row = std::vector<int64_t>(settings.columns()),
                        exact = std::vector<double>(settings.columns()), parts = BleuParts()](size_t from, size_t to) mutable {
                    for (size_t pair = from; pair < to; ++pair) {
                        NumberedReferences chosen = references[pair % width];
                        bleu_row(settings, maker.numberer.hypothesis(lists[pair / width], chosen.vocabulary), chosen, maker.counter, row.data());
                        std::copy(row.begin(), row.end(), exact.begin());
                        if (averages()) exact[1] /= static_cast<double>(chosen.lengths.size());
                        bleu_score(settings, exact.data(), parts);
                        made[pair] = parts.value;
                    }
                };
            });
        });
        return as_array<double, 2>(std::move(made), {input.size(), width});
    }
};

}  // namespace

void bind_bleu(nb::module_& m) {
    nb::enum_<Smoothing>(m, "Smoothing")
        .value("none", Smoothing::None)
        .value("exp", Smoothing::Exp)
        .value("floor", Smoothing::Floor)
        .value("add_k", Smoothing::AddK)
        .value("floor_segments", Smoothing::FloorSegments)
        .value("add_k_all", Smoothing::AddKAll)
        .value("nltk_0", Smoothing::Nltk0)
        .value("nltk_1", Smoothing::Nltk1)
        .value("nltk_2", Smoothing::Nltk2)
        .value("nltk_3", Smoothing::Nltk3)
        .value("nltk_4", Smoothing::Nltk4)
        .value("nltk_5", Smoothing::Nltk5)
        .value("nltk_6", Smoothing::Nltk6)
        .value("nltk_7", Smoothing::Nltk7);
    nb::enum_<ReferenceLength>(m, "ReferenceLength")
        .value("closest", ReferenceLength::Closest)
        .value("closest_first", ReferenceLength::ClosestFirst)
        .value("shortest", ReferenceLength::Shortest)
        .value("average", ReferenceLength::Total);
    nb::enum_<ShortOrder>(m, "ShortOrder")
        .value("zero", ShortOrder::Zero)
        .value("pad", ShortOrder::Pad)
        .value("perfect", ShortOrder::Perfect);
    nb::class_<Bleu>(m, "Bleu")
        .def(
            "__init__",
            [](Bleu* self, Tokenizer tokenizer, size_t max_order, std::vector<double> weights, Smoothing smoothing, double smoothing_value,
               bool effective_order, ReferenceLength reference_length, ShortOrder short_order, bool require_match) {
                new (self) Bleu{{max_order, std::move(weights), smoothing, smoothing_value, effective_order, reference_length, short_order,
                                 require_match},
                                tokenizer};
            },
            nb::kw_only(), "tokenizer"_a, "max_order"_a, "weights"_a, "smoothing"_a, "smoothing_value"_a, "effective_order"_a,
            "reference_length"_a, "short_order"_a, "require_match"_a)
        .def("rows", &Bleu::rows, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def rows(self, hypotheses: object, references: object, threads: int, /) -> numpy.typing.NDArray[typing.Any]"))
        .def("total", &Bleu::total, "hypotheses"_a.none(), "references"_a.none(), "threads"_a,
             nb::sig("def total(self, hypotheses: object, references: object, threads: int, /)"
                     " -> tuple[numpy.typing.NDArray[typing.Any], int, int]"))
        .def("values", &Bleu::values, "rows"_a, "threads"_a)
        .def("parts", &Bleu::parts,
             nb::sig("def parts(self, row: numpy.typing.NDArray[numpy.float64], /) -> tuple[float, float, tuple[float, ...]]"))
        .def("prepare", &Bleu::prepare, "references"_a.none())
        .def("pairwise", &Bleu::pairwise, "hypotheses"_a, "references"_a, "threads"_a);
}

}  // namespace refscore::bindings

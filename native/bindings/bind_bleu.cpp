#include "bind.hpp"

#include "bleu_settings.hpp"
#include "collecting.hpp"
#include "refscore/ngrams/bleu_pairs.hpp"
#include "refscore/ngrams/diversity.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct BleuKernel {
    using Input = TokenInput;
    struct Scratch {
        NgramCounter counter;
        std::vector<int64_t> counts;
        BleuParts parts;
    };
    using Pairs = BleuPairs;
    static constexpr bool kCounts = true;

    BleuSettings settings;

    void read(const Settings& read) { read_bleu_settings(read, settings); }
    size_t columns() const { return settings.columns(); }
    // A mean reference length is a fraction.
    bool has_counts() const { return settings.reference_length != ReferenceLength::Total; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<int64_t> out) const {
        bleu_row(settings, hypothesis, references, scratch.counter, out);
    }
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        scratch.counts.resize(columns());
        row(scratch, hypothesis, references, std::span(scratch.counts));
        std::copy(scratch.counts.begin(), scratch.counts.end(), out.begin());
        if (!has_counts()) out[1] /= static_cast<double>(references.lengths.size());
    }
    double value(Scratch& scratch, std::span<const double> row) const {
        bleu_score(settings, row, scratch.parts);
        return scratch.parts.value;
    }
};

// value, brevity penalty, precisions
nb::tuple bleu_parts(const Scorer<BleuKernel>& scorer,
                     nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> row) {
    scorer.check_columns(row.shape(0));
    BleuParts parts;
    bleu_score(scorer.kernel().settings, {row.data(), row.size()}, parts);
    return nb::make_tuple(parts.value, parts.brevity_penalty, nb::tuple(nb::cast(parts.precisions)));
}

Array<double, 1> bleu_percents(const Scorer<BleuKernel>& scorer,
                               nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows) {
    scorer.check_columns(rows.shape(1));
    size_t size = rows.shape(0), columns = rows.shape(1);
    std::unique_ptr<double[]> percents(new double[size]);
    without_gil([&] {
        BleuParts parts;
        for (size_t i = 0; i < size; ++i)
            percents[i] = bleu_percent(scorer.kernel().settings, {rows.data() + i * columns, columns}, parts);
    });
    return as_array<double, 1>(std::move(percents), {size});
}

// Returns the row of each generation with all others as its references, or no rows if there are no others.
AnyArray<2> leave_one_out(const Scorer<BleuKernel>& scorer, nb::handle generations, size_t threads) {
    const BleuSettings& settings = scorer.kernel().settings;
    CollectedTexts texts =
        collect(PythonInput(generations, nb::handle(), scorer.rules().lowercase), scorer.rules(), threads);
    size_t size = texts.collection.size(), columns = settings.columns();
    if (size < 2) size = 0;
    std::unique_ptr<int64_t[]> rows(new int64_t[size * columns]);
    if (size > 0)
        without_gil([&] {
            leave_one_out_rows(settings, texts.collection, texts.lexicon.size(), threads, {rows.get(), size * columns});
        });
    if (scorer.kernel().has_counts()) return AnyArray<2>(as_array<int64_t, 2>(std::move(rows), {size, columns}));
    std::unique_ptr<double[]> fractions(new double[size * columns]);
    std::copy(rows.get(), rows.get() + size * columns, fractions.get());
    for (size_t i = 0; i < size; ++i) fractions[i * columns + 1] /= static_cast<double>(size - 1);
    return AnyArray<2>(as_array<double, 2>(std::move(fractions), {size, columns}));
}

}  // namespace

void bind_bleu(nb::module_& m) {
    bind_scorer<BleuKernel>(m, "Bleu")
        .def(
            "aggregate",
            [](const Scorer<BleuKernel>& self, nb::handle hypotheses,
               const LazilyPrepared<PreparedReferences>& references,
               const WeightArray& weights) { return self.aggregate(hypotheses, references, weights, &bleu_with_all); },
            "hypotheses"_a, "references"_a, "weights"_a)
        .def("leave_one_out", &leave_one_out, "generations"_a, "threads"_a,
             nb::sig(
                 "def leave_one_out(self, generations: object, threads: int, /) -> numpy.typing.NDArray[typing.Any]"))
        .def("percents", &bleu_percents, "rows"_a)
        .def("parts", &bleu_parts,
             nb::sig("def parts(self, row: numpy.typing.NDArray[numpy.float64], /) -> tuple[float, float, tuple[float, "
                     "...]]"));
}

}  // namespace refscore::bindings

#include "bind.hpp"

#include <nanobind/stl/vector.h>

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

    size_t columns() const { return settings.columns(); }
    // A mean reference length is a fraction.
    bool has_counts() const { return settings.reference_length != ReferenceLength::Total; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             int64_t* out) const {
        bleu_row(settings, hypothesis, references, scratch.counter, out);
    }
    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             double* out) const {
        scratch.counts.resize(columns());
        row(scratch, hypothesis, references, scratch.counts.data());
        std::copy(scratch.counts.begin(), scratch.counts.end(), out);
        if (!has_counts()) out[1] /= static_cast<double>(references.lengths.size());
    }
    double value(Scratch& scratch, const double* row) const {
        bleu_score(settings, row, scratch.parts);
        return scratch.parts.value;
    }
};

// value, brevity penalty, precisions
nb::tuple bleu_parts(const Scorer<BleuKernel>& scorer,
                     nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> row) {
    scorer.check_columns(row.shape(0));
    BleuParts parts;
    bleu_score(scorer.kernel().settings, row.data(), parts);
    return nb::make_tuple(parts.value, parts.brevity_penalty, nb::tuple(nb::cast(parts.precisions)));
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
        without_gil([&] { leave_one_out_rows(settings, texts.collection, texts.lexicon.size(), threads, rows.get()); });
    if (scorer.kernel().has_counts()) return AnyArray<2>(as_array<int64_t, 2>(std::move(rows), {size, columns}));
    std::unique_ptr<double[]> fractions(new double[size * columns]);
    std::copy(rows.get(), rows.get() + size * columns, fractions.get());
    for (size_t i = 0; i < size; ++i) fractions[i * columns + 1] /= static_cast<double>(size - 1);
    return AnyArray<2>(as_array<double, 2>(std::move(fractions), {size, columns}));
}

}  // namespace

void bind_bleu(nb::module_& m) {
    nb::enum_<Smoothing>(m, "Smoothing")
        .value("none", Smoothing::None)
        .value("exp", Smoothing::Exp)
        .value("floor", Smoothing::Floor)
        .value("add_k", Smoothing::AddK)
        .value("floor_segments", Smoothing::FloorSegments)
        .value("add_k_all", Smoothing::AddKAll)
        .value("coco", Smoothing::Coco)
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
    nb::enum_<RequireMatch>(m, "RequireMatch")
        .value("nothing", RequireMatch::Nothing)
        .value("token", RequireMatch::Token)
        .value("every_order", RequireMatch::EveryOrder);
    bind_scorer<BleuKernel>(m, "Bleu")
        .def(
            "__init__",
            [](Scorer<BleuKernel>* self, TextRules rules, size_t max_order, std::vector<double> weights,
               Smoothing smoothing, double smoothing_value, bool effective_order, ReferenceLength reference_length,
               ShortOrder short_order, RequireMatch require_match) {
                BleuSettings settings{max_order,       std::move(weights), smoothing,   smoothing_value,
                                      effective_order, reference_length,   short_order, require_match};
                new (self) Scorer<BleuKernel>(rules, {std::move(settings)});
            },
            nb::kw_only(), "rules"_a, "max_order"_a, "weights"_a, "smoothing"_a, "smoothing_value"_a,
            "effective_order"_a, "reference_length"_a, "short_order"_a, "require_match"_a)
        .def(
            "aggregate",
            [](const Scorer<BleuKernel>& self, nb::handle hypotheses,
               const LazilyPrepared<PreparedReferences>& references,
               const WeightArray& weights) { return self.aggregate(hypotheses, references, weights, &bleu_with_all); },
            "hypotheses"_a, "references"_a, "weights"_a)
        .def("leave_one_out", &leave_one_out, "generations"_a, "threads"_a,
             nb::sig(
                 "def leave_one_out(self, generations: object, threads: int, /) -> numpy.typing.NDArray[typing.Any]"))
        .def("parts", &bleu_parts,
             nb::sig("def parts(self, row: numpy.typing.NDArray[numpy.float64], /) -> tuple[float, float, tuple[float, "
                     "...]]"));
}

}  // namespace refscore::bindings

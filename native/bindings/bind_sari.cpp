#include "bind.hpp"

#include <nanobind/stl/array.h>

#include <array>

#include "refscore/ngrams/sari.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<SariCounting> {
    using enum SariCounting;
    static constexpr Name<SariCounting> kAll[] = {{Counts, "counts"}, {Ratios, "ratios"}, {Sets, "sets"}};
};
template <>
struct Names<SariDeletion> {
    using enum SariDeletion;
    static constexpr Name<SariDeletion> kAll[] = {{F1, "f1"}, {Precision, "precision"}};
};
template <>
struct Names<SariOrderAverage> {
    using enum SariOrderAverage;
    static constexpr Name<SariOrderAverage> kAll[] = {{Scores, "scores"}, {Precisions, "precisions"}};
};
template <>
struct Names<SariAverage> {
    using enum SariAverage;
    static constexpr Name<SariAverage> kAll[] = {{Corpus, "corpus"}, {Segments, "segments"}};
};
template <>
struct Names<SariUndefined> {
    using enum SariUndefined;
    static constexpr Name<SariUndefined> kAll[] = {{Zero, "zero"}, {One, "one"}};
};
template <>
struct Names<SariEmptyText> {
    using enum SariEmptyText;
    static constexpr Name<SariEmptyText> kAll[] = {{Nothing, "nothing"}, {Token, "token"}};
};

namespace {

using namespace nb::literals;

struct SariKernel {
    using Input = TextInput;
    using Scratch = Sari;
    static constexpr bool kCounts = true;
    static constexpr size_t kSources = 1;

    SariSettings settings;

    void read(const Settings& read) {
        read("max_order", settings.max_order);
        read("counting", settings.counting);
        read("keep_recall", settings.keep_recall);
        read("undefined", settings.undefined);
        read("deletion", settings.deletion);
        read("order_average", settings.order_average);
        read("average", settings.average);
        read("empty_text", settings.empty_text);
    }
    size_t columns() const { return settings.columns(); }
    bool has_counts() const { return settings.has_counts(); }

    template <class T>
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        scratch.row(settings, hypothesis.texts, hypothesis.numbers, references, out);
    }
    double value(Scratch& scratch, std::span<const double> row) const { return scratch.value(settings, row); }
};

}  // namespace

void bind_sari(nb::module_& m) {
    bind_scorer<SariKernel>(m, "Sari").def(
        "operation_scores",
        [](const Scorer<SariKernel>& self,
           const nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& row) {
            self.check_columns(row.size());
            std::array<double, kSariOperations> scores{};
            Sari().operation_scores(self.kernel().settings, {row.data(), row.size()}, scores);
            return scores;
        },
        "row"_a, "Returns the scores of keep, delete and add.");
}

}  // namespace refscore::bindings

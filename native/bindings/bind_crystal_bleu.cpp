#include "bind.hpp"

#include <nanobind/stl/shared_ptr.h>

#include "bleu_settings.hpp"
#include "collecting.hpp"
#include "refscore/ngrams/crystal_bleu.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct CrystalBleuKernel {
    using Input = TextInput;
    struct Scratch {
        CrystalBleu crystal_bleu;
        std::vector<int64_t> counts;
        BleuParts parts;
    };
    static constexpr bool kCounts = true;

    BleuSettings settings;
    std::shared_ptr<const FrequentNgrams> ignored;

    void read(const Settings& read) {
        read_bleu_settings(read, settings);
        require(settings.counted_orders() <= NgramCounter::kMostMarked,
                "CrystalBLEU counts n-grams of at most 64 tokens");
        read("native_weights", ignored);
    }
    size_t columns() const { return settings.columns(); }
    // A mean reference length is a fraction.
    bool has_counts() const { return settings.reference_length != ReferenceLength::Total; }

    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<int64_t> out) const {
        scratch.crystal_bleu.row(settings, *ignored, hypothesis, references, out);
    }
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
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

std::shared_ptr<FrequentNgrams> fit_frequent_ngrams(nb::handle references, const TextRules& rules, size_t max_order,
                                                    size_t most) {
    PythonInput input(nb::handle(), references, rules.lowercase);
    CollectedTexts texts = collect(input, rules, 1);
    std::shared_ptr<FrequentNgrams> ngrams;
    without_gil([&] {
        ngrams = std::make_shared<FrequentNgrams>(texts.lexicon, texts.collection, max_order, most,
                                                  input.kind() == ItemKind::Ids);
    });
    return ngrams;
}

// value, brevity penalty, precisions
nb::tuple crystal_bleu_parts(const Scorer<CrystalBleuKernel>& scorer,
                             nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> row) {
    scorer.check_columns(row.shape(0));
    BleuParts parts;
    bleu_score(scorer.kernel().settings, {row.data(), row.size()}, parts);
    return nb::make_tuple(parts.value, parts.brevity_penalty, nb::tuple(nb::cast(parts.precisions)));
}

}  // namespace

void bind_crystal_bleu(nb::module_& m) {
    nb::class_<FrequentNgrams>(m, "FrequentNgrams")
        .def_static("fit", &fit_frequent_ngrams, "references"_a, "rules"_a, "max_order"_a, "most"_a)
        .def_static(
            "from_bytes",
            [](nb::bytes bytes) { return std::make_shared<FrequentNgrams>(std::span(bytes.c_str(), bytes.size())); })
        .def("to_bytes",
             [](const FrequentNgrams& self) {
                 std::string bytes = self.bytes();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("weight", &ngram_weight<FrequentNgrams>, "ngram"_a)
        .def_prop_ro("max_order", &FrequentNgrams::max_order)
        .def("__len__", &FrequentNgrams::size);
    bind_scorer<CrystalBleuKernel>(m, "CrystalBleu")
        .def("parts", &crystal_bleu_parts,
             nb::sig("def parts(self, row: numpy.typing.NDArray[numpy.float64], /) -> tuple[float, float, tuple[float, "
                     "...]]"));
}

}  // namespace refscore::bindings

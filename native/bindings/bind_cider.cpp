#include "bind.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "collecting.hpp"
#include "refscore/ngrams/cider.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct CiderKernel {
    using Input = TextInput;
    using Scratch = Cider;
    static constexpr bool kCounts = false;

    CiderSettings settings;
    std::shared_ptr<const DocumentFrequencies> frequencies;

    void read(const Settings& read) {
        read("clip", settings.clip);
        read("sigma", settings.sigma);
        read("native_weights", frequencies);
    }
    size_t columns() const { return Cider::columns(frequencies->max_order()); }

    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        scratch.row(settings, *frequencies, hypothesis, references, out);
    }
    double value(Scratch&, std::span<const double> row) const { return Cider::value(frequencies->max_order(), row); }
};

std::shared_ptr<DocumentFrequencies> fit_frequencies(nb::handle references, const TextRules& rules, size_t max_order) {
    PythonInput input(nb::handle(), references, rules.lowercase);
    CollectedTexts texts = collect(input, rules, 1);
    std::shared_ptr<DocumentFrequencies> frequencies;
    without_gil([&] {
        frequencies =
            std::make_shared<DocumentFrequencies>(std::move(texts.lexicon), std::move(texts.collection), texts.segments,
                                                  input.size(), max_order, input.kind() == ItemKind::Ids);
    });
    return frequencies;
}

// Returns the frequencies of n-grams, which are lists of tokens.
std::shared_ptr<DocumentFrequencies> from_ngrams(nb::handle ngrams, std::vector<uint32_t> frequencies,
                                                 uint64_t documents, size_t max_order) {
    PythonInput input(ngrams, nb::handle(), Lowercase::None);
    CollectedTexts texts = collect(input, {}, 1);
    std::shared_ptr<DocumentFrequencies> made;
    without_gil([&] {
        made = std::make_shared<DocumentFrequencies>(
            DocumentFrequencies::of_ngrams(std::move(texts.lexicon), std::move(texts.collection), frequencies,
                                           documents, max_order, input.kind() == ItemKind::Ids));
    });
    return made;
}

}  // namespace

void bind_cider(nb::module_& m) {
    nb::class_<DocumentFrequencies>(m, "DocumentFrequencies")
        .def_static("fit", &fit_frequencies, "references"_a, "rules"_a, "max_order"_a)
        .def_static("from_ngrams", &from_ngrams, "ngrams"_a, "frequencies"_a, "documents"_a, "max_order"_a)
        .def_static("from_bytes",
                    [](nb::bytes bytes) {
                        return std::make_shared<DocumentFrequencies>(std::span(bytes.c_str(), bytes.size()));
                    })
        .def("to_bytes",
             [](const DocumentFrequencies& self) {
                 std::string bytes = self.bytes();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("weight", &ngram_weight<DocumentFrequencies>, "ngram"_a)
        .def_prop_ro("documents", &DocumentFrequencies::documents)
        .def_prop_ro("max_order", &DocumentFrequencies::max_order)
        .def("__len__", &DocumentFrequencies::size);
    bind_scorer<CiderKernel>(m, "Cider");
}

}  // namespace refscore::bindings

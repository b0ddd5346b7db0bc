#include "bind.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "collecting.hpp"
#include "refscore/ngrams/nist.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct NistKernel {
    using Input = TokenInput;
    struct Scratch {
        Nist nist;
        NistParts parts;
    };
    static constexpr bool kCounts = false;

    std::shared_ptr<const NistInformation> information;

    void read(const Settings& read) { read("native_weights", information); }
    size_t columns() const { return Nist::columns(information->max_order()); }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        scratch.nist.row(*information, hypothesis, references, out);
    }
    double value(Scratch& scratch, std::span<const double> row) const {
        nist_score(information->max_order(), row, scratch.parts);
        return scratch.parts.value;
    }
};

std::shared_ptr<NistInformation> fit_information(nb::handle references, const TextRules& rules, size_t max_order) {
    PythonInput input(nb::handle(), references, rules.lowercase);
    CollectedTexts texts = collect(input, rules, 1);
    std::shared_ptr<NistInformation> information;
    without_gil([&] {
        information = std::make_shared<NistInformation>(std::move(texts.lexicon), std::move(texts.collection),
                                                        max_order, input.kind() == ItemKind::Ids);
    });
    return information;
}

nb::tuple nist_parts(const Scorer<NistKernel>& scorer,
                     nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> row) {
    scorer.check_columns(row.shape(0));
    NistParts parts;
    nist_score(scorer.kernel().information->max_order(), {row.data(), row.size()}, parts);
    return nb::make_tuple(parts.value, parts.length_penalty, nb::tuple(nb::cast(parts.information)));
}

}  // namespace

void bind_nist(nb::module_& m) {
    nb::class_<NistInformation>(m, "NistInformation")
        .def_static("fit", &fit_information, "references"_a, "rules"_a, "max_order"_a)
        .def_static(
            "from_bytes",
            [](nb::bytes bytes) { return std::make_shared<NistInformation>(std::span(bytes.c_str(), bytes.size())); })
        .def("to_bytes",
             [](const NistInformation& self) {
                 std::string bytes = self.bytes();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("weight", &ngram_weight<NistInformation>, "ngram"_a)
        .def_prop_ro("max_order", &NistInformation::max_order)
        .def("__len__", &NistInformation::size);
    bind_scorer<NistKernel>(m, "Nist").def(
        "parts", &nist_parts,
        nb::sig("def parts(self, row: numpy.typing.NDArray[numpy.float64], /) -> tuple[float, float, tuple[float, "
                "...]]"));
}

}  // namespace refscore::bindings

#include "bind.hpp"

#include <nanobind/stl/optional.h>

#include "python_input.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

// The tokens of each reference of a segment.
nb::list words_of(const LazilyPrepared<PreparedReferences>& prepared, size_t segment) {
    const PreparedReferences& references = prepared.analysed(0);
    if (segment >= references.size()) throw nb::index_error();
    NumberedReferences chosen = references[segment];
    std::vector<nb::object> known(chosen.vocabulary_size + size_t{1});
    std::vector<uint8_t> bytes;
    for (uint32_t n = 1; n <= chosen.vocabulary_size; ++n) {
        const Token& token = chosen.vocabulary.tokens[n];
        bytes.resize(std::max(token.size, Token::kInline));
        copy_token(token, chosen.vocabulary.arena, bytes.data());
        known[n] = references.kind() == ItemKind::Ids
                       ? steal_checked(PyLong_FromLongLong(static_cast<int64_t>(token.low)))
                       : steal_checked(PyUnicode_DecodeUTF8(reinterpret_cast<const char*>(bytes.data()), token.size,
                                                            "surrogatepass"));
    }
    nb::list all;
    size_t begin = 0;
    for (uint32_t length : chosen.lengths) {
        nb::list words;
        for (uint32_t number : chosen.tokens.subspan(begin, length)) {
            if (is_mark(number)) {
                words.append(nb::str(mark_text(number).c_str()));
            } else {
                words.append(number == kLineEnd ? nb::object(nb::str("\n")) : known[number]);
            }
        }
        all.append(words);
        begin += length;
    }
    return all;
}

}  // namespace

using namespace nb::literals;

void bind_input(nb::module_& m) {
    nb::class_<IdMatrix>(m, "IdMatrix")
        .def(
            "__init__",
            [](IdMatrix* self, nb::object array, nb::object lengths, std::optional<int64_t> pad_id) {
                new (self) IdMatrix(make_id_matrix(std::move(array), std::move(lengths), pad_id));
            },
            "array"_a, "lengths"_a.none(), "pad_id"_a.none())
        .def("__len__", [](const IdMatrix& self) { return self.segments; });
    bind_prepared<PreparedReferences>(m, "PreparedReferences")
        .def("words", &words_of, "segment"_a, nb::sig("def words(self, segment: int, /) -> list[list[typing.Any]]"));
}

}  // namespace refscore::bindings

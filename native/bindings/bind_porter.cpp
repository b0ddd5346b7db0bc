#include "bind.hpp"

#include <vector>

#include "python_input.hpp"
#include "refscore/text/porter.hpp"

namespace refscore::bindings {
namespace {

nb::str stem_of(const nb::str& text, bool to_lowercase) {
    nb::object lowered = to_lowercase ? text.attr("lower")() : nb::object(text);
    // The rule for short words applies to the length before lowercasing, which can lengthen a word.
    if (nb::len(text) <= 2) return nb::str(lowered);
    nb::bytes encoded(lowered.attr("encode")("utf-8", "surrogatepass"));
    std::vector<uint8_t> word(encoded.c_str(), encoded.c_str() + encoded.size());
    size_t size = porter_stem(word.data(), word.size());
    return nb::str(steal_checked(PyUnicode_DecodeUTF8(reinterpret_cast<const char*>(word.data()),
                                                      static_cast<Py_ssize_t>(size), "surrogatepass")));
}

}  // namespace

void bind_porter(nb::module_& m) {
    using namespace nb::literals;
    m.def("porter_stem", &stem_of, "text"_a, "to_lowercase"_a = true);
}

}  // namespace refscore::bindings

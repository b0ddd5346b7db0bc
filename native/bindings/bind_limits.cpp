#include "bind.hpp"

#include <string>

#include "limits.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

// Python's ContextVar of the most tokens and references; none until refscore.limits is first asked for.
PyObject* variable = nullptr;

// As refscore.errors.LimitError takes it: the place, what is wrong, the segment, and the reference unless it is none.
void set_error(const BeyondLimit& beyond) {
    using What = BeyondLimit::What;
    std::string place = beyond.which == What::Hypothesis ? "hypotheses" : "references";
    place += "[" + std::to_string(beyond.segment) + "]";
    if (beyond.which == What::Reference && beyond.references > 1) place += "[" + std::to_string(beyond.reference) + "]";
    std::string problem = "has " + std::to_string(beyond.found);
    problem += beyond.which == What::References ? " references, and max_references is " : " tokens, and max_tokens is ";
    problem += std::to_string(beyond.allowed);
    nb::object type = nb::module_::import_("refscore.errors").attr("LimitError");
    nb::object reference = beyond.which == What::Reference ? nb::object(nb::int_(beyond.reference)) : nb::none();
    PyErr_SetObject(type.ptr(), nb::make_tuple(place.c_str(), problem.c_str(), beyond.segment, reference).ptr());
}

}  // namespace

Limits Limits::current() {
    if (variable == nullptr) return {};
    PyObject* value = nullptr;
    if (PyContextVar_Get(variable, nullptr, &value) != 0) throw nb::python_error();
    if (value == nullptr) return {};
    nb::object held = nb::steal(value);
    return {nb::cast<size_t>(held[0]), nb::cast<size_t>(held[1])};
}

void bind_limits(nb::module_& m) {
    m.def(
        "keep_limits_in", [](nb::object kept) { variable = kept.release().ptr(); }, "variable"_a,
        nb::sig("def keep_limits_in(variable: contextvars.ContextVar[tuple[int, int]], /) -> None"));
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const BeyondLimit& beyond) {
            set_error(beyond);
        }
    });
}

}  // namespace refscore::bindings

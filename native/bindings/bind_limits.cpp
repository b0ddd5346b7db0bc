#include "bind.hpp"

#include "limits.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

// Python's ContextVar with the limits on tokens and references. Null until refscore.limits is first used.
PyObject* variable = nullptr;

}  // namespace

Limits Limits::current() {
    if (variable == nullptr) return {};
#ifdef Py_LIMITED_API
    nb::object limits = nb::handle(variable).attr("get")(nb::none());
#else
    PyObject* found = nullptr;
    if (PyContextVar_Get(variable, nullptr, &found) < 0) throw nb::python_error();
    nb::object limits = nb::steal(found);
    if (!limits.is_valid()) return {};
#endif
    if (limits.is_none()) return {};
    return {nb::cast<size_t>(limits[0]), nb::cast<size_t>(limits[1])};
}

void Limits::refuse_tokens(const char* side, std::optional<size_t> reference, size_t count) const {
    throw LimitError(Location{side, 0, reference}, count, "tokens", "max_tokens", tokens);
}

void Limits::refuse_references(size_t count) const {
    throw LimitError(Location{"references", 0}, count, "references", "max_references", references);
}

void bind_limits(nb::module_& m) {
    m.def(
        "keep_limits_in",
        [](nb::object limits) {
            if (!nb::isinstance(limits, nb::module_::import_("contextvars").attr("ContextVar")))
                throw nb::type_error("limits must be a ContextVar");
            variable = limits.release().ptr();
        },
        "variable"_a, nb::sig("def keep_limits_in(variable: contextvars.ContextVar[tuple[int, int]], /) -> None"));
}

}  // namespace refscore::bindings

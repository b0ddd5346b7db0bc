#include "bind.hpp"

#include <nanobind/stl/optional.h>

#include "python_input.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

using namespace nb::literals;

void bind_input(nb::module_& m) {
    nb::exception<NotPlain>(m, "NotPlain");
    nb::exception<EmptyReferenceAt>(m, "EmptyReference");
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const EmptyReferenceAt& error) {
            nb::object type = nb::module_::import_("refscore._native").attr("EmptyReference");
            PyErr_SetObject(type.ptr(), nb::make_tuple(error.segment, error.reference).ptr());
        } catch (const BadInput& error) {
            PyErr_SetString(nb::module_::import_("refscore.errors").attr("InputError").ptr(), error.what());
        }
    });
    nb::class_<IdMatrix>(m, "IdMatrix")
        .def(
            "__init__",
            [](IdMatrix* self, nb::object array, nb::object lengths, std::optional<int64_t> pad_id) {
                new (self) IdMatrix(make_id_matrix(std::move(array), std::move(lengths), pad_id));
            },
            "array"_a, "lengths"_a.none(), "pad_id"_a.none())
        .def("__len__", [](const IdMatrix& self) { return self.segments; });
    bind_prepared<PreparedReferences>(m, "PreparedReferences");
}

}  // namespace refscore::bindings

// Translates C++ exceptions to Python.
#include "bind.hpp"

#include <optional>

#include "limits.hpp"
#include "python_input.hpp"

namespace refscore::bindings {
namespace {

nb::object as_object(const std::optional<size_t>& index) { return index ? nb::object(nb::int_(*index)) : nb::none(); }

// Sets an exception of refscore.errors as Python's current exception.
void set_input_error(const char* type, const InputError& error) {
    using namespace nb::literals;
    nb::module_ errors = nb::module_::import_("refscore.errors");
    nb::object location = nb::none();
    if (const std::optional<Location>& at = error.location())
        location = errors.attr("Location")(at->side.c_str(), "segment"_a = as_object(at->segment),
                                           "reference"_a = as_object(at->reference), "token"_a = as_object(at->token));
    // A problem may quote input bytes that are not UTF-8.
    auto text = [](const std::string& bytes) {
        return steal_checked(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
    };
    PyErr_SetObject(errors.attr(type).ptr(), nb::make_tuple(location, text(error.problem()), text(error.fix())).ptr());
}

}  // namespace

void bind_errors(nb::module_& m) {
    nb::exception<UnsupportedInput>(m, "UnsupportedInput");
    nb::exception<EmptyReferenceAt>(m, "EmptyReference");
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const EmptyReferenceAt& error) {
            nb::object type = nb::module_::import_("refscore._native").attr("EmptyReference");
            PyErr_SetObject(type.ptr(), nb::make_tuple(error.segment, error.reference).ptr());
        } catch (const LimitError& error) {
            set_input_error("LimitError", error);
        } catch (const InputError& error) {
            set_input_error("InputError", error);
        }
    });
}

}  // namespace refscore::bindings

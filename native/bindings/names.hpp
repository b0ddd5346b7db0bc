// Enums cross to Python as their names, which are also the values of settings.
#pragma once

#include <nanobind/nanobind.h>

#include <type_traits>

namespace refscore::bindings {

template <class Enum>
struct Name {
    Enum value;
    const char* name;
};

// The names of an enum that crosses, in the member kAll. A value may have several names; the first one is returned.
template <class Enum>
struct Names;

template <class Enum>
concept Named = std::is_enum_v<Enum> && requires { Names<Enum>::kAll; };

}  // namespace refscore::bindings

namespace nanobind::detail {

template <refscore::bindings::Named Enum>
struct type_caster<Enum, enable_if_t<std::is_enum_v<Enum>>> {  // more constrained than nanobind's own, for other enums
    NB_TYPE_CASTER(Enum, const_name("str"))

    bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
        if (!PyUnicode_Check(source.ptr())) return false;
        for (const auto& [known, name] : refscore::bindings::Names<Enum>::kAll) {
            if (PyUnicode_CompareWithASCIIString(source.ptr(), name) != 0) continue;
            value = known;
            return true;
        }
        return false;
    }
    static handle from_cpp(Enum found, rv_policy, cleanup_list*) noexcept {
        for (const auto& [known, name] : refscore::bindings::Names<Enum>::kAll)
            if (known == found) return PyUnicode_InternFromString(name);
        return PyUnicode_InternFromString("");
    }
};

}  // namespace nanobind::detail

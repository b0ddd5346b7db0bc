// Reads the settings of a metric, by name. Each kernel has one table: its function read().
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>

#include "names.hpp"

namespace refscore::bindings {

namespace nb = nanobind;

// The attributes of a Python object. None stands for the default of the field.
class Settings {
  public:
    explicit Settings(nb::handle metric) : metric_(nb::borrow(metric)) {}

    // The attributes of an attribute.
    Settings of(const char* name) const { return Settings(nb::getattr(metric_, name)); }

    template <class T>
    void operator()(const char* name, T& field) const {
        nb::object value = nb::getattr(metric_, name);
        if (!value.is_none()) convert(name, value, field);
    }
    template <class T>
    void operator()(const char* name, std::optional<T>& field) const {
        nb::object value = nb::getattr(metric_, name);
        field.reset();
        if (!value.is_none()) convert(name, value, field.emplace());
    }
    // An object that the kernel shares with Python, and needs.
    template <class T>
    void operator()(const char* name, std::shared_ptr<const T>& field) const {
        std::shared_ptr<T> shared;
        convert(name, nb::getattr(metric_, name), shared);
        if (!shared) refuse(name);
        field = std::move(shared);
    }
    // A setting with two values: whether it has this one.
    void is(const char* name, const char* value, bool& field) const {
        nb::object text = nb::getattr(metric_, name);
        if (!PyUnicode_Check(text.ptr())) refuse(name);
        field = PyUnicode_CompareWithASCIIString(text.ptr(), value) == 0;
    }

  private:
    template <class T>
    static void convert(const char* name, nb::handle value, T& field) {
        if (!nb::try_cast(value, field)) refuse(name);
    }
    [[noreturn]] static void refuse(const char* name) {
        throw nb::type_error((std::string("the kernel has no such value of the setting ") + name).c_str());
    }

    nb::object metric_;
};

}  // namespace refscore::bindings

#include "bind.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "arrays.hpp"
#include "refscore/statistics/exact_sums.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

template <class T>
using RowArray = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CodeArray = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

ExactSums::Codes check_codes(const std::optional<CodeArray>& codes, size_t count) {
    if (!codes) return {};
    if (codes->shape(0) != count) throw nb::value_error("there must be a code for each row");
    return std::span(codes->data(), count);
}

template <class T>
void add(ExactSums& self, const RowArray<T>& rows, const std::optional<CodeArray>& codes) {
    if (rows.shape(1) != self.columns()) throw nb::value_error("a row has a different number of columns than the sums");
    if constexpr (std::is_same_v<T, double>)
        if (!std::all_of(rows.data(), rows.data() + rows.size(), [](double number) { return std::isfinite(number); }))
            throw NotFinite();
    self.add(std::span(rows.data(), rows.size()), check_codes(codes, rows.shape(0)));
}

void merge(ExactSums& self, const ExactSums& other, const std::optional<CodeArray>& codes) {
    self.merge(other, check_codes(codes, other.groups()));
}

template <class T>
Array<T, 2> rounded(const ExactSums& self) {
    std::unique_ptr<T[]> rows(new T[self.groups() * self.columns()]);
    self.round(std::span(rows.get(), self.groups() * self.columns()));
    return as_array<T, 2>(std::move(rows), {self.groups(), self.columns()});
}

nb::bytes to_bytes(const ExactSums& self, size_t group) {
    if (group >= self.groups()) throw nb::index_error();
    std::string bytes = self.bytes(group);
    return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

// The locks have an effect only without a GIL.
void bind_row_sums(nb::module_& m) {
    nb::exception<NotFinite>(m, "NotFiniteError", PyExc_ValueError);
    nb::class_<ExactSums>(m, "ExactRowSums")
        .def(nb::init<size_t, size_t>(), "groups"_a, "columns"_a)
        .def_prop_ro("groups", &ExactSums::groups)
        .def_prop_ro("columns", &ExactSums::columns)
        .def("add", &add<double>, "rows"_a.noconvert(), "codes"_a.none() = nb::none(), nb::lock_self())
        .def("add", &add<int64_t>, "rows"_a.noconvert(), "codes"_a.none() = nb::none(), nb::lock_self())
        .def("merge", &merge, "other"_a.lock(), "codes"_a.none() = nb::none(), nb::lock_self())
        .def("rows", &rounded<double>, nb::lock_self())
        .def("counts", &rounded<int64_t>, nb::lock_self())
        .def("to_bytes", &to_bytes, "group"_a, nb::lock_self())
        .def(
            "add_bytes",
            [](ExactSums& self, size_t group, nb::bytes data) {
                self.add_bytes(group, std::span(data.c_str(), data.size()));
            },
            "group"_a, "data"_a, nb::lock_self())
        .def("copy", [](const ExactSums& self) { return ExactSums(self); }, nb::lock_self());
}

}  // namespace refscore::bindings

// Draws and sums of significance tests.
#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "arrays.hpp"
#include "generator.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/statistics/resampling.hpp"
#include "refscore/threads/usable_cores.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Output = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using Draw = void (*)(const Pcg64&, size_t, size_t, size_t, size_t, double*);

template <Draw draw>
void weights_of(const Generator& generator, size_t begin, Output out, size_t threads) {
    size_t units = out.shape(1);
    require(units > 0 && units <= UINT32_MAX, "there must be at least one unit, and fewer than 2**32");
    without_gil([&] { draw(generator.pcg, begin, begin + out.shape(0), units, threads, out.data()); });
}

using AddDrawn = void (*)(const Pcg64&, size_t, size_t, const double*, size_t, size_t, size_t, double*);
using WholeTable = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr size_t kColumns = 32;  // the width of a tile in resampling.cpp

template <AddDrawn add>
void add_drawn(const Generator& generator, size_t begin, const WholeTable& table, Output total, size_t threads) {
    size_t units = table.shape(0), width = table.shape(1);
    require(units > 0 && units <= UINT32_MAX, "there must be at least one unit, and fewer than 2**32");
    require(total.shape(1) == width, "the matrices do not fit together");
    require(width % kColumns == 0, "the number of columns must be a multiple of 32");
    without_gil([&] { add(generator.pcg, begin, total.shape(0), table.data(), units, width, threads, total.data()); });
}

void add_products(const Matrix& weights, const Matrix& table, Output total, size_t threads) {
    size_t rows = weights.shape(0), units = weights.shape(1), width = table.shape(1);
    require(table.shape(0) == units && total.shape(0) == rows && total.shape(1) == width,
            "the matrices do not fit together");
    require(width % kColumns == 0, "the number of columns must be a multiple of 32");
    auto is_contiguous = [](const Matrix& matrix) { return matrix.stride(1) == 1 || matrix.shape(1) <= 1; };
    require(is_contiguous(weights) && weights.stride(0) >= 0 && is_contiguous(table) &&
                (table.stride(0) == static_cast<int64_t>(width) || units <= 1),
            "the rows of a matrix must be contiguous");
    without_gil([&] {
        add_product(weights.data(), static_cast<size_t>(weights.stride(0)), rows, table.data(), units, width, threads,
                    total.data());
    });
}

using Table = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void stack(const std::vector<Table>& tables, const std::optional<Table>& minus, size_t begin, size_t column, Output out,
           size_t threads) {
    require(!tables.empty(), "there must be a table");
    size_t rows = out.shape(0), columns = tables[0].shape(1), units = tables[0].shape(0);
    std::vector<const int64_t*> data;
    auto check = [&](const Table& table) {
        require(table.shape(0) == units && table.shape(1) == columns, "all tables must have the same shape");
    };
    for (const Table& table : tables) {
        check(table);
        data.push_back(table.data());
    }
    if (minus) check(*minus);
    require(begin <= units && rows <= units - begin && column + columns * tables.size() <= out.shape(1),
            "the matrices do not fit together");
    without_gil([&] {
        stack_tables(data, minus ? minus->data() : nullptr, columns, begin, rows, out.shape(1), threads,
                     out.data() + column);
    });
}

}  // namespace

void bind_resampling(nb::module_& m) {
    nb::class_<Generator>(m, "Pcg64")
        .def(
            "__init__",
            [](Generator* self, uint64_t state_high, uint64_t state_low, uint64_t increment_high,
               uint64_t increment_low) {
                new (self) Generator{Pcg64({state_high, state_low}, {increment_high, increment_low})};
            },
            "state_high"_a, "state_low"_a, "increment_high"_a, "increment_low"_a)
        .def("resample_weights", &weights_of<&resample_weights>, "begin"_a, "out"_a.noconvert(), "threads"_a)
        .def("swap_weights", &weights_of<&swap_weights>, "begin"_a, "out"_a.noconvert(), "threads"_a)
        .def("add_resampled", &add_drawn<&add_resampled>, "begin"_a, "table"_a.noconvert(), "total"_a.noconvert(),
             "threads"_a)
        .def("add_swapped", &add_drawn<&add_swapped>, "begin"_a, "table"_a.noconvert(), "total"_a.noconvert(),
             "threads"_a);
    m.def("stack_tables", &stack, "tables"_a, "minus"_a.none(), "begin"_a, "column"_a, "out"_a.noconvert(),
          "threads"_a);
    m.def("usable_cores", &usable_cores);
    m.def("add_products", &add_products, "weights"_a.noconvert(), "table"_a.noconvert(), "total"_a.noconvert(),
          "threads"_a);
}

}  // namespace refscore::bindings

// Columns that other libraries export as Arrow capsules.
#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

template <class Structure>
Owned<Structure> take(nb::handle capsule, const char* name, const std::string& where) {
    auto* found = PyCapsule_CheckExact(capsule.ptr())
                      ? static_cast<Structure*>(PyCapsule_GetPointer(capsule.ptr(), name))
                      : nullptr;
    if (found == nullptr) {
        PyErr_Clear();
        throw BadColumn(Location{where}, "does not provide Arrow data",
                        std::string("expected a capsule named '") + name + "'");
    }
    return Owned<Structure>(*found);
}

ArrowColumn read_array(nb::handle value, const std::string& where) {
    nb::object pair = value.attr("__arrow_c_array__")();
    if (!PyTuple_CheckExact(pair.ptr()) || nb::len(pair) != 2)
        throw BadColumn(Location{where}, "does not provide Arrow data", "expected a schema and an array");
    Owned<ArrowSchema> schema = take<ArrowSchema>(pair[0], "arrow_schema", where);
    ArrowColumn column(std::move(schema), where);
    column.add(take<ArrowArray>(pair[1], "arrow_array", where), where);
    return column;
}

// Throws the last error of a stream, shortened to one line.
[[noreturn]] void fail(ArrowArrayStream* stream, int status, const std::string& where) {
    const char* said = stream->get_last_error != nullptr ? stream->get_last_error(stream) : nullptr;
    std::string reason = said != nullptr ? said : std::strerror(status);
    throw BadColumn(Location{where}, "cannot be read: " + reason.substr(0, reason.find('\n')));
}

ArrowColumn read_stream(nb::handle value, const std::string& where) {
    nb::object capsule = value.attr("__arrow_c_stream__")();
    Owned<ArrowArrayStream> given = take<ArrowArrayStream>(capsule, "arrow_array_stream", where);
    if (given.is_released() || given->get_schema == nullptr || given->get_next == nullptr)
        throw BadColumn(Location{where}, "does not provide Arrow data: the stream has ended");
    std::optional<ArrowColumn> column;
    // The producer may need the GIL, in any thread, to create batches or to finish.
    without_gil([&] {
        Owned<ArrowArrayStream> stream(std::move(given));
        Owned<ArrowSchema> schema;
        if (int status = stream->get_schema(stream.get(), schema.get())) fail(stream.get(), status, where);
        column.emplace(std::move(schema), where);
        for (;; look_for_stop()) {
            Owned<ArrowArray> array;
            if (int status = stream->get_next(stream.get(), array.get())) fail(stream.get(), status, where);
            if (array.is_released()) return;
            column->add(std::move(array), where);
        }
    });
    return std::move(*column);
}

// Reads Python objects with one or several columns.
void read_side(ArrowSide* self, nb::sequence columns, const std::string& where, bool are_references, bool of_tokens,
               size_t threads) {
    ArrowSide side(are_references ? ArrowRole::References : ArrowRole::Hypotheses, of_tokens, where);
    for (nb::handle value : columns)
        side.add(nb::hasattr(value, "__arrow_c_stream__") ? read_stream(value, where) : read_array(value, where));
    without_gil([&] { side.check(threads); });
    new (self) ArrowSide(std::move(side));
}

nb::object text_of(const TextView& view) {
    return steal_checked(
        PyUnicode_DecodeUTF8(static_cast<const char*>(view.data), static_cast<Py_ssize_t>(view.size), nullptr));
}

int64_t id_at(const IdView& ids, size_t i) {
    switch (ids.type) {
        case IdType::I8: return static_cast<const int8_t*>(ids.data)[i];
        case IdType::I16: return static_cast<const int16_t*>(ids.data)[i];
        case IdType::I32: return static_cast<const int32_t*>(ids.data)[i];
        case IdType::I64: return static_cast<const int64_t*>(ids.data)[i];
        case IdType::U8: return static_cast<const uint8_t*>(ids.data)[i];
        case IdType::U16: return static_cast<const uint16_t*>(ids.data)[i];
        case IdType::U32: return static_cast<const uint32_t*>(ids.data)[i];
    }
    return 0;
}

// Returns a string, or the list of an item's tokens.
nb::object item_of(const ArrowValues& values, size_t value) {
    if (!values.type().is_list()) return text_of(values.text(value));
    nb::list tokens;
    ArrowValues::Range range = values.items(value);
    const ArrowValues& inner = values.inner();
    if (inner.type().form == ArrowForm::Integer) {
        IdView ids = inner.integers(range);
        for (size_t i = 0; i < ids.size; ++i) tokens.append(nb::int_(id_at(ids, i)));
    } else {
        for (size_t i = range.begin; i < range.end; ++i) tokens.append(text_of(inner.text(i)));
    }
    return tokens;
}

// Returns a hypothesis, or the references of a segment as a list with None for missing ones.
nb::object row_of(const ArrowSide& side, size_t row) {
    if (row >= side.size()) throw nb::index_error();
    nb::list items;
    side.for_each_item(row, [&](const ArrowValues& values, size_t value, bool is_missing) {
        items.append(is_missing ? nb::none() : item_of(values, value));
    });
    return side.role() == ArrowRole::References ? nb::object(items) : nb::object(items[0]);
}

nb::list rows_of(const ArrowSide& side) {
    nb::list rows;
    for (size_t row = 0; row < side.size(); ++row) rows.append(row_of(side, row));
    return rows;
}

}  // namespace

void bind_arrow(nb::module_& m) {
    nb::class_<ArrowSide>(m, "ArrowColumns")
        .def("__init__", &read_side, "columns"_a, "where"_a, nb::kw_only(), "are_references"_a, "of_tokens"_a,
             "threads"_a,
             nb::sig("def __init__(self, columns: collections.abc.Sequence[object], where: str, *, are_references: "
                     "bool, of_tokens: bool,"
                     " threads: int) -> None"))
        .def("__len__", &ArrowSide::size)
        .def("__getitem__", &row_of, nb::sig("def __getitem__(self, row: int, /) -> typing.Any"))
        .def(
            "__iter__", [](const ArrowSide& self) { return nb::iter(rows_of(self)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[typing.Any]"))
        .def_prop_ro("are_references", [](const ArrowSide& self) { return self.role() == ArrowRole::References; })
        .def_prop_ro("kind", [](const ArrowSide& self) -> std::optional<std::string> {
            if (!self.kind()) return std::nullopt;
            return *self.kind() == ItemKind::Text ? "text" : *self.kind() == ItemKind::Tokens ? "tokens" : "ids";
        });
}

}  // namespace refscore::bindings

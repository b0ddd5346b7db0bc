// Reads hypotheses and references of plain Python types, or of Arrow columns, into blocks of views.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <vector>

#include "refscore/arrow_side.hpp"
#include "refscore/prepared.hpp"
#include "refscore/segments.hpp"

namespace refscore::bindings {

namespace nb = nanobind;

// Thrown for input that this reader cannot read directly. Python then normalizes it, or raises an error with its location.
class UnsupportedInput : public std::exception {
  public:
    const char* what() const noexcept override { return "this input cannot be read directly"; }
};

// A new reference from the C API, or the Python error that it set: there may be no memory for the object.
inline nb::object steal_checked(PyObject* object) {
    if (object == nullptr) throw nb::python_error();
    return nb::steal(object);
}

// A padded batch of ids, (segments, tokens) or (segments, references, tokens), C-contiguous.
struct IdMatrix {
    nb::object owner;
    const void* data;
    IdType type;
    size_t segments, references, width;
    nb::object lengths_owner;
    const int64_t* lengths;  // null: whole rows; else one per row
    Padding padding;
};

// What this Python's str.lower makes of each character up to kLastLower; not of the few that take more than a table.
const uint16_t* lower_table();

IdMatrix make_id_matrix(nb::object array, nb::object lengths, std::optional<int64_t> pad_id);

// Some consecutive segments, and what keeps their views valid: to be loaded, released and destroyed under the GIL.
struct LoadedBlock {
    Block block;
    size_t begin = 0;  // where the block begins among all segments
    std::vector<PyObject*> held;
    std::vector<Py_buffer> buffers;
    std::vector<int64_t> integers;
    std::vector<std::pair<size_t, size_t>> integer_views;  // index of a view, and where its integers begin

    LoadedBlock() = default;
    LoadedBlock(const LoadedBlock&) = delete;
    ~LoadedBlock() { release(); }
    void hold(PyObject* object) {
        held.push_back(object);
        Py_INCREF(object);
    }
    void release();
};

// Hypotheses, references, or both. All calls are under the GIL.
class PythonInput {
  public:
    // References may be null (prepared ones are used) and so may hypotheses (references are being prepared).
    // Where all token sequences are empty, nothing but `otherwise` tells what kind they are of.
    // Text beyond ASCII is lowercased here if it is to be, as Python does it.
    PythonInput(nb::handle hypotheses, nb::handle references, Lowercase lowercase, ItemKind otherwise = ItemKind::Tokens);

    size_t size() const { return size_; }
    ItemKind kind() const { return kind_; }

    void load(size_t begin, size_t end, LoadedBlock& into) const;

  private:
    void find_kind();
    void load_column(const ArrowSide& column, size_t begin, size_t end, LoadedBlock& into) const;
    void load_text(PyObject* text, LoadedBlock& into, std::vector<Item>& items) const;
    void load_item(PyObject* object, LoadedBlock& into, std::vector<Item>& items) const;
    void load_references(PyObject* entry, LoadedBlock& into) const;

    nb::handle hypotheses_;
    nb::handle references_;
    const IdMatrix* hypothesis_matrix_ = nullptr;
    const IdMatrix* reference_matrix_ = nullptr;
    const ArrowSide* hypothesis_column_ = nullptr;
    const ArrowSide* reference_column_ = nullptr;
    size_t size_ = 0;
    Lowercase lowercase_;
    ItemKind kind_;
};

}  // namespace refscore::bindings

// Reads hypotheses and references from plain Python types or Arrow columns into blocks of views.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <vector>

#include "loaded_block.hpp"
#include "python_objects.hpp"
#include "refscore/arrow/side.hpp"
#include "refscore/segments/prepared.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/segments/text_store.hpp"
#include "refscore/threads/loading.hpp"

namespace refscore::bindings {

namespace nb = nanobind;

// Thrown for input that this reader does not support. Python then normalizes it, or raises an error with a location.
class UnsupportedInput : public std::exception {
  public:
    const char* what() const noexcept override { return "this input cannot be read directly"; }
};

// A padded batch of ids, (segments, tokens) or (segments, references, tokens), C-contiguous.
struct IdMatrix {
    nb::object owner;
    const void* data;
    IdType type;
    size_t segments, references, width;
    nb::object lengths_owner;
    const int64_t* lengths;  // null: whole rows; otherwise one per row
    Padding padding;
};

// The result of str.lower for each character up to kLastLower, except the few that need more than a table.
const uint16_t* lower_table();

// Whether a text that is not ASCII has characters that need more than the table.
bool needs_python_to_lower(const TextView& text);

IdMatrix make_id_matrix(nb::object array, nb::object lengths, std::optional<int64_t> pad_id);

// The part of NumPy's array object that its C API guarantees. It allows threads to read arrays without changing
// reference counts.
struct NumpyArray {
    PyObject_HEAD void* data;
    int dimensions;
    Py_ssize_t* shape;
    Py_ssize_t* strides;
    PyObject* base;
    PyObject* descriptor;
    int flags;
};

// A data type of arrays that threads may read.
struct KnownArrays {
    PyTypeObject* type;
    nb::object descriptor;
    IdType ids;
};

// Hypotheses, references, or both. All functions need the GIL.
class PythonInput {
  public:
    // References may be null (they are prepared, or `texts`), and so may hypotheses (references are being prepared).
    // `otherwise` is the kind if all token sequences are empty. Non-ASCII text is lowercased here if requested, as in
    // Python.
    PythonInput(nb::handle hypotheses, nb::handle references, Lowercase lowercase,
                ItemKind otherwise = ItemKind::Tokens, const TextStore* texts = nullptr);

    size_t size() const { return size_; }
    ItemKind kind() const { return kind_; }

    void load(size_t begin, size_t end, LoadedBlock& into) const;

    // Whether load_copied must run while a thread that waits for it holds the GIL. Otherwise it needs no GIL at all.
    bool has_objects() const { return has_objects_; }
    // Loads segments in any thread. It copies what objects own, so it changes no reference count and runs no Python
    // code. It stops after enough work for one thread, and before a segment that needs Python.
    LoadedPart load_copied(size_t begin, size_t end, LoadedBlock& into) const;
    // Allows load_copied. Returns false if only the calling thread can load.
    bool prepare_copying();

  private:
    nb::handle unchanging_side(nb::handle side);
    void find_kind();
    void find_arrays(nb::handle side, bool are_references);
    bool load_sides(size_t begin, size_t end, LoadedBlock& into) const;
    void load_array(PyObject* object, LoadedBlock& into, std::vector<Item>& items) const;
    bool load_column(const ArrowSide& column, size_t begin, size_t end, LoadedBlock& into) const;
    void load_text(PyObject* text, LoadedBlock& into, std::vector<Item>& items) const;
    void load_item(PyObject* object, LoadedBlock& into, std::vector<Item>& items) const;
    void load_references(PyObject* entry, LoadedBlock& into) const;

    std::vector<nb::object> copies_;  // of lists, without a GIL; declared first, because the handles can refer to them
    nb::handle hypotheses_;
    nb::handle references_;
    const IdMatrix* hypothesis_matrix_ = nullptr;
    const IdMatrix* reference_matrix_ = nullptr;
    const ArrowSide* hypothesis_column_ = nullptr;
    const ArrowSide* reference_column_ = nullptr;
    const TextStore* reference_texts_ = nullptr;
    size_t size_ = 0;
    Lowercase lowercase_;
    ItemKind kind_;
    bool has_objects_ = false;
    std::vector<KnownArrays> known_arrays_;
};

}  // namespace refscore::bindings

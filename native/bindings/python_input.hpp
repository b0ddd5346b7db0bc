// Reads hypotheses and references of plain Python types into blocks of views. Whatever is not plain is left to the Python side,
// which either turns it into plain types or explains what is wrong with it.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <vector>

#include "refscore/prepared.hpp"
#include "refscore/segments.hpp"

namespace refscore::bindings {

namespace nb = nanobind;

class NotPlain : public std::exception {
  public:
    const char* what() const noexcept override { return "input that is not of plain types"; }
};

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

IdMatrix make_id_matrix(nb::object array, nb::object lengths, std::optional<int64_t> pad_id);

// Hypotheses, references, or both. The GIL is held in all calls; between load and release, views are valid without it.
class PythonInput {
  public:
    // References may be null (prepared ones are used) and so may hypotheses (references are being prepared).
    // Where all token sequences are empty, nothing but `otherwise` tells what kind they are of.
    PythonInput(nb::handle hypotheses, nb::handle references, ItemKind otherwise = ItemKind::Tokens);
    PythonInput(const PythonInput&) = delete;
    ~PythonInput() { release(); }

    size_t size() const { return size_; }
    ItemKind kind() const { return kind_; }
    // How many segments to load at a time: as many as keep a block's views small.
    size_t block_size() const { return kind_ == ItemKind::Tokens ? 512 : 4096; }

    void load(size_t begin, size_t end, Block& block);
    void release();

  private:
    void find_kind();
    void load_item(PyObject* object, Block& block, std::vector<Item>& items);
    void load_tokens(PyObject* sequence, Block& block, std::vector<Item>& items);
    void load_integers(PyObject* sequence, Block& block, std::vector<Item>& items);
    void load_buffer(PyObject* object, Block& block, std::vector<Item>& items);
    void load_references(PyObject* entry, Block& block);

    nb::handle hypotheses_;
    nb::handle references_;
    const IdMatrix* hypothesis_matrix_ = nullptr;
    const IdMatrix* reference_matrix_ = nullptr;
    size_t size_ = 0;
    ItemKind kind_ = ItemKind::Text;
    std::vector<PyObject*> held_;
    std::vector<Py_buffer> buffers_;
    std::vector<int64_t> integers_;
    std::vector<std::pair<size_t, size_t>> integer_views_;  // index of a view, and where its integers begin
};

}  // namespace refscore::bindings

#include "python_input.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "refscore/text/utf8.hpp"

namespace refscore::bindings {
namespace {

// Thrown in load_copied if a segment needs Python code or a reference to an object.
struct NeedsPython {};

nb::object lowered(nb::handle text) {
    return nb::handle(reinterpret_cast<PyObject*>(&PyUnicode_Type)).attr("lower")(text);
}

// The only letter with a context-dependent lowercase, and the only one with a lowercase of two characters.
constexpr uint16_t kSigma = 0x3a3, kDottedI = 0x130;

std::optional<IdType> id_type(const char* format, Py_ssize_t item_size) {
    if (format == nullptr) return std::nullopt;
    constexpr char kNativeOrder = std::endian::native == std::endian::little ? '<' : '>';
    while (*format == '@' || *format == '=' || *format == kNativeOrder) ++format;
    if (*format == '\0' || format[1] != '\0') return std::nullopt;
    bool is_signed = std::strchr("bhilqn", *format) != nullptr;
    if (!is_signed && std::strchr("BHILQN", *format) == nullptr) return std::nullopt;
    switch (item_size) {
        case 1: return is_signed ? IdType::I8 : IdType::U8;
        case 2: return is_signed ? IdType::I16 : IdType::U16;
        case 4: return is_signed ? IdType::I32 : IdType::U32;
        case 8: return is_signed ? std::optional(IdType::I64) : std::nullopt;
        default: return std::nullopt;
    }
}

bool is_aligned(const Py_buffer& buffer) {
    return reinterpret_cast<uintptr_t>(buffer.buf) % static_cast<size_t>(buffer.itemsize) == 0;
}

void load_rows(const IdMatrix& matrix, size_t begin, size_t end, Block& block, std::vector<Item>& items) {
    for (size_t row = begin; row < end; ++row) {
        // Checked for each row, because the array may have changed meanwhile.
        size_t length = matrix.lengths != nullptr ? static_cast<size_t>(matrix.lengths[row]) : matrix.width;
        if (length > matrix.width) throw UnsupportedInput();
        items.push_back({block.ids.size(), 1});
        block.ids.push_back(
            {static_cast<const char*>(matrix.data) + row * matrix.width * id_size(matrix.type), length, matrix.type});
    }
}

TextView copied_view([[maybe_unused]] PyObject* text, [[maybe_unused]] CopiedBytes& copies) {
#ifdef REFSCORE_THREADS_READ_OBJECTS
#if PY_VERSION_HEX < 0x030c0000
    if (!PyUnicode_IS_READY(text)) throw NeedsPython();
#endif
    TextView view = view_of(text, copies);
    size_t bytes = view.size * static_cast<size_t>(PyUnicode_KIND(text));
    uint8_t* copy = copies.take(bytes);
    copy_short(static_cast<const uint8_t*>(view.data), bytes, copy);
    return {copy, view.size, view.encoding};
#else
    throw NeedsPython();
#endif
}

// Returns a view of a text that stays valid as long as the block.
TextView kept_view(PyObject* text, LoadedBlock& into) {
    if (into.is_copied) return copied_view(text, into.copies);
    TextView view = view_of(text, into.copies);
    into.hold(text);
    return view;
}

void load_strings(PyObject* object, LoadedBlock& into, std::vector<Item>& items) {
    if (!is_sequence(object)) throw UnsupportedInput();
    auto sequence = unchanging(object);
    size_t count = sequence_size(sequence.ptr());
    items.push_back({into.block.texts.size(), count});
    SequenceItems tokens(sequence.ptr());
    auto load_all = [&](auto view) {
        for (size_t i = 0; i < count; ++i) {
            // A subclass may override equality.
            if (!PyUnicode_CheckExact(tokens[i])) throw UnsupportedInput();
            into.block.texts.push_back(view(tokens[i]));
        }
    };
    if (into.is_copied) return load_all([&](PyObject* token) { return copied_view(token, into.copies); });
    load_all([&](PyObject* token) {
        into.hold(token);
        return view_of(token, into.copies);
    });
}

void load_integers(PyObject* object, LoadedBlock& into, std::vector<Item>& items) {
    auto sequence = unchanging(object);
    size_t count = sequence_size(sequence.ptr());
    auto* ids = reinterpret_cast<int64_t*>(into.copies.take(count * sizeof(int64_t)));
    items.push_back({into.block.ids.size(), 1});
    into.block.ids.push_back({ids, count, IdType::I64});
    SequenceItems tokens(sequence.ptr());
    for (size_t i = 0; i < count; ++i)
        if (!PyLong_CheckExact(tokens[i]) || !read_integer(tokens[i], ids[i])) throw UnsupportedInput();
}

void load_buffer(PyObject* object, LoadedBlock& into, std::vector<Item>& items) {
    if (!PyObject_CheckBuffer(object) || PyBytes_Check(object) || PyByteArray_Check(object) ||
        PyMemoryView_Check(object))
        throw UnsupportedInput();
    // NumPy's masked arrays also export masked values. Plain NumPy arrays have a static type, so they skip this check.
    if (PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE) && PyObject_HasAttrString(object, "_mask"))
        throw UnsupportedInput();
    nb::object kept = nb::borrow(object);             // exporting a buffer may run Python code that drops the object
    Py_buffer& buffer = into.buffers.emplace_back();  // allocated first, so an exported buffer is always released
    if (PyObject_GetBuffer(object, &buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
        into.buffers.pop_back();
        bool unfit = PyErr_ExceptionMatches(PyExc_BufferError) || PyErr_ExceptionMatches(PyExc_TypeError) ||
                     PyErr_ExceptionMatches(PyExc_ValueError);
        if (!unfit) throw nb::python_error();
        PyErr_Clear();
        throw UnsupportedInput();
    }
    std::optional<IdType> type = id_type(buffer.format, buffer.itemsize);
    if (!type.has_value() || buffer.ndim != 1 || !is_aligned(buffer)) throw UnsupportedInput();
    items.push_back({into.block.ids.size(), 1});
    into.block.ids.push_back({buffer.buf, static_cast<size_t>(buffer.shape[0]), *type});
}

// Drops all segments except the first ones. Their views stay in the block, unused.
void shorten(Block& block, size_t segments) {
    block.hypotheses.resize(std::min(block.hypotheses.size(), segments));
    if (block.reference_starts.size() > segments + 1) block.reference_starts.resize(segments + 1);
    block.references.resize(block.reference_starts.back());
}

template <class Class>
const Class* as(nb::handle object) {
    return object.is_valid() && nb::isinstance<Class>(object) ? nb::inst_ptr<Class>(object) : nullptr;
}

}  // namespace

bool needs_python_to_lower(const TextView& text) {
    if (text.encoding == Encoding::Ucs4) return true;
    if (text.encoding == Encoding::Utf8) {
        const uint8_t* bytes = static_cast<const uint8_t*>(text.data);
        bool found = false;
        for (size_t i = 0; i < text.size; ++i) found |= bytes[i] >= 0xf0;
        for (size_t i = 1; i < text.size; ++i)
            found |= (bytes[i - 1] == 0xce && bytes[i] == 0xa3) ||
                     (bytes[i - 1] == 0xc4 && bytes[i] == 0xb0);  // kSigma, kDottedI
        return found;
    }
    if (text.encoding != Encoding::Ucs2) return false;
    const uint16_t* units = static_cast<const uint16_t*>(text.data);
    bool found = false;
    for (size_t i = 0; i < text.size; ++i) found |= units[i] == kSigma || units[i] == kDottedI;
    return found;
}

const uint16_t* lower_table() {
    static const std::vector<uint16_t> table = [] {
        std::vector<Py_UCS4> codes(kLastLower + 1);
        for (uint32_t code = 0; code <= kLastLower; ++code) codes[code] = code;
        codes[kSigma] = codes[kDottedI] = 0;
        auto size = static_cast<Py_ssize_t>(codes.size());
        int byte_order = std::endian::native == std::endian::little ? -1 : 1;
        nb::object all = steal_checked(PyUnicode_DecodeUTF32(reinterpret_cast<const char*>(codes.data()),
                                                             size * static_cast<Py_ssize_t>(sizeof(Py_UCS4)),
                                                             "surrogatepass", &byte_order));
        nb::object lower = lowered(all);
        if (PyUnicode_GetLength(lower.ptr()) == size && PyUnicode_AsUCS4(lower.ptr(), codes.data(), size, 0) == nullptr)
            throw nb::python_error();
        if (PyUnicode_GetLength(lower.ptr()) != size || *std::max_element(codes.begin(), codes.end()) > kLastLower)
            throw std::logic_error("str.lower does not map single characters to single characters");
        return std::vector<uint16_t>(codes.begin(), codes.end());
    }();
    return table.data();
}

IdMatrix make_id_matrix(nb::object array, nb::object lengths, std::optional<int64_t> pad_id) {
    auto buffer_of = [](const nb::object& object, Py_buffer& buffer) {
        if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) throw nb::python_error();
    };
    // Memory views keep the buffers alive as long as the matrix.
    auto view_of_buffer = [](const nb::object& object) { return steal_checked(PyMemoryView_FromObject(object.ptr())); };
    nb::object array_view = view_of_buffer(array), lengths_view = lengths.is_none() ? lengths : view_of_buffer(lengths);
    Py_buffer buffer;
    buffer_of(array, buffer);
    std::optional<IdType> type = id_type(buffer.format, buffer.itemsize);
    bool fits = type.has_value() && (buffer.ndim == 2 || buffer.ndim == 3) && is_aligned(buffer);
    IdMatrix matrix{std::move(array_view),
                    buffer.buf,
                    type.value_or(IdType::I64),
                    0,
                    1,
                    0,
                    std::move(lengths_view),
                    nullptr,
                    {pad_id.has_value(), pad_id.value_or(0)}};
    if (fits) {
        matrix.segments = static_cast<size_t>(buffer.shape[0]);
        matrix.references = buffer.ndim == 3 ? static_cast<size_t>(buffer.shape[1]) : 1;
        matrix.width = static_cast<size_t>(buffer.shape[buffer.ndim - 1]);
    }
    PyBuffer_Release(&buffer);
    if (!fits) throw UnsupportedInput();
    if (!lengths.is_none()) {
        buffer_of(lengths, buffer);
        bool wanted = id_type(buffer.format, buffer.itemsize) == IdType::I64 && is_aligned(buffer) &&
                      static_cast<size_t>(buffer.len) == matrix.segments * matrix.references * sizeof(int64_t);
        matrix.lengths = static_cast<const int64_t*>(buffer.buf);
        PyBuffer_Release(&buffer);
        if (!wanted) throw UnsupportedInput();
    }
    return matrix;
}

nb::handle PythonInput::unchanging_side(nb::handle side) {
#ifdef Py_GIL_DISABLED
    if (side.is_valid() && is_sequence(side.ptr())) return copies_.emplace_back(unchanging(side.ptr()));
#endif
    return side;
}

PythonInput::PythonInput(nb::handle hypotheses, nb::handle references, Lowercase lowercase, ItemKind otherwise,
                         const TextStore* texts)
    : hypotheses_(unchanging_side(hypotheses)),
      references_(unchanging_side(references)),
      hypothesis_matrix_(as<IdMatrix>(hypotheses)),
      reference_matrix_(as<IdMatrix>(references)),
      hypothesis_column_(as<ArrowSide>(hypotheses)),
      reference_column_(as<ArrowSide>(references)),
      reference_texts_(texts),
      lowercase_(lowercase),
      kind_(otherwise) {
    auto size_of = [](nb::handle side, const IdMatrix* matrix, const ArrowSide* column) {
        if (matrix != nullptr) return matrix->segments;
        if (column != nullptr) return column->size();
        if (!is_sequence(side.ptr())) throw UnsupportedInput();
        return sequence_size(side.ptr());
    };
    auto hypotheses_size = [&] { return size_of(hypotheses_, hypothesis_matrix_, hypothesis_column_); };
    auto references_size = [&] { return size_of(references_, reference_matrix_, reference_column_); };
    size_ = hypotheses_.is_valid() ? hypotheses_size() : references_size();
    if (references_.is_valid() && references_size() != size_) throw UnsupportedInput();
    find_kind();
    auto check_column = [&](const ArrowSide* column, ArrowRole role) {
        if (column != nullptr && (column->role() != role || ((size_ > 0 || column->kind()) && !column->can_be(kind_))))
            throw UnsupportedInput();
    };
    check_column(hypothesis_column_, ArrowRole::Hypotheses);
    check_column(reference_column_, ArrowRole::References);
}

void PythonInput::find_kind() {
    if (hypothesis_matrix_ != nullptr || reference_matrix_ != nullptr) {
        kind_ = ItemKind::Ids;
        return;
    }
    if (size_ == 0) return;
    for (const ArrowSide* column : {hypothesis_column_, reference_column_})
        if (column != nullptr && column->kind()) {
            kind_ = *column->kind();
            return;
        }
    // The first token decides for all, because sequences may be empty.
    auto kind_of_item = [](PyObject* item) -> std::optional<ItemKind> {
        if (PyUnicode_Check(item)) return ItemKind::Text;
        if (!is_sequence(item)) return ItemKind::Ids;
        auto tokens = unchanging(item);
        if (sequence_size(tokens.ptr()) == 0) return std::nullopt;
        return PyUnicode_Check(SequenceItems(tokens.ptr())[0]) ? ItemKind::Tokens : ItemKind::Ids;
    };
    for (size_t i = 0; i < size_; ++i) {
        if (hypotheses_.is_valid() && hypothesis_column_ == nullptr)
            if (auto kind = kind_of_item(SequenceItems(hypotheses_.ptr())[i])) {
                kind_ = *kind;
                return;
            }
        if (!references_.is_valid() || reference_column_ != nullptr) continue;
        PyObject* entry = SequenceItems(references_.ptr())[i];
        if (PyUnicode_Check(entry)) {
            kind_ = ItemKind::Text;
            return;
        }
        if (!is_sequence(entry)) throw UnsupportedInput();
        auto texts = unchanging(entry);
        for (size_t r = 0; r < sequence_size(texts.ptr()); ++r) {
            PyObject* reference = SequenceItems(texts.ptr())[r];
            if (reference == Py_None) continue;
            if (auto kind = kind_of_item(reference)) {
                kind_ = *kind;
                return;
            }
        }
    }
}

bool PythonInput::prepare_copying() {
    auto is_list = [](nb::handle side, const IdMatrix* matrix, const ArrowSide* column) {
        return side.is_valid() && matrix == nullptr && column == nullptr;
    };
    bool lists_hypotheses = is_list(hypotheses_, hypothesis_matrix_, hypothesis_column_);
    bool lists_references = is_list(references_, reference_matrix_, reference_column_);
    has_objects_ = lists_hypotheses || lists_references;
    if (lowercase_ == Lowercase::Full) lower_table();  // created with the GIL
#ifdef REFSCORE_THREADS_READ_OBJECTS
    if (kind_ != ItemKind::Ids || size_ == 0) return true;
    if (lists_hypotheses) find_arrays(hypotheses_, false);
    if (lists_references) find_arrays(references_, true);
    return true;
#else
    return !has_objects_;
#endif
}

#ifdef REFSCORE_THREADS_READ_OBJECTS

// Learns the type of the first array of a side, if its memory has the expected layout.
void PythonInput::find_arrays(nb::handle side, bool are_references) {
    if (sequence_size(side.ptr()) == 0) return;
    PyObject* item = SequenceItems(side.ptr())[0];
    if (are_references) {
        if (!is_sequence(item) || sequence_size(item) == 0) return;
        item = SequenceItems(item)[0];
    }
    PyTypeObject* type = Py_TYPE(item);
    if (is_sequence(item) || std::strcmp(type->tp_name, "numpy.ndarray") != 0 ||
        PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) ||
        type->tp_basicsize < static_cast<Py_ssize_t>(sizeof(NumpyArray)))
        return;
    LoadedBlock probe;
    try {
        load_buffer(item, probe, probe.block.hypotheses);
    } catch (const UnsupportedInput&) {
        return;
    }
    const Py_buffer& buffer = probe.buffers[0];
    const auto* array = reinterpret_cast<const NumpyArray*>(item);
    if (array->data != buffer.buf || array->dimensions != 1 || array->shape[0] != buffer.shape[0]) return;
    known_arrays_.push_back({type, nb::borrow(array->descriptor), probe.block.ids[0].type});
}

void PythonInput::load_array(PyObject* object, LoadedBlock& into, std::vector<Item>& items) const {
    constexpr int kContiguous = 0x0001, kAligned = 0x0100;  // NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_ALIGNED
    for (const KnownArrays& known : known_arrays_) {
        if (Py_TYPE(object) != known.type) continue;
        const auto* array = reinterpret_cast<const NumpyArray*>(object);
        if (array->descriptor != known.descriptor.ptr() || array->dimensions != 1) continue;
        if ((array->flags & kContiguous) == 0 || (array->flags & kAligned) == 0) continue;
        size_t count = static_cast<size_t>(array->shape[0]), bytes = count * id_size(known.ids);
        uint8_t* copy = into.copies.take(bytes);
        if (bytes > 0) std::memcpy(copy, array->data, bytes);
        items.push_back({into.block.ids.size(), 1});
        into.block.ids.push_back({copy, count, known.ids});
        return;
    }
    throw NeedsPython();
}

#else
void PythonInput::load_array(PyObject*, LoadedBlock&, std::vector<Item>&) const { throw NeedsPython(); }
#endif

void PythonInput::load(size_t begin, size_t end, LoadedBlock& into) const {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    into.release();
    into.is_copied = false;
    load_sides(begin, end, into);
}

LoadedPart PythonInput::load_copied(size_t begin, size_t end, LoadedBlock& into) const {
    constexpr size_t kLong = size_t{1} << 14;  // characters: more than 64 sentences with a reference
    into.release();
    into.is_copied = true;
    bool is_stuck = load_sides(begin, end, into);
    Block& block = into.block;
    size_t loaded = hypotheses_.is_valid() ? block.size() : block.reference_starts.size() - 1;
    if (!hypotheses_.is_valid()) return {begin + loaded, false, is_stuck};
    // Copies are already limited; views of arrays and columns may be long.
    std::vector<Piece>& pieces = into.pieces;
    pieces.clear();
    cut_by_length(block, pieces);
    if (pieces[0].end < loaded) {
        loaded = pieces[0].end;
        is_stuck = false;
        shorten(block, loaded);
    }
    return {begin + loaded, pieces[0].cost > kLong, is_stuck};
}

// Loads both sides. Copies end after kMostCopied bytes of a side, or before a segment that needs Python; then it
// returns true.
bool PythonInput::load_sides(size_t begin, size_t end, LoadedBlock& into) const {
    constexpr size_t kMostCopied = size_t{1} << 16;  // as in cut_by_length, because most characters have one byte
    into.begin = begin;
    Block& block = into.block;
    block.clear();
    block.kind = kind_;
    block.lower = nullptr;
    bool is_stuck = false;
    auto for_each_item = [&](nb::handle side, auto load_one) {
        size_t copied = into.copies.size();
        for (size_t i = begin; i < end; ++i) {
            if (i >= sequence_size(side.ptr())) throw UnsupportedInput();  // another thread has shortened the list
            SequenceItems items(side.ptr());
            constexpr size_t kAhead =
                8;  // objects: far enough for a cache miss to finish, and within the 64 of a block
            if (i + kAhead < end && i + kAhead < sequence_size(side.ptr())) prefetch_line(items[i + kAhead]);
            if (into.is_copied && i > begin && into.copies.size() - copied > kMostCopied) {
                end = i;
                is_stuck = false;
                return;
            }
            try {
                load_one(items[i]);
            } catch (const NeedsPython&) {
                end = i;
                is_stuck = true;
                return;
            }
        }
    };
    if (hypothesis_matrix_ != nullptr) {
        if (hypothesis_matrix_->references != 1) throw UnsupportedInput();
        block.hypothesis_padding = hypothesis_matrix_->padding;
        load_rows(*hypothesis_matrix_, begin, end, block, block.hypotheses);
    } else if (hypothesis_column_ != nullptr) {
        is_stuck = !load_column(*hypothesis_column_, begin, end, into);
        if (is_stuck) end = begin;
    } else if (hypotheses_.is_valid()) {
        for_each_item(hypotheses_, [&](PyObject* item) { load_item(item, into, block.hypotheses); });
    }
    if (reference_matrix_ != nullptr) {
        size_t each = reference_matrix_->references;
        if (each == 0) throw UnsupportedInput();
        block.reference_padding = reference_matrix_->padding;
        load_rows(*reference_matrix_, begin * each, end * each, block, block.references);
        for (size_t i = begin; i < end; ++i) block.reference_starts.push_back((i - begin + 1) * each);
    } else if (reference_column_ != nullptr) {
        if (!load_column(*reference_column_, begin, end, into)) {
            is_stuck = true;
            end = begin;
        }
    } else if (reference_texts_ != nullptr) {
        reference_texts_->load(begin, end, block);
    } else if (references_.is_valid()) {
        for_each_item(references_, [&](PyObject* entry) { load_references(entry, into); });
    }
    shorten(block, end - begin);
    return is_stuck;
}

// Returns false if a copy needs Python.
bool PythonInput::load_column(const ArrowSide& column, size_t begin, size_t end, LoadedBlock& into) const {
    std::vector<TextView>& texts = into.block.texts;
    size_t before = texts.size();
    column.load(begin, end, kind_, into.block);
    if (kind_ != ItemKind::Text || lowercase_ != Lowercase::Full) return true;
    for (size_t i = before; i < texts.size(); ++i) {
        if (is_ascii(static_cast<const uint8_t*>(texts[i].data), texts[i].size)) continue;
        into.block.lower = lower_table();
        if (!needs_python_to_lower(texts[i])) continue;
        if (into.is_copied) return false;
        nb::object text = lowered(steal_checked(PyUnicode_DecodeUTF8(static_cast<const char*>(texts[i].data),
                                                                     static_cast<Py_ssize_t>(texts[i].size), nullptr)));
        texts[i] = view_of(text.ptr(), into.copies);
        into.hold(text.ptr());
    }
    return true;
}

void PythonInput::load_references(PyObject* entry, LoadedBlock& into) const {
    Block& block = into.block;
    if (kind_ == ItemKind::Text && PyUnicode_Check(entry)) {
        load_item(entry, into, block.references);
    } else {
        if (!is_sequence(entry)) throw UnsupportedInput();
        nb::object kept = into.is_copied ? nb::object() : nb::borrow(entry);
        auto texts = unchanging(entry);
        size_t before = block.references.size();
        for (size_t r = 0; r < sequence_size(texts.ptr()); ++r) {
            PyObject* reference = SequenceItems(texts.ptr())[r];
            if (reference != Py_None) load_item(reference, into, block.references);
        }
        if (block.references.size() == before) throw UnsupportedInput();
    }
    block.reference_starts.push_back(block.references.size());
}

void PythonInput::load_text(PyObject* text, LoadedBlock& into, std::vector<Item>& items) const {
    if (!PyUnicode_Check(text)) throw UnsupportedInput();
    TextView view = kept_view(text, into);
    if (lowercase_ == Lowercase::Full && view.encoding != Encoding::Ascii) {
        if (needs_python_to_lower(view)) {
            if (into.is_copied) throw NeedsPython();
            nb::object lower = lowered(text);
            view = kept_view(lower.ptr(), into);
        }
        into.block.lower = lower_table();
    }
    items.push_back({into.block.texts.size(), 1});
    into.block.texts.push_back(view);
}

void PythonInput::load_item(PyObject* object, LoadedBlock& into, std::vector<Item>& items) const {
    switch (kind_) {
        case ItemKind::Text: return load_text(object, into, items);
        case ItemKind::Tokens: return load_strings(object, into, items);
        case ItemKind::Ids:
            if (is_sequence(object)) return load_integers(object, into, items);
            return into.is_copied ? load_array(object, into, items) : load_buffer(object, into, items);
    }
}

}  // namespace refscore::bindings

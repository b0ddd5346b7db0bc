// Reads strings, sequences and integers. Everything that depends on how Python stores them is in this file.
//
// The stable ABI (Py_LIMITED_API) hides the memory of objects, so the same functions call Python there.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

#include "loaded_block.hpp"
#include "refscore/segments/segments.hpp"

// Threads may read objects while a different thread holds the GIL for them. This needs a GIL, and the memory of the
// objects.
#if !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED)
#define REFSCORE_THREADS_READ_OBJECTS 1
#endif

namespace refscore::bindings {

namespace nb = nanobind;

// Takes a new reference from the C API. If it is null, for example without memory, throws the Python error.
inline nb::object steal_checked(PyObject* object) {
    if (object == nullptr) throw nb::python_error();
    return nb::steal(object);
}

inline bool is_sequence(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

// The size of a list or tuple.
inline size_t sequence_size(PyObject* sequence) {
#ifdef Py_LIMITED_API
    return static_cast<size_t>(PyList_Check(sequence) ? PyList_Size(sequence) : PyTuple_Size(sequence));
#else
    return static_cast<size_t>(PySequence_Fast_GET_SIZE(sequence));
#endif
}

// The items of a list or tuple, as borrowed references. Invalid once the list changes.
class SequenceItems {
  public:
#ifdef Py_LIMITED_API
    explicit SequenceItems(PyObject* sequence)
        : sequence_(sequence), item_(PyList_Check(sequence) ? PyList_GetItem : PyTuple_GetItem) {}
    PyObject* operator[](size_t i) const { return item_(sequence_, static_cast<Py_ssize_t>(i)); }

  private:
    PyObject* sequence_;
    PyObject* (*item_)(PyObject*, Py_ssize_t);
#else
    explicit SequenceItems(PyObject* sequence) : items_(PySequence_Fast_ITEMS(sequence)) {}
    PyObject* operator[](size_t i) const { return items_[i]; }

  private:
    PyObject** items_;
#endif
};

// Sets an item of a new tuple, and takes the reference.
inline void set_tuple_item(PyObject* tuple, size_t i, nb::object item) {
#ifdef Py_LIMITED_API
    PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), item.release().ptr());
#else
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), item.release().ptr());
#endif
}

// Without a GIL, a different thread can change a list while it is read. Then this returns a copy.
#ifdef Py_GIL_DISABLED
inline nb::object unchanging(PyObject* sequence) {
    return PyList_Check(sequence) ? steal_checked(PyList_AsTuple(sequence)) : nb::borrow(sequence);
}
#else
inline nb::handle unchanging(PyObject* sequence) { return sequence; }
#endif

// Returns a view of a string, valid as long as the string and `copies`.
inline TextView view_of(PyObject* text, [[maybe_unused]] CopiedBytes& copies) {
#ifdef Py_LIMITED_API
    // Python stores the UTF-8 form with the string. Lone surrogates have none.
    Py_ssize_t size = 0;
    if (const char* bytes = PyUnicode_AsUTF8AndSize(text, &size))
        return {bytes, static_cast<size_t>(size), PyUnicode_GetLength(text) == size ? Encoding::Ascii : Encoding::Utf8};
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
    PyErr_Clear();
    Py_ssize_t length = PyUnicode_GetLength(text);
    auto* codes = reinterpret_cast<Py_UCS4*>(copies.take(static_cast<size_t>(length) * sizeof(Py_UCS4)));
    if (PyUnicode_AsUCS4(text, codes, length, 0) == nullptr) throw nb::python_error();
    return {codes, static_cast<size_t>(length), Encoding::Ucs4};
#else
#if PY_VERSION_HEX < 0x030c0000
    if (PyUnicode_READY(text) != 0) throw nb::python_error();
#endif
    Encoding encoding = Encoding::Ucs4;
    switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: encoding = PyUnicode_IS_ASCII(text) ? Encoding::Ascii : Encoding::Latin1; break;
        case PyUnicode_2BYTE_KIND: encoding = Encoding::Ucs2; break;
        default: break;
    }
    return {PyUnicode_DATA(text), static_cast<size_t>(PyUnicode_GET_LENGTH(text)), encoding};
#endif
}

// Reads an exact int without an error or a reference count. Returns false if it has more than 64 bits.
inline bool read_integer(PyObject* integer, int64_t& out) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX >= 0x030c0000
    auto* number = reinterpret_cast<PyLongObject*>(integer);
    if (PyUnstable_Long_IsCompact(number)) {
        out = PyUnstable_Long_CompactValue(number);
        return true;
    }
#endif
    int overflow = 0;
    out = PyLong_AsLongLongAndOverflow(integer, &overflow);
    return overflow == 0;
}

}  // namespace refscore::bindings

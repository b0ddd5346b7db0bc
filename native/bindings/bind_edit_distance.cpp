// The functions of editdistance. They are plain C functions, because a short pair takes less time than nanobind's call.
#include "bind.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "limits.hpp"
#include "refscore/distance/short_distance.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

// A key for each item of a sequence: its hash, or for texts the character. A negative size means a Python error.
class Keys {
  public:
    // `is_text` means that both sides are texts.
    Keys(PyObject* sequence, Py_ssize_t size, bool is_text) : size_(size) {
        if (static_cast<size_t>(size) > few_.size()) many_.resize(static_cast<size_t>(size));
        int64_t* out = data();
        if (is_text) {
            for (Py_ssize_t i = 0; i < size; ++i) out[i] = character_at(sequence, i);
            return;
        }
        bool is_listed = PyList_CheckExact(sequence) || PyTuple_CheckExact(sequence);
        for (Py_ssize_t i = 0; i < size; ++i) {
            // A new reference: computing the hash may change the list.
            PyObject* item = is_listed ? PySequence_GetItem(sequence, i) : item_at(sequence, i);
            Py_hash_t hash = item == nullptr ? -1 : PyObject_Hash(item);
            Py_XDECREF(item);
            if (hash == -1) {
                size_ = -1;
                return;
            }
            out[i] = hash;
        }
    }

    bool has_failed() const { return size_ < 0; }
    std::span<const int64_t> all() { return {data(), static_cast<size_t>(size_)}; }

  private:
    static int64_t character_at(PyObject* text, Py_ssize_t i) {
#ifdef Py_LIMITED_API
        return PyUnicode_ReadChar(text, i);
#else
        return PyUnicode_READ_CHAR(text, i);
#endif
    }
    static PyObject* item_at(PyObject* sequence, Py_ssize_t i) {
        PyObject* index = PyLong_FromSsize_t(i);
        if (index == nullptr) return nullptr;
        PyObject* item = PyObject_GetItem(sequence, index);
        Py_DECREF(index);
        return item;
    }
    int64_t* data() { return many_.empty() ? few_.data() : many_.data(); }

    std::array<int64_t, 128> few_;
    std::vector<int64_t> many_;
    Py_ssize_t size_;
};

// Longer sequences take Python's path, which releases the GIL.
constexpr Py_ssize_t kLongest = 4096;

// The distance, or -1 with a Python error. `module` has the function for long sequences, and for limits.
Py_ssize_t distance(PyObject* module, PyObject* a, PyObject* b) {
    Py_ssize_t first = PyObject_Length(a), second = first < 0 ? -1 : PyObject_Length(b);
    if (second < 0) return -1;
    try {
        if (std::min(first, second) > static_cast<Py_ssize_t>(kShortDistance) || std::max(first, second) > kLongest ||
            Limits::current().any()) {
            nb::object result = nb::handle(module).attr("_long_distance")(nb::handle(a), nb::handle(b));
            return PyLong_AsSsize_t(result.ptr());
        }
        bool are_texts = PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b);
        Keys one(a, first, are_texts);
        if (one.has_failed()) return -1;
        Keys other(b, second, are_texts);
        if (other.has_failed()) return -1;
        return static_cast<Py_ssize_t>(short_distance(one.all(), other.all()));
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    }
    return -1;
}

// Reads arguments, by position or name. Sets a Python error and returns false if they do not fit.
template <size_t Count>
bool read_arguments(const char* function, const std::array<const char*, Count>& parameters, PyObject* const* given,
                    Py_ssize_t positional, PyObject* names, std::array<PyObject*, Count>& arguments) {
    Py_ssize_t named = names == nullptr ? 0 : PyTuple_Size(names);
    arguments.fill(nullptr);
    for (Py_ssize_t i = 0; i < positional && static_cast<size_t>(i) < Count; ++i)
        arguments[static_cast<size_t>(i)] = given[i];
    for (Py_ssize_t k = 0; k < named; ++k) {
        PyObject* name = PyTuple_GetItem(names, k);
        size_t i = 0;
        while (i < Count && PyUnicode_CompareWithASCIIString(name, parameters[i]) != 0) ++i;
        if (i == Count || arguments[i] != nullptr) {
            const char* format = i == Count ? "%s() got an unexpected keyword argument '%U'"
                                            : "%s() got multiple values for keyword argument '%U'";
            PyErr_Format(PyExc_TypeError, format, function, name);
            return false;
        }
        arguments[i] = given[positional + k];
    }
    if (static_cast<size_t>(positional + named) == Count) return true;
    PyErr_Format(PyExc_TypeError, "%s() takes exactly %zd arguments (%zd given)", function,
                 static_cast<Py_ssize_t>(Count), positional + named);
    return false;
}

PyObject* eval(PyObject* module, PyObject* const* given, Py_ssize_t positional, PyObject* names) {
    std::array<PyObject*, 2> arguments;
    if (!read_arguments<2>("eval", {"a", "b"}, given, positional, names, arguments)) return nullptr;
    Py_ssize_t found = distance(module, arguments[0], arguments[1]);
    return found < 0 ? nullptr : PyLong_FromSsize_t(found);
}

// Reads a threshold like editdistance: floats are truncated. Returns -1 with a Python error.
int64_t threshold_of(PyObject* value) {
    if (!PyLong_Check(value) && !PyNumber_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "an integer is required");
        return -1;
    }
    PyObject* whole = PyNumber_Long(value);
    if (whole == nullptr) return -1;
    int overflow = 0;
    long long threshold = PyLong_AsLongLongAndOverflow(whole, &overflow);
    Py_DECREF(whole);
    if (overflow == 0 && threshold >= 0 && threshold <= static_cast<long long>(UINT_MAX)) return threshold;
    bool is_negative = overflow < 0 || (overflow == 0 && threshold < 0);
    PyErr_SetString(PyExc_OverflowError, is_negative ? "can't convert negative value to unsigned int"
                                                     : "value too large to convert to unsigned int");
    return -1;
}

PyObject* eval_criterion(PyObject* module, PyObject* const* given, Py_ssize_t positional, PyObject* names) {
    std::array<PyObject*, 3> arguments;
    if (!read_arguments<3>("eval_criterion", {"a", "b", "thr"}, given, positional, names, arguments)) return nullptr;
    int64_t threshold = threshold_of(arguments[2]);
    if (threshold < 0) return nullptr;
    Py_ssize_t found = distance(module, arguments[0], arguments[1]);
    if (found < 0) return nullptr;
    // Like editdistance, deny two equal sequences with the threshold 0, unless a side is empty.
    if (threshold == 0 && found == 0) {
        Py_ssize_t first = PyObject_Length(arguments[0]), second = first < 0 ? -1 : PyObject_Length(arguments[1]);
        if (second < 0) return nullptr;
        return PyBool_FromLong(first == 0 || second == 0);
    }
    return PyBool_FromLong(found <= threshold);
}

template <class Function>
PyCFunction as_c_function(Function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef functions[] = {
    {"eval", as_c_function(&eval), METH_FASTCALL | METH_KEYWORDS,
     "eval($module, a, b)\n--\n\n"
     "Return the number of insertions, deletions and substitutions between two texts or sequences.\n\n"
     "Example:\n"
     "    >>> from refscore.compat import editdistance\n"
     "    >>> editdistance.eval(\"kitten\", \"sitting\"), editdistance.eval([\"a\", \"cat\"], [\"the\", \"cat\"])\n"
     "    (3, 1)\n"},
    {"eval_criterion", as_c_function(&eval_criterion), METH_FASTCALL | METH_KEYWORDS,
     "eval_criterion($module, a, b, thr)\n--\n\n"
     "Return whether the distance is at most `thr`. Like editdistance, deny it for `thr=0`, unless a side is empty.\n\n"
     "Example:\n"
     "    >>> from refscore.compat import editdistance\n"
     "    >>> editdistance.eval_criterion(\"kitten\", \"sitting\", 3), editdistance.eval_criterion(\"a\", \"a\", 0)\n"
     "    (True, False)\n"},
};

}  // namespace

void bind_edit_distance(nb::module_& m) {
    m.def(
        "edit_distance_functions",
        [](nb::handle module) {
            nb::object name = module.attr("__name__");
            nb::list made;
            for (PyMethodDef& function : functions)
                made.append(nb::steal(PyCFunction_NewEx(&function, module.ptr(), name.ptr())));
            return nb::tuple(made);
        },
        "module"_a, nb::sig("def edit_distance_functions(module: types.ModuleType, /) -> tuple[Any, Any]"));
}

}  // namespace refscore::bindings

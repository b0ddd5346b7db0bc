// Reads Arrow arrays of strings, integers and lists of these in place.
//
// The producer is not trusted: lengths, offsets, indexes and null counts are checked. Buffer sizes cannot be checked,
// because the interface rarely passes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "refscore/arrow/abi.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// Thrown for a column that cannot be read.
class BadColumn : public InputError {
  public:
    using InputError::InputError;
};

// Thrown if a column was changed after it was checked.
class ColumnChanged : public InputError {
  public:
    ColumnChanged() : InputError(std::nullopt, "hypotheses or references were changed while they were being scored") {}
};

enum class ArrowForm : uint8_t {
    Null,
    Utf8,
    LargeUtf8,
    Utf8View,
    Dictionary,
    Integer,
    List,
    LargeList,
    FixedList,
    ListView,
    LargeListView
};

// The type of values: strings, integers, or lists of these, nested at most twice.
struct ArrowType {
    ArrowForm form = ArrowForm::Null;
    IdType integers = IdType::I64;     // the width of integers or of dictionary indexes
    bool is_uint64 = false;            // values must also fit into int64
    size_t width = 0;                  // the length of fixed-size lists
    std::unique_ptr<ArrowType> inner;  // the values of lists and dictionaries

    bool is_list() const { return form >= ArrowForm::List; }
    size_t depth() const { return is_list() ? 1 + inner->depth() : 0; }
    const ArrowType& leaf() const { return is_list() ? inner->leaf() : *this; }
};

// Reads the type of a schema. `where` is the name of the column in error messages.
ArrowType read_arrow_type(const ArrowSchema& schema, const std::string& where);

// The values of one array.
class ArrowValues {
  public:
    struct Range {
        size_t begin, end;
    };

    // Reads the values from `first` to `last` and checks everything except their UTF-8. The array must outlive this
    // object.
    ArrowValues(const ArrowArray& array, const ArrowType& type, size_t first, size_t last, const std::string& where);

    const ArrowType& type() const { return *type_; }
    bool may_have_nulls() const {
        return validity_ != nullptr || type_->form == ArrowForm::Null ||
               (type_->form == ArrowForm::Dictionary && inner_->may_have_nulls());
    }
    bool is_null(size_t i) const {
        if (type_->form == ArrowForm::Null) return true;
        if (!is_valid(i)) return true;
        if (type_->form != ArrowForm::Dictionary || !inner_->may_have_nulls()) return false;
        uint64_t known = index(i);
        if (known >= limit_) throw ColumnChanged();
        return inner_->is_null(known);
    }
    // For non-null strings.
    TextView text(size_t i) const;
    // For integers.
    IdView integers(const Range& range) const;
    // For lists: the range of inner values that one list contains.
    Range items(size_t i) const;
    const ArrowValues& inner() const { return *inner_; }

    // Returns the first string in the range that is not valid UTF-8, or `last`.
    size_t first_invalid(size_t first, size_t last) const;

  private:
    template <class T>
    static T load(const void* data, size_t i) {
        T value;  // memcpy, because buffers need not be aligned
        std::memcpy(&value, static_cast<const char*>(data) + i * sizeof(T), sizeof(T));
        return value;
    }
    bool is_valid(size_t i) const {
        return validity_ == nullptr || (validity_[(offset_ + i) / 8] >> ((offset_ + i) % 8) & 1) != 0;
    }
    uint64_t index(size_t i) const;
    template <class Offset>
    void check_offsets(const ArrowArray& array, size_t first, size_t last, const char* of, const std::string& where);
    template <class Offset>
    Range check_list_views(size_t first, size_t last, const std::string& where) const;
    void check_views(const ArrowArray& array, size_t first, size_t last, const std::string& where);
    void check_integers(size_t first, size_t last, const std::string& where) const;
    template <class Offset>
    Range between(size_t i) const {
        auto begin = static_cast<uint64_t>(load<Offset>(offsets_, offset_ + i)),
             end = static_cast<uint64_t>(load<Offset>(offsets_, offset_ + i + 1));
        if (begin > end || end > limit_) throw ColumnChanged();
        return {static_cast<size_t>(begin), static_cast<size_t>(end)};
    }

    const ArrowType* type_;
    const uint8_t* validity_ = nullptr;
    size_t offset_ = 0;
    const void* offsets_ = nullptr;  // or indexes, integers, views
    const void* data_ = nullptr;     // bytes, or the sizes of list views
    uint64_t limit_ = 0;             // the upper bound of offsets and indexes
    const void* const* view_buffers_ = nullptr;
    size_t view_buffer_count_ = 0;
    std::unique_ptr<ArrowValues> inner_;
    bool has_valid_dictionary_ = false;  // all its strings are valid UTF-8
};

}  // namespace refscore

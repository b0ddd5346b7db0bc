#include "refscore/arrow/values.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <vector>

#include "refscore/text/utf8.hpp"

namespace refscore {
namespace {

// 2**56 values exceed any address space. Below this limit none of the sizes computed in this file can overflow.
constexpr uint64_t kMostValues = uint64_t{1} << 56;

[[noreturn]] void broken(const std::string& where, const std::string& what) {
    throw BadColumn(Location{where}, "is broken Arrow data: " + what);
}

std::string printable(std::string_view text) {
    constexpr size_t kMostShown = 40;  // a malformed format string can be arbitrarily long; an error message should not
    std::string shown;
    for (char c : text.substr(0, kMostShown)) shown += c >= ' ' && c <= '~' ? c : '?';
    return shown;
}

// Returns a readable name for an unsupported type.
std::string name_of(std::string_view format) {
    struct Name {
        const char *format, *name;
    };
    static constexpr Name kWhole[] = {
        {"b", "booleans"}, {"c", "integers"}, {"C", "integers"}, {"s", "integers"}, {"S", "integers"},
        {"i", "integers"}, {"I", "integers"}, {"l", "integers"}, {"L", "integers"}, {"e", "float16"},
        {"f", "float32"},  {"g", "float64"},  {"+s", "structs"}, {"+m", "maps"},    {"+r", "run-end encoded values"}};
    static constexpr Name kBegin[] = {{"z", "binary"},    {"Z", "binary"},  {"vz", "binary"},       {"w:", "binary"},
                                      {"d:", "decimals"}, {"+u", "unions"}, {"t", "dates or times"}};
    for (const Name& known : kWhole)
        if (format == known.format) return known.name;
    for (const Name& known : kBegin)
        if (format.starts_with(known.format)) return known.name;
    return "Arrow type '" + printable(format) + "'";
}

bool read_integer_type(std::string_view format, ArrowType& type) {
    static constexpr std::string_view kFormats = "csilCSIL";
    static constexpr IdType kTypes[] = {IdType::I8, IdType::I16, IdType::I32, IdType::I64,
                                        IdType::U8, IdType::U16, IdType::U32, IdType::I64};
    size_t found = format.size() == 1 ? kFormats.find(format[0]) : std::string_view::npos;
    if (found == std::string_view::npos) return false;
    type.integers = kTypes[found];
    type.is_uint64 = format == "L";
    return true;
}

// References may be lists of lists of tokens; nothing is nested more deeply.
constexpr size_t kDeepest = 2;

ArrowType read_type(const ArrowSchema& schema, const std::string& where, size_t depth) {
    if (schema.release == nullptr || schema.format == nullptr) broken(where, "its schema has been released");
    std::string_view format = schema.format;
    ArrowType type;
    if (schema.dictionary != nullptr) {
        if (!read_integer_type(format, type)) broken(where, "the indexes of a dictionary are not integers");
        ArrowType values = read_type(*schema.dictionary, where, kDeepest);
        bool of_strings =
            values.form == ArrowForm::Utf8 || values.form == ArrowForm::LargeUtf8 || values.form == ArrowForm::Utf8View;
        if (!of_strings && values.form != ArrowForm::Null)
            throw BadColumn(Location{where}, "has a dictionary of values other than strings",
                            "cast it to its value type");
        type.form = ArrowForm::Dictionary;
        type.inner = std::make_unique<ArrowType>(std::move(values));
        return type;
    }
    if (format == "n") return type;
    if (format == "u" || format == "U" || format == "vu") {
        type.form = format == "u" ? ArrowForm::Utf8 : format == "U" ? ArrowForm::LargeUtf8 : ArrowForm::Utf8View;
        return type;
    }
    if (depth > 0 && read_integer_type(format, type)) {
        type.form = ArrowForm::Integer;
        return type;
    }
    bool is_list = true;
    if (format == "+l") {
        type.form = ArrowForm::List;
    } else if (format == "+L") {
        type.form = ArrowForm::LargeList;
    } else if (format == "+vl") {
        type.form = ArrowForm::ListView;
    } else if (format == "+vL") {
        type.form = ArrowForm::LargeListView;
    } else if (format.starts_with("+w:")) {
        type.form = ArrowForm::FixedList;
        const char *begin = format.data() + 3, *end = format.data() + format.size();
        auto [stop, error] = std::from_chars(begin, end, type.width);
        if (error != std::errc() || stop != end || type.width > kMostValues)
            broken(where, "a list of the size '" + printable({begin, end}) + "'");
    } else {
        is_list = false;
    }
    if (!is_list || depth >= kDeepest) {
        std::string name = is_list     ? "lists of lists of lists"
                           : depth > 0 ? "lists of " + name_of(format)
                                       : name_of(format);
        throw BadColumn(Location{where}, "is a column of " + name,
                        "expected strings, lists of strings, or lists of integers");
    }
    if (schema.n_children != 1 || schema.children == nullptr || schema.children[0] == nullptr)
        broken(where, "a list without a type");
    type.inner = std::make_unique<ArrowType>(read_type(*schema.children[0], where, depth + 1));
    return type;
}

}  // namespace

ArrowType read_arrow_type(const ArrowSchema& schema, const std::string& where) { return read_type(schema, where, 0); }

ArrowValues::ArrowValues(const ArrowArray& array, const ArrowType& type, size_t first, size_t last,
                         const std::string& where)
    : type_(&type) {
    if (array.release == nullptr) broken(where, "it has been released");
    if (array.length < 0 || array.offset < 0 || static_cast<uint64_t>(array.length) > kMostValues ||
        static_cast<uint64_t>(array.offset) > kMostValues)
        broken(where, "a length or an offset is out of range");
    if (array.null_count < -1 || array.null_count > array.length) broken(where, "a count of nulls is out of range");
    if (first > last || last > static_cast<size_t>(array.length))
        broken(where, "an array is shorter than what refers to it");
    offset_ = static_cast<size_t>(array.offset);
    // Buffers per form in the Arrow columnar format, in the order of ArrowForm. String views have at least 3.
    static constexpr int64_t kBuffers[] = {0, 3, 3, 3, 2, 2, 2, 2, 1, 3, 3};
    int64_t wanted = kBuffers[static_cast<size_t>(type.form)];
    bool is_view = type.form == ArrowForm::Utf8View;
    // The specification gives null arrays no buffers, but Polars exports a validity buffer for them.
    bool is_null = type.form == ArrowForm::Null && array.n_buffers == 1;
    if (is_view ? array.n_buffers < wanted : array.n_buffers != wanted && !is_null)
        broken(where, "an array has the wrong number of buffers for its type");
    if (wanted > 0 && array.buffers == nullptr) broken(where, "an array has no buffers");
    if (array.n_children != (type.is_list() ? 1 : 0) ||
        (type.is_list() && (array.children == nullptr || array.children[0] == nullptr)))
        broken(where, "an array has the wrong number of children for its type");
    if (type.form == ArrowForm::Null) return;
    if (array.null_count != 0) validity_ = static_cast<const uint8_t*>(array.buffers[0]);
    if (array.null_count > 0 && validity_ == nullptr) broken(where, "it has nulls but no validity bitmap");
    if (wanted > 1) offsets_ = array.buffers[1];
    if (wanted > 2) data_ = array.buffers[2];
    bool is_empty = first == last;
    if (wanted > 1 && offsets_ == nullptr && !is_empty) broken(where, "a buffer is missing");

    Range used{0, 0};
    switch (type.form) {
        case ArrowForm::Null: return;
        case ArrowForm::Utf8:
        case ArrowForm::LargeUtf8: {
            if (is_empty) return;
            bool is_large = type.form == ArrowForm::LargeUtf8;
            is_large ? check_offsets<int64_t>(array, first, last, "strings", where)
                     : check_offsets<int32_t>(array, first, last, "strings", where);
            if (data_ == nullptr && limit_ != 0) broken(where, "a buffer is missing");
            return;
        }
        case ArrowForm::Utf8View: check_views(array, first, last, where); return;
        case ArrowForm::Integer: check_integers(first, last, where); return;
        case ArrowForm::Dictionary: {
            if (array.dictionary == nullptr) broken(where, "a dictionary is missing");
            const ArrowArray& values = *array.dictionary;
            inner_ = std::make_unique<ArrowValues>(values, *type.inner, 0,
                                                   values.length < 0 ? 0 : static_cast<size_t>(values.length), where);
            limit_ = static_cast<uint64_t>(values.length);
            for (size_t i = first; i < last; ++i)
                if (is_valid(i) && index(i) >= limit_)
                    broken(where, "an index is beyond the dictionary, at value " + std::to_string(i));
            has_valid_dictionary_ = inner_->first_invalid(0, limit_) == limit_;
            return;
        }
        case ArrowForm::List:
        case ArrowForm::LargeList: {
            if (is_empty) break;
            bool is_large = type.form == ArrowForm::LargeList;
            is_large ? check_offsets<int64_t>(array, first, last, "lists", where)
                     : check_offsets<int32_t>(array, first, last, "lists", where);
            used = {static_cast<size_t>(is_large ? load<int64_t>(offsets_, offset_ + first)
                                                 : load<int32_t>(offsets_, offset_ + first)),
                    static_cast<size_t>(limit_)};
            break;
        }
        case ArrowForm::FixedList:
            if (type.width > 0 && offset_ + last > kMostValues / type.width)
                broken(where, "lists of fixed size are too long");
            used = {(offset_ + first) * type.width, (offset_ + last) * type.width};
            break;
        case ArrowForm::ListView:
        case ArrowForm::LargeListView:
            if (is_empty) break;
            if (data_ == nullptr) broken(where, "a buffer is missing");
            used = type.form == ArrowForm::ListView ? check_list_views<int32_t>(first, last, where)
                                                    : check_list_views<int64_t>(first, last, where);
            break;
    }
    if (used.end > kMostValues) broken(where, "an offset of lists is out of range");
    limit_ = used.end;
    inner_ = std::make_unique<ArrowValues>(*array.children[0], *type.inner, used.begin, used.end, where);
}

template <class Offset>
void ArrowValues::check_offsets(const ArrowArray& array, size_t first, size_t last, const char* of,
                                const std::string& where) {
    bool falls = load<Offset>(offsets_, offset_ + first) < 0;
    for (size_t i = first; i < last; ++i)
        falls |= load<Offset>(offsets_, offset_ + i + 1) < load<Offset>(offsets_, offset_ + i);
    // The last offset of the array is the size of the data, even if the values in use end earlier.
    falls |=
        load<Offset>(offsets_, offset_ + static_cast<size_t>(array.length)) < load<Offset>(offsets_, offset_ + last);
    if (falls) broken(where, std::string("the offsets of ") + of + " are below 0 or decrease");
    limit_ = static_cast<uint64_t>(load<Offset>(offsets_, offset_ + last));
}

template <class Offset>
ArrowValues::Range ArrowValues::check_list_views(size_t first, size_t last, const std::string& where) const {
    Range used{std::numeric_limits<size_t>::max(), 0};
    for (size_t i = first; i < last; ++i) {
        if (!is_valid(i)) continue;
        auto begin = static_cast<int64_t>(load<Offset>(offsets_, offset_ + i)),
             size = static_cast<int64_t>(load<Offset>(data_, offset_ + i));
        if (begin < 0 || size < 0 || static_cast<uint64_t>(begin) > kMostValues ||
            static_cast<uint64_t>(size) > kMostValues)
            broken(where, "the offset or size of a list is out of range, at value " + std::to_string(i));
        if (size == 0) continue;
        used.begin = std::min(used.begin, static_cast<size_t>(begin));
        used.end = std::max(used.end, static_cast<size_t>(begin + size));
    }
    return used.end == 0 ? Range{0, 0} : used;
}

namespace {

// The string view layout of the Arrow format: 16 bytes per view, of which 12 can hold a short string in place.
constexpr size_t kViewSize = 16;
constexpr uint32_t kInlineView = 12;

struct View {
    int32_t size;
    int32_t buffer, offset;  // valid only if the string is not stored inline
    const uint8_t* inlined;
};

View view_at(const void* views, size_t i) {
    const uint8_t* bytes = static_cast<const uint8_t*>(views) + i * kViewSize;
    View view{};
    std::memcpy(&view.size, bytes, 4);
    std::memcpy(&view.buffer, bytes + 8, 4);
    std::memcpy(&view.offset, bytes + 12, 4);
    view.inlined = bytes + 4;
    return view;
}

}  // namespace

void ArrowValues::check_views(const ArrowArray& array, size_t first, size_t last, const std::string& where) {
    view_buffers_ = array.buffers + 2;
    view_buffer_count_ = static_cast<size_t>(array.n_buffers - 3);
    data_ = array.buffers[array.n_buffers - 1];  // the sizes of the buffers
    if (data_ == nullptr && view_buffer_count_ > 0) broken(where, "the sizes of buffers are missing");
    for (size_t b = 0; b < view_buffer_count_; ++b) {
        int64_t size = load<int64_t>(data_, b);
        if (size < 0 || (size > 0 && view_buffers_[b] == nullptr))
            broken(where, "a buffer is missing, or of a size below 0");
    }
    for (size_t i = first; i < last; ++i) {
        if (!is_valid(i)) continue;
        View view = view_at(offsets_, offset_ + i);
        if (view.size < 0) broken(where, "a string's size is below 0, at value " + std::to_string(i));
        if (static_cast<uint32_t>(view.size) <= kInlineView) continue;
        bool is_inside = view.buffer >= 0 && static_cast<size_t>(view.buffer) < view_buffer_count_ &&
                         view.offset >= 0 &&
                         int64_t{view.offset} + view.size <= load<int64_t>(data_, static_cast<size_t>(view.buffer));
        if (!is_inside) broken(where, "a string is outside its buffer, at value " + std::to_string(i));
    }
}

void ArrowValues::check_integers(size_t first, size_t last, const std::string& where) const {
    if (reinterpret_cast<uintptr_t>(offsets_) % id_size(type_->integers) != 0)
        broken(where, "integers are not aligned in memory");
    if (!type_->is_uint64) return;
    bool beyond = false;
    for (size_t i = first; i < last; ++i) beyond |= is_valid(i) && load<int64_t>(offsets_, offset_ + i) < 0;
    if (beyond) throw BadColumn(Location{where}, "has an id of 2**63 or more", "ids are 64-bit signed integers");
}

uint64_t ArrowValues::index(size_t i) const {
    size_t at = offset_ + i;
    switch (type_->integers) {
        case IdType::I8: return static_cast<uint64_t>(int64_t{load<int8_t>(offsets_, at)});
        case IdType::I16: return static_cast<uint64_t>(int64_t{load<int16_t>(offsets_, at)});
        case IdType::I32: return static_cast<uint64_t>(int64_t{load<int32_t>(offsets_, at)});
        case IdType::I64: return load<uint64_t>(offsets_, at);
        case IdType::U8: return load<uint8_t>(offsets_, at);
        case IdType::U16: return load<uint16_t>(offsets_, at);
        case IdType::U32: return load<uint32_t>(offsets_, at);
    }
    return 0;
}

// The constructor has checked all values. Their memory belongs to another program, which may have written to it since,
// so whatever leads to an address is checked again here.
TextView ArrowValues::text(size_t i) const {
    switch (type_->form) {
        case ArrowForm::Utf8: {
            Range range = between<int32_t>(i);
            return {static_cast<const char*>(data_) + range.begin, range.end - range.begin, Encoding::Utf8};
        }
        case ArrowForm::LargeUtf8: {
            Range range = between<int64_t>(i);
            return {static_cast<const char*>(data_) + range.begin, range.end - range.begin, Encoding::Utf8};
        }
        case ArrowForm::Utf8View: {
            View view = view_at(offsets_, offset_ + i);
            if (view.size < 0) throw ColumnChanged();
            size_t size = static_cast<size_t>(view.size);
            if (size <= kInlineView) return {view.inlined, size, Encoding::Utf8};
            bool is_inside = view.buffer >= 0 && static_cast<size_t>(view.buffer) < view_buffer_count_ &&
                             view.offset >= 0 &&
                             int64_t{view.offset} + view.size <= load<int64_t>(data_, static_cast<size_t>(view.buffer));
            if (!is_inside) throw ColumnChanged();
            return {static_cast<const char*>(view_buffers_[view.buffer]) + view.offset, size, Encoding::Utf8};
        }
        case ArrowForm::Dictionary: {
            uint64_t known = index(i);
            if (known >= limit_) throw ColumnChanged();
            return inner_->text(known);
        }
        default: throw std::logic_error("these values are not strings");
    }
}

IdView ArrowValues::integers(const Range& range) const {
    size_t size = range.end - range.begin;
    if (size == 0) return {nullptr, 0, type_->integers};
    return {static_cast<const char*>(offsets_) + (offset_ + range.begin) * id_size(type_->integers), size,
            type_->integers};
}

ArrowValues::Range ArrowValues::items(size_t i) const {
    auto of_view = [&](int64_t begin, int64_t size) {
        if (size == 0) return Range{0, 0};
        uint64_t limit = limit_;
        if (begin < 0 || size < 0 || static_cast<uint64_t>(begin) > limit ||
            static_cast<uint64_t>(size) > limit - static_cast<uint64_t>(begin))
            throw ColumnChanged();
        return Range{static_cast<size_t>(begin), static_cast<size_t>(begin + size)};
    };
    switch (type_->form) {
        case ArrowForm::List: return between<int32_t>(i);
        case ArrowForm::LargeList: return between<int64_t>(i);
        case ArrowForm::FixedList: return {(offset_ + i) * type_->width, (offset_ + i + 1) * type_->width};
        case ArrowForm::ListView:
            return of_view(load<int32_t>(offsets_, offset_ + i), load<int32_t>(data_, offset_ + i));
        case ArrowForm::LargeListView:
            return of_view(load<int64_t>(offsets_, offset_ + i), load<int64_t>(data_, offset_ + i));
        default: throw std::logic_error("these values are not lists");
    }
}

size_t ArrowValues::first_invalid(size_t first, size_t last) const {
    if (first == last || type_->form == ArrowForm::Null || has_valid_dictionary_) return last;
    for (size_t i = first; i < last; ++i) {
        if (is_null(i)) continue;
        TextView view = text(i);
        const uint8_t* bytes = static_cast<const uint8_t*>(view.data);
        if (!is_ascii(bytes, view.size) && !is_utf8(bytes, view.size)) return i;
    }
    return last;
}

}  // namespace refscore

// Arrow columns of every form, valid and invalid. Columns that are accepted can be read, even if their buffers change
// after the check.
//
// The interface does not pass the sizes of most buffers, so only detectable faults are created: buffers have exactly
// the size that lengths and last offsets imply.
#include <deque>
#include <string>

#include "input.hpp"
#include "refscore/arrow/side.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

int released = 0;

// All memory of one run. Releasing a structure only marks it, as a reference-counting producer would.
struct Producer {
    struct Bytes {
        std::unique_ptr<uint8_t[]> data;
        size_t size;
        bool may_change;
    };
    std::deque<ArrowSchema> schemas;
    std::deque<ArrowArray> arrays;
    std::deque<std::string> formats;
    std::deque<std::vector<ArrowSchema*>> schema_children;
    std::deque<std::vector<ArrowArray*>> array_children;
    std::deque<std::vector<const void*>> buffer_lists;
    std::deque<Bytes> buffers;

    const void* buffer(const std::vector<uint8_t>& bytes, bool may_change = true, size_t shift = 0) {
        buffers.push_back(
            {std::unique_ptr<uint8_t[]>(new uint8_t[bytes.size() + shift]), bytes.size() + shift, may_change});
        if (!bytes.empty()) std::memcpy(buffers.back().data.get() + shift, bytes.data(), bytes.size());
        return buffers.back().data.get() + shift;
    }
};

template <class T>
void append(std::vector<uint8_t>& bytes, T value) {
    const auto* begin = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

template <class T>
void overwrite(std::vector<uint8_t>& bytes, size_t i, T value) {
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

struct Shape {
    ArrowForm form;
    char integers = 'i';
    size_t width = 0;
    std::unique_ptr<Shape> inner;
    const char* instead = nullptr;  // replaces the format
    uint8_t schema_fault = 0;
};

size_t integer_size(char format) {
    return format == 'c' || format == 'C'   ? 1
           : format == 's' || format == 'S' ? 2
           : format == 'i' || format == 'I' ? 4
                                            : 8;
}

std::unique_ptr<Shape> read_shape(Input& input, size_t depth, bool is_dictionary = false) {
    auto shape = std::make_unique<Shape>();
    size_t kind = is_dictionary ? input.below(4) : input.below(depth < 3 ? 11 : 6);
    static constexpr ArrowForm kForms[] = {ArrowForm::Utf8,     ArrowForm::LargeUtf8,    ArrowForm::Utf8View,
                                           ArrowForm::Null,     ArrowForm::Integer,      ArrowForm::Dictionary,
                                           ArrowForm::List,     ArrowForm::LargeList,    ArrowForm::FixedList,
                                           ArrowForm::ListView, ArrowForm::LargeListView};
    shape->form = kForms[kind];
    shape->integers = "csilCSIL"[input.below(8)];
    shape->width = input.below(4);
    if (shape->form == ArrowForm::Dictionary) shape->inner = read_shape(input, depth, true);
    if (shape->form >= ArrowForm::List) shape->inner = read_shape(input, depth + 1);
    shape->schema_fault = input.byte();
    if (shape->schema_fault == 255)
        shape->instead = input.choose({"g", "z", "+m", "+w:", "+w:-1", "+w:99999999999999999999",
                                       "+w:1152921504606846976", "+w:7", "tsu:", "", "+s", "\xff"});
    return shape;
}

ArrowSchema* make_schema(Producer& producer, const Shape& shape) {
    static constexpr const char* kFormats[] = {"n", "u", "U", "vu", "", "", "+l", "+L", "", "+vl", "+vL"};
    std::string& format = producer.formats.emplace_back(kFormats[static_cast<size_t>(shape.form)]);
    if (shape.form == ArrowForm::Dictionary || shape.form == ArrowForm::Integer) format = shape.integers;
    if (shape.form == ArrowForm::FixedList) format = "+w:" + std::to_string(shape.width);
    if (shape.instead != nullptr) format = shape.instead;
    std::vector<ArrowSchema*>& children = producer.schema_children.emplace_back();
    ArrowSchema* dictionary = nullptr;
    if (shape.form >= ArrowForm::List) children.push_back(make_schema(producer, *shape.inner));
    if (shape.form == ArrowForm::Dictionary) dictionary = make_schema(producer, *shape.inner);
    ArrowSchema& schema = producer.schemas.emplace_back(ArrowSchema{
        format.c_str(), "column", nullptr, 0, static_cast<int64_t>(children.size()), children.data(), dictionary,
        [](ArrowSchema* schema) {
            schema->release = nullptr;
            ++released;
        },
        nullptr});
    switch (shape.schema_fault) {
        case 254: schema.format = nullptr; break;
        case 253: schema.release = nullptr; break;
        case 252: schema.children = nullptr; break;
        case 251: schema.n_children = 1 - schema.n_children; break;
        case 250:
            if (!children.empty()) children[0] = nullptr;
            break;
    }
    return &schema;
}

// Returns `size` bytes, taken from the input as long as it lasts.
std::vector<uint8_t> bytes_of(Input& input, size_t size) {
    std::span<const uint8_t> taken = input.take(size);
    std::vector<uint8_t> bytes(taken.begin(), taken.end());
    bytes.resize(size, 'a');
    return bytes;
}

// Returns the last offset. If a different offset is wrong, the array must not be shortened: the wrong one could become
// the last.
template <class Offset>
size_t make_offsets(Input& input, size_t count, std::vector<uint8_t>& offsets, bool& may_shrink) {
    Offset last = static_cast<Offset>(input.below(3));
    append(offsets, last);
    for (size_t i = 0; i < count; ++i)
        append(offsets, last = static_cast<Offset>(last + static_cast<Offset>(input.below(16))));
    if (input.byte() == 255) {  // any offset except the last, which determines the size
        overwrite<Offset>(offsets, input.below(count + 1), static_cast<Offset>(input.number()));
        overwrite<Offset>(offsets, count, last);
        may_shrink = false;
    }
    return static_cast<size_t>(last);
}

ArrowArray* make_array(Producer& producer, Input& input, const Shape& shape, size_t length);

void make_views(Producer& producer, Input& input, size_t count, std::vector<const void*>& buffers) {
    std::vector<uint8_t> views, sizes;
    std::vector<std::vector<uint8_t>> data;
    for (size_t b = input.below(4); b > 0; --b) data.push_back(bytes_of(input, input.below(64)));
    for (size_t i = 0; i < count; ++i) {
        size_t begin = views.size(), size = input.below(24);
        append(views, static_cast<int32_t>(size));
        if (size <= 12) {
            std::vector<uint8_t> inlined = bytes_of(input, size);
            views.insert(views.end(), inlined.begin(), inlined.end());
        } else {
            append(views, int32_t{0});
            append(views, static_cast<int32_t>(input.below(4)));
            append(views, static_cast<int32_t>(input.below(48)));
        }
        views.resize(begin + 16);
        if (input.byte() == 255) {
            std::vector<uint8_t> other = bytes_of(input, 16);
            std::copy(other.begin(), other.end(), views.begin() + static_cast<ptrdiff_t>(begin));
        }
    }
    buffers.push_back(producer.buffer(views));
    for (const std::vector<uint8_t>& bytes : data) {
        buffers.push_back(producer.buffer(bytes));
        append(sizes, static_cast<int64_t>(bytes.size()));
    }
    if (!data.empty() && input.byte() == 255)
        overwrite<int64_t>(sizes, input.below(data.size()), -input.number() / 2 - 1 < 0 ? int64_t{-1} : int64_t{0});
    buffers.push_back(producer.buffer(sizes, false));
}

template <class Offset>
void make_list_views(Producer& producer, Input& input, size_t count, std::vector<const void*>& buffers) {
    std::vector<uint8_t> offsets, sizes;
    for (size_t i = 0; i < count; ++i) {
        uint8_t byte = input.byte();
        bool is_any = byte == 255;
        append(offsets, static_cast<Offset>(is_any ? input.number() : byte % 8));
        append(sizes, static_cast<Offset>(is_any ? input.number() : byte / 8 % 6));
    }
    buffers.push_back(producer.buffer(offsets));
    buffers.push_back(producer.buffer(sizes));
}

void break_array(ArrowArray& array, std::vector<const void*>& buffers, std::vector<ArrowArray*>& children,
                 bool has_views, bool may_shrink, Input& input) {
    switch (input.byte()) {
        case 255: array.length = -1; break;
        case 254: array.length = INT64_MAX; break;
        case 253: array.offset = -1; break;
        case 252: array.offset = INT64_MAX; break;
        case 251: array.null_count = input.number(); break;
        case 250:
            if (!has_views || array.n_buffers <= 3)
                array.n_buffers = static_cast<int64_t>(input.below(buffers.size() + 1)) - 1;
            break;
        case 249: array.buffers = nullptr; break;
        case 248:
            if (!buffers.empty()) buffers[input.below(buffers.size())] = nullptr;
            break;
        case 247: array.n_children = 1 - array.n_children; break;
        case 246: array.children = nullptr; break;
        case 245:
            if (!children.empty()) children[0] = nullptr;
            break;
        case 244: array.dictionary = nullptr; break;
        case 243: array.release = nullptr; break;
        case 242:
            if (may_shrink && array.length > 0) --array.length;
            break;
    }
}

ArrowArray* make_array(Producer& producer, Input& input, const Shape& shape, size_t length) {
    size_t offset = input.below(4), count = offset + length;
    std::vector<const void*>& buffers = producer.buffer_lists.emplace_back();
    std::vector<ArrowArray*>& children = producer.array_children.emplace_back();
    ArrowArray* dictionary = nullptr;
    int64_t nulls = 0;
    if (shape.form != ArrowForm::Null) {
        uint8_t validity = input.byte();
        buffers.push_back(nullptr);
        if (validity % 2 == 1) {
            buffers[0] = producer.buffer(bytes_of(input, (count + 7) / 8));
            nulls = validity % 4 == 1 ? -1 : static_cast<int64_t>(std::min<size_t>(length, validity / 4));
        } else if (validity % 4 == 2) {
            nulls = -1;
        }
    }
    std::vector<uint8_t> offsets;
    bool may_shrink = true;
    switch (shape.form) {
        case ArrowForm::Null:
            if (count % 2 == 1) buffers.push_back(nullptr);  // as exported by Polars
            break;
        case ArrowForm::Utf8:
        case ArrowForm::LargeUtf8: {
            size_t size = shape.form == ArrowForm::Utf8 ? make_offsets<int32_t>(input, count, offsets, may_shrink)
                                                        : make_offsets<int64_t>(input, count, offsets, may_shrink);
            buffers.push_back(producer.buffer(offsets));
            buffers.push_back(producer.buffer(bytes_of(input, size)));
            break;
        }
        case ArrowForm::Utf8View: make_views(producer, input, count, buffers); break;
        case ArrowForm::Dictionary: {
            size_t size = input.below(6), width = integer_size(shape.integers);
            std::vector<uint8_t> indexes(count * width);
            for (size_t i = 0; i < count; ++i) {
                uint8_t byte = input.byte();
                if (byte == 255)
                    std::fill_n(indexes.begin() + static_cast<ptrdiff_t>(i * width), width, input.byte());
                else
                    indexes[i * width] = size > 0 ? static_cast<uint8_t>(byte % (size + (byte == 254))) : 0;
            }
            buffers.push_back(producer.buffer(indexes, true, input.byte() == 255));
            dictionary = make_array(producer, input, *shape.inner, size);
            break;
        }
        case ArrowForm::Integer:
            buffers.push_back(
                producer.buffer(bytes_of(input, count * integer_size(shape.integers)), true, input.byte() == 255));
            break;
        case ArrowForm::List:
        case ArrowForm::LargeList: {
            size_t size = shape.form == ArrowForm::List ? make_offsets<int32_t>(input, count, offsets, may_shrink)
                                                        : make_offsets<int64_t>(input, count, offsets, may_shrink);
            buffers.push_back(producer.buffer(offsets));
            children.push_back(make_array(producer, input, *shape.inner, size));
            break;
        }
        case ArrowForm::FixedList:
            children.push_back(make_array(producer, input, *shape.inner, count * shape.width));
            break;
        case ArrowForm::ListView:
            make_list_views<int32_t>(producer, input, count, buffers);
            children.push_back(make_array(producer, input, *shape.inner, input.below(16)));
            break;
        case ArrowForm::LargeListView:
            make_list_views<int64_t>(producer, input, count, buffers);
            children.push_back(make_array(producer, input, *shape.inner, input.below(16)));
            break;
    }
    ArrowArray& array = producer.arrays.emplace_back(ArrowArray{
        static_cast<int64_t>(length), nulls, static_cast<int64_t>(offset), static_cast<int64_t>(buffers.size()),
        static_cast<int64_t>(children.size()), buffers.data(), children.data(), dictionary,
        [](ArrowArray* array) {
            array->release = nullptr;
            ++released;
        },
        nullptr});
    break_array(array, buffers, children, shape.form == ArrowForm::Utf8View, may_shrink, input);
    return &array;
}

// Wraps the column in a table with a single column.
ArrowArray* as_table(Producer& producer, Input& input, ArrowArray* column) {
    std::vector<const void*>& buffers = producer.buffer_lists.emplace_back(1, nullptr);
    std::vector<ArrowArray*>& children = producer.array_children.emplace_back(1, column);
    size_t length = column->length < 0 || column->length > 1000 ? 0 : static_cast<size_t>(column->length);
    size_t offset = std::min(length, input.below(3));
    bool has_nulls = input.flag();
    if (has_nulls) buffers[0] = producer.buffer(bytes_of(input, (length + 7) / 8));
    ArrowArray& array = producer.arrays.emplace_back(ArrowArray{
        static_cast<int64_t>(length - offset), has_nulls ? -1 : 0, static_cast<int64_t>(offset), 1, 1, buffers.data(),
        children.data(), nullptr, [](ArrowArray* array) { array->release = nullptr; }, nullptr});
    break_array(array, buffers, children, false, true, input);
    return &array;
}

ArrowColumn read_column(Producer& producer, Input& input) {
    std::unique_ptr<Shape> shape = read_shape(input, 0);
    bool is_table = input.flag();
    ArrowSchema* schema = make_schema(producer, *shape);
    if (is_table) {
        std::vector<ArrowSchema*>& children = producer.schema_children.emplace_back(1, schema);
        int64_t count = input.byte() == 255 ? 2 : 1;
        if (count == 2) children.push_back(schema);
        schema = &producer.schemas.emplace_back(ArrowSchema{"+s", "", nullptr, 0, count, children.data(), nullptr,
                                                            [](ArrowSchema* one) { one->release = nullptr; }, nullptr});
    }
    ArrowColumn column(Owned<ArrowSchema>(*schema), "column");
    for (size_t chunks = input.below(4); chunks > 0; --chunks) {
        ArrowArray* array = make_array(producer, input, *shape, input.below(12));
        if (is_table) array = as_table(producer, input, array);
        column.add(Owned<ArrowArray>(*array), "column");
    }
    return column;
}

// Reads all segments in blocks of `step`, as a metric would.
void read(const ArrowSide& side, ItemKind kind, size_t step, const TextRules& rules) {
    Numberer numberer(rules);
    TokenList list;
    for (size_t begin = 0; begin < side.size(); begin += step) {
        Block block;
        block.clear();
        block.kind = kind;
        if (rules.lowercase == Lowercase::Full) block.lower = lower_table();
        size_t end = std::min(begin + step, side.size());
        side.load(begin, end, kind, block);
        if (side.role() == ArrowRole::Hypotheses) {
            CHECK(block.size() == end - begin);
            for (size_t i = 0; i < block.size(); ++i) numberer.read_hypothesis(block, i, list);
        } else {
            CHECK(block.reference_starts.size() == end - begin + 1);
            for (size_t i = 0; i < end - begin; ++i) {
                CHECK(block.reference_starts[i + 1] > block.reference_starts[i]);
                numberer.references(block, i);
            }
        }
    }
}

void change(Producer& producer, Input& input) {
    for (size_t times = input.below(6); times > 0 && !producer.buffers.empty(); --times) {
        Producer::Bytes& buffer = producer.buffers[input.below(producer.buffers.size())];
        std::vector<uint8_t> bytes = bytes_of(input, input.below(9));
        size_t at = input.below(256);
        if (!buffer.may_change || at + bytes.size() > buffer.size) continue;
        std::copy(bytes.begin(), bytes.end(), buffer.data.get() + at);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    Producer producer;
    TextRules rules = read_rules(input);
    ArrowRole role = input.one_of<ArrowRole>(2);
    bool of_tokens = input.flag();
    size_t columns = role == ArrowRole::References ? 1 + input.below(2) : 1, step = 1 + input.below(16);
    try {
        ArrowSide side(role, of_tokens, "column");
        for (size_t i = 0; i < columns; ++i) side.add(read_column(producer, input));
        side.check(1);
        std::vector<ItemKind> kinds{ItemKind::Tokens, ItemKind::Ids};
        if (side.kind()) kinds.assign(1, *side.kind());
        for (ItemKind kind : kinds) read(side, kind, step, rules);  // whatever passed the check can be read
        change(producer, input);
        try {
            for (ItemKind kind : kinds) read(side, kind, step, rules);
        } catch (const ColumnChanged&) {
        } catch (const std::logic_error&) {}
    } catch (const BadColumn&) {}
    return 0;
}

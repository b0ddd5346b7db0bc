// Arrow columns of every form: complete, sliced and invalid. Buffers have no spare bytes, so sanitizers detect reads
// past their end.
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/arrow/side.hpp"

using namespace refscore;

namespace {

int alive = 0;  // structures not yet released

// The memory of an array.
struct Store {
    std::vector<std::vector<uint8_t>> bytes;
    std::vector<const void*> buffers;
    std::vector<ArrowArray*> children;
};

void release_array(ArrowArray* array) {
    for (int64_t i = 0; i < array->n_children; ++i) {
        if (array->children[i]->release != nullptr) array->children[i]->release(array->children[i]);
        delete array->children[i];
    }
    if (array->dictionary != nullptr) {
        if (array->dictionary->release != nullptr) array->dictionary->release(array->dictionary);
        delete array->dictionary;
    }
    delete static_cast<Store*>(array->private_data);
    array->release = nullptr;
    --alive;
}

struct SchemaStore {
    std::string format;
    std::vector<ArrowSchema*> children;
};

void release_schema(ArrowSchema* schema) {
    auto* store = static_cast<SchemaStore*>(schema->private_data);
    for (ArrowSchema* child : store->children) {
        if (child->release != nullptr) child->release(child);
        delete child;
    }
    if (schema->dictionary != nullptr) {
        if (schema->dictionary->release != nullptr) schema->dictionary->release(schema->dictionary);
        delete schema->dictionary;
    }
    delete store;
    schema->release = nullptr;
    --alive;
}

ArrowSchema* new_schema(const std::string& format, std::vector<ArrowSchema*> children = {},
                        ArrowSchema* dictionary = nullptr) {
    auto* store = new SchemaStore{format, std::move(children)};
    auto* schema = new ArrowSchema{
        store->format.c_str(),  "column",   nullptr,        0,    static_cast<int64_t>(store->children.size()),
        store->children.data(), dictionary, release_schema, store};
    ++alive;
    return schema;
}

template <class T>
std::vector<uint8_t> bytes_of(const std::vector<T>& values) {
    const auto* data = reinterpret_cast<const uint8_t*>(values.data());
    return {data, data + values.size() * sizeof(T)};
}

ArrowArray* new_array(size_t length, const std::vector<bool>& valid, std::vector<std::vector<uint8_t>> rest,
                      std::vector<ArrowArray*> children = {}, ArrowArray* dictionary = nullptr) {
    auto* store = new Store;
    std::vector<uint8_t> bitmap((length + 7) / 8);
    int64_t nulls = 0;
    for (size_t i = 0; i < length; ++i) {
        if (valid[i]) bitmap[i / 8] = static_cast<uint8_t>(bitmap[i / 8] | 1u << i % 8);
        nulls += !valid[i];
    }
    store->bytes.push_back(bitmap);
    for (auto& buffer : rest) store->bytes.push_back(std::move(buffer));
    for (auto& buffer : store->bytes) {
        buffer.shrink_to_fit();
        store->buffers.push_back(buffer.empty() ? nullptr : buffer.data());
    }
    if (nulls == 0) store->buffers[0] = nullptr;
    store->children = std::move(children);
    auto* array = new ArrowArray{static_cast<int64_t>(length),
                                 nulls,
                                 0,
                                 static_cast<int64_t>(store->buffers.size()),
                                 static_cast<int64_t>(store->children.size()),
                                 store->buffers.data(),
                                 store->children.data(),
                                 dictionary,
                                 release_array,
                                 store};
    ++alive;
    return array;
}

// A value is null, a string, an integer, or a list.
struct Value {
    bool is_null = false;
    std::string text;
    int64_t id = 0;
    std::vector<Value> items;
    bool operator==(const Value&) const = default;
};

struct Column {
    ArrowSchema* schema;
    ArrowArray* array;
};

std::vector<bool> validity(const std::vector<Value>& values) {
    std::vector<bool> valid;
    for (const Value& value : values) valid.push_back(!value.is_null);
    return valid;
}

template <class Offset>
Column strings(const std::vector<Value>& values) {
    std::vector<Offset> offsets{0};
    std::string data;
    for (const Value& value : values) {
        data += value.text;
        offsets.push_back(static_cast<Offset>(data.size()));
    }
    return {new_schema(sizeof(Offset) == 4 ? "u" : "U"),
            new_array(values.size(), validity(values), {bytes_of(offsets), {data.begin(), data.end()}})};
}

Column views(const std::vector<Value>& values) {
    std::vector<std::vector<uint8_t>> buffers(2);
    std::vector<uint8_t> views;
    for (size_t i = 0; i < values.size(); ++i) {
        const std::string& text = values[i].text;
        uint8_t view[16] = {};
        auto size = static_cast<int32_t>(text.size());
        std::memcpy(view, &size, 4);
        if (text.size() <= 12) {
            std::memcpy(view + 4, text.data(), text.size());
        } else {
            auto buffer = static_cast<int32_t>(i % 2), offset = static_cast<int32_t>(buffers[i % 2].size());
            std::memcpy(view + 4, text.data(), 4);
            std::memcpy(view + 8, &buffer, 4);
            std::memcpy(view + 12, &offset, 4);
            buffers[i % 2].insert(buffers[i % 2].end(), text.begin(), text.end());
        }
        views.insert(views.end(), view, view + 16);
    }
    std::vector<int64_t> sizes{static_cast<int64_t>(buffers[0].size()), static_cast<int64_t>(buffers[1].size())};
    return {new_schema("vu"),
            new_array(values.size(), validity(values), {views, buffers[0], buffers[1], bytes_of(sizes)})};
}

Column dictionary(const std::vector<Value>& values) {
    std::vector<Value> known;
    std::vector<int16_t> indexes;
    for (const Value& value : values) {
        size_t found = static_cast<size_t>(std::find(known.begin(), known.end(), value) - known.begin());
        if (!value.is_null && found == known.size()) known.push_back(value);
        indexes.push_back(value.is_null ? int16_t{-7} : static_cast<int16_t>(found));
    }
    Column of = strings<int32_t>(known);
    return {new_schema("s", {}, of.schema),
            new_array(values.size(), validity(values), {bytes_of(indexes)}, {}, of.array)};
}

Column integers(const std::vector<Value>& values) {
    std::vector<int32_t> ids;
    for (const Value& value : values) ids.push_back(static_cast<int32_t>(value.id));
    return {new_schema("i"), new_array(values.size(), validity(values), {bytes_of(ids)})};
}

using Make = std::function<Column(const std::vector<Value>&)>;

template <class Offset>
Make lists(Make inner) {
    return [inner](const std::vector<Value>& values) {
        std::vector<Offset> offsets{0};
        std::vector<Value> all;
        for (const Value& value : values) {
            all.insert(all.end(), value.items.begin(), value.items.end());
            offsets.push_back(static_cast<Offset>(all.size()));
        }
        Column of = inner(all);
        return Column{new_schema(sizeof(Offset) == 4 ? "+l" : "+L", {of.schema}),
                      new_array(values.size(), validity(values), {bytes_of(offsets)}, {of.array})};
    };
}

Make list_views(Make inner) {
    return [inner](const std::vector<Value>& values) {
        std::vector<int32_t> offsets, sizes;
        std::vector<Value> all;
        for (size_t i = values.size(); i-- > 0;) {  // backwards, because list views may have any order
            offsets.insert(offsets.begin(), static_cast<int32_t>(all.size()));
            sizes.insert(sizes.begin(), static_cast<int32_t>(values[i].items.size()));
            all.insert(all.end(), values[i].items.begin(), values[i].items.end());
        }
        Column of = inner(all);
        return Column{new_schema("+vl", {of.schema}),
                      new_array(values.size(), validity(values), {bytes_of(offsets), bytes_of(sizes)}, {of.array})};
    };
}

Column table(const Column& column) {
    size_t length = static_cast<size_t>(column.array->length);
    return {new_schema("+s", {column.schema}), new_array(length, std::vector<bool>(length, true), {}, {column.array})};
}

// Passes a column on, like capsules do.
ArrowSide side_of(Column column, ArrowRole role, bool of_tokens = false) {
    Owned<ArrowSchema> schema(*column.schema);
    Owned<ArrowArray> array(*column.array);
    delete column.schema;
    delete column.array;
    ArrowSide side(role, of_tokens, "column");
    ArrowColumn read(std::move(schema), "column");
    read.add(std::move(array), "column");
    side.add(std::move(read));
    side.check(1);
    return side;
}

std::string string_of(const TextView& view) { return {static_cast<const char*>(view.data), view.size}; }

// Checks that the references of a block are those of the values.
void check_loaded(const ArrowSide& side, const std::vector<Value>& values, ItemKind kind) {
    CHECK(side.size() == values.size());
    for (size_t step : {size_t{1}, size_t{3}, values.size() + 1}) {
        for (size_t begin = 0; begin < values.size(); begin += step) {
            Block block;
            block.clear();
            size_t end = std::min(begin + step, values.size());
            side.load(begin, end, kind, block);
            CHECK(block.reference_starts.size() == end - begin + 1);
            size_t at = 0;
            for (size_t row = begin; row < end; ++row) {
                bool is_single = kind == ItemKind::Text ? values[row].items.empty() : false;
                std::vector<Value> items = is_single ? std::vector<Value>{values[row]} : values[row].items;
                for (const Value& item : items) {
                    if (item.is_null) continue;
                    Item found = block.references[at++];
                    if (kind == ItemKind::Text) CHECK(string_of(block.texts[found.first]) == item.text);
                    if (kind == ItemKind::Tokens) {
                        CHECK(found.count == item.items.size());
                        for (size_t i = 0; i < found.count; ++i)
                            CHECK(string_of(block.texts[found.first + i]) == item.items[i].text);
                    }
                    if (kind == ItemKind::Ids) {
                        const IdView& ids = block.ids[found.first];
                        CHECK(ids.size == item.items.size());
                        CHECK(ids.type == IdType::I32);
                        for (size_t i = 0; i < ids.size; ++i)
                            CHECK(static_cast<const int32_t*>(ids.data)[i] == item.items[i].id);
                    }
                }
                CHECK(block.reference_starts[row - begin + 1] == at);
            }
        }
    }
}

class Random {
  public:
    explicit Random(uint32_t seed) : engine_(seed) {}
    size_t below(size_t n) { return engine_() % n; }

    Value text() {
        static const char* const kParts[] = {"a", "cat ", "ä", "世界", "😀", "", " "};
        Value value;
        for (size_t i = below(6); i-- > 0;) value.text += kParts[below(7)];
        return value;
    }
    Value id() {
        Value value;
        value.id = static_cast<int64_t>(below(100));
        return value;
    }
    template <class MakeItem>
    Value list(size_t fewest, bool nulls, MakeItem make) {
        Value value;
        for (size_t i = 0; i < fewest; ++i) value.items.push_back(make());
        for (size_t i = below(4); i-- > 0;) {
            value.items.push_back(make());
            if (nulls && below(3) == 0) value.items.back() = Value{true, "", 0, {}};
        }
        return value;
    }
    template <class MakeItem>
    std::vector<Value> many(MakeItem make) {
        std::vector<Value> values;
        for (size_t i = 1 + below(20); i-- > 0;) values.push_back(make());
        return values;
    }

  private:
    std::mt19937 engine_;
};

// Checks the column, and the same column as a slice of a longer one.
void check_forms(Random& random, const std::vector<Value>& values, const Make& make, ItemKind kind) {
    check_loaded(side_of(make(values), ArrowRole::References), values, kind);
    check_loaded(side_of(table(make(values)), ArrowRole::References), values, kind);
    size_t from = random.below(values.size()), to = from + random.below(values.size() - from + 1);
    std::vector<Value> part(values.begin() + static_cast<ptrdiff_t>(from), values.begin() + static_cast<ptrdiff_t>(to));
    Column cut = make(values);
    cut.array->offset = static_cast<int64_t>(from);
    cut.array->length = static_cast<int64_t>(to - from);
    cut.array->null_count = -1;
    check_loaded(side_of(cut, ArrowRole::References), part, kind);
    Column whole = table(make(values));
    whole.array->offset = static_cast<int64_t>(from);
    whole.array->length = static_cast<int64_t>(to - from);
    check_loaded(side_of(whole, ArrowRole::References), part, kind);
}

template <class Break>
void refused(const Make& make, const std::vector<Value>& values, Break break_it) {
    Column column = make(values);
    break_it(column);
    bool is_refused = false;
    try {
        side_of(column, ArrowRole::References);
    } catch (const BadColumn&) {
        is_refused = true;
    }
    CHECK(is_refused);
}

template <class T>
T* buffer(ArrowArray* array, size_t i) {
    return static_cast<T*>(const_cast<void*>(array->buffers[i]));
}

Value of(const std::string& text) { return {false, text, 0, {}}; }
Value list_of(std::vector<Value> items) { return {false, "", 0, std::move(items)}; }

void check_refusals() {
    std::vector<Value> texts{of("a cat"), of("a dog that is long enough"), of("x")};
    std::vector<Make> all{strings<int32_t>, strings<int64_t>, views, dictionary};
    for (const Make& make : all) {
        refused(make, texts, [](Column c) { c.array->length = -1; });
        refused(make, texts, [](Column c) { c.array->length = INT64_MAX; });
        refused(make, texts, [](Column c) { c.array->offset = -1; });
        refused(make, texts, [](Column c) { c.array->offset = INT64_MAX; });
        refused(make, texts, [](Column c) { c.array->null_count = 4; });
        refused(make, texts, [](Column c) { c.array->null_count = -2; });
        refused(make, texts, [](Column c) { c.array->null_count = 1; });  // without a bitmap
        refused(make, texts, [](Column c) { c.array->n_buffers = 1; });
        refused(make, texts, [](Column c) { c.array->buffers = nullptr; });
        refused(make, texts, [](Column c) { c.array->buffers[1] = nullptr; });
        refused(make, texts, [](Column c) { c.schema->format = "g"; });
        refused(make, texts, [](Column c) { c.schema->format = nullptr; });
        refused(make, texts, [](Column c) { c.schema->format = "+l"; });
        std::vector<Value> broken = texts;
        for (const char* bytes : {"\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "abcdefgh\xe2\x82"}) {
            broken[1].text = bytes;
            refused(make, broken, [](Column) {});
        }
    }
    // Two invalid strings whose concatenation would be a valid character.
    for (const Make& make : all) refused(make, {of("\xc3"), of("\xa4")}, [](Column) {});
    refused(strings<int32_t>, texts, [](Column c) { buffer<int32_t>(c.array, 1)[0] = -1; });
    refused(strings<int32_t>, texts, [](Column c) { buffer<int32_t>(c.array, 1)[1] = 100; });
    refused(strings<int64_t>, texts, [](Column c) { buffer<int64_t>(c.array, 1)[2] = INT64_MIN; });
    refused(strings<int64_t>, texts, [](Column c) { c.array->buffers[2] = nullptr; });
    refused(dictionary, texts, [](Column c) { buffer<int16_t>(c.array, 1)[1] = 3; });
    refused(dictionary, texts, [](Column c) { buffer<int16_t>(c.array, 1)[1] = -1; });
    refused(dictionary, texts, [](Column c) { c.array->dictionary->length = 2; });
    refused(dictionary, texts, [](Column c) { c.array->dictionary->length = -2; });
    refused(views, texts, [](Column c) { buffer<int32_t>(c.array, 1)[0] = -5; });
    for (int32_t wrong : {-1, 2, INT32_MAX})
        refused(views, texts, [&](Column c) { buffer<int32_t>(c.array, 1)[4 + 2] = wrong; });
    for (int32_t wrong : {-1, 1, INT32_MAX})
        refused(views, texts, [&](Column c) { buffer<int32_t>(c.array, 1)[4 + 3] = wrong; });
    refused(views, texts, [](Column c) { buffer<int64_t>(c.array, 4)[1] = -1; });
    refused(views, texts, [](Column c) { c.array->buffers[4] = nullptr; });
    refused(views, texts, [](Column c) { c.array->buffers[3] = nullptr; });

    std::vector<Value> several{list_of({of("a"), of("b")}), list_of({of("c")})};
    for (const Make& make : {lists<int32_t>(strings<int32_t>), lists<int64_t>(views), list_views(dictionary)}) {
        refused(make, several, [](Column c) { c.array->children[0]->length = 1; });
        refused(make, several, [](Column c) { c.array->children[0]->offset = -1; });
        refused(make, several, [](Column c) { c.array->buffers[1] = nullptr; });
    }
    refused(lists<int32_t>(strings<int32_t>), several, [](Column c) { buffer<int32_t>(c.array, 1)[2] = 4; });
    refused(lists<int64_t>(strings<int32_t>), several, [](Column c) { buffer<int64_t>(c.array, 1)[2] = INT64_MAX; });
    refused(list_views(strings<int32_t>), several, [](Column c) { buffer<int32_t>(c.array, 1)[0] = -1; });
    refused(list_views(strings<int32_t>), several, [](Column c) { buffer<int32_t>(c.array, 2)[0] = INT32_MAX; });
    refused(list_views(strings<int32_t>), several, [](Column c) { buffer<int32_t>(c.array, 2)[0] = -1; });
    for (const char* size : {"+w:", "+w:x", "+w:-1", "+w:99999999999999999999999", "+w:1152921504606846976", "+w:9"})
        refused(lists<int32_t>(strings<int32_t>), several, [&](Column c) {
            c.schema->format = size;
            c.array->n_buffers = 1;
        });
    auto deep = lists<int32_t>(lists<int32_t>(lists<int32_t>(integers)));
    refused(deep, {list_of({list_of({list_of({Value{}})})})}, [](Column) {});
    // Missing hypotheses and references.
    Value null{true, "", 0, {}};
    refused(strings<int32_t>, {of("a"), null}, [](Column) {});
    refused(lists<int32_t>(strings<int32_t>), {list_of({null})}, [](Column) {});
    refused(lists<int32_t>(strings<int32_t>), {list_of({})}, [](Column) {});
    refused(lists<int32_t>(lists<int32_t>(integers)), {list_of({list_of({null})})}, [](Column) {});
}

// Columns may change after the check. A later index beyond the dictionary is detected, also if the dictionary has
// nulls.
void check_changes() {
    Column known = strings<int32_t>({of("a"), Value{true, "", 0, {}}});
    Column column{new_schema("s", {}, known.schema),
                  new_array(1, {true}, {bytes_of(std::vector<int16_t>{0})}, {}, known.array)};
    int16_t* index = buffer<int16_t>(column.array, 1);
    ArrowSide side = side_of(column, ArrowRole::References);
    *index = 3000;
    bool is_seen = false;
    Block block;
    block.clear();
    try {
        side.load(0, 1, ItemKind::Text, block);
    } catch (const ColumnChanged&) {
        is_seen = true;
    }
    CHECK(is_seen);
}

}  // namespace

TEST_CASE("arrow columns of every form") {
    for (uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        auto text = [&] { return random.text(); };
        auto tokens = [&] { return random.list(0, false, text); };
        auto ids = [&] { return random.list(0, false, [&] { return random.id(); }); };
        std::vector<Make> leaves{strings<int32_t>, strings<int64_t>, views, dictionary};
        for (const Make& leaf : leaves) {
            check_forms(random, random.many(text), leaf, ItemKind::Text);
            std::vector<Value> several = random.many([&] { return random.list(1, true, text); });
            std::vector<Value> sequences = random.many([&] { return random.list(1, true, tokens); });
            for (const Make& make : {lists<int32_t>(leaf), lists<int64_t>(leaf), list_views(leaf)})
                check_forms(random, several, make, ItemKind::Text);
            check_forms(random, sequences, lists<int32_t>(lists<int64_t>(leaf)), ItemKind::Tokens);
            check_forms(random, sequences, list_views(lists<int32_t>(leaf)), ItemKind::Tokens);
        }
        check_forms(random, random.many([&] { return random.list(1, true, ids); }),
                    lists<int64_t>(lists<int32_t>(integers)), ItemKind::Ids);
    }
    CHECK(alive == 0);
    check_refusals();
    check_changes();
    CHECK(alive == 0);
}

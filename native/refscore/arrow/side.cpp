#include "refscore/arrow/side.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "refscore/threads/parallel.hpp"

namespace refscore {
namespace {

std::string names_of(const ArrowSchema& table) {
    std::string names;
    constexpr int64_t kMostNames = 20;  // keeps the error message readable; wide tables have hundreds of columns
    int64_t shown = std::min(table.n_children, kMostNames);
    for (int64_t i = 0; i < shown; ++i) {
        const ArrowSchema* child = table.children[i];
        names += (i > 0 ? ", " : "") + std::string(child != nullptr && child->name != nullptr ? child->name : "?");
    }
    return names + (shown < table.n_children ? ", …" : "");
}

}  // namespace

ArrowColumn::ArrowColumn(Owned<ArrowSchema> schema, const std::string& where) : schema_(std::move(schema)) {
    const ArrowSchema* type = schema_.get();
    if (type->release == nullptr || type->format == nullptr)
        throw BadColumn(Location{where}, "is broken Arrow data: its schema has been released");
    is_table_ = std::string_view(type->format) == "+s";
    if (is_table_) {
        if (type->n_children < 0 || (type->n_children > 0 && type->children == nullptr))
            throw BadColumn(Location{where}, "is broken Arrow data: a table without columns");
        if (type->n_children != 1)
            throw BadColumn(Location{where},
                            "is a table of " + std::to_string(type->n_children) + " columns" +
                                (type->n_children > 0 ? " (" + names_of(*type) + ")" : ""),
                            "pass one of its columns");
        type = type->children[0];
        if (type == nullptr) throw BadColumn(Location{where}, "is broken Arrow data: a table without columns");
    }
    type_ = std::make_unique<ArrowType>(read_arrow_type(*type, where));
}

void ArrowColumn::add(Owned<ArrowArray> array, const std::string& where) {
    const ArrowArray& given = *array;
    auto broken = [&](const char* what) {
        throw BadColumn(Location{where}, std::string("is broken Arrow data: ") + what);
    };
    if (given.release == nullptr) broken("it has been released");
    // 2**56 values exceed any address space, so the arithmetic below cannot overflow. Same limit as kMostValues in
    // arrow_values.cpp.
    constexpr int64_t kMost = int64_t{1} << 56;
    if (given.length < 0 || given.length > kMost || given.offset < 0 || given.offset > kMost)
        broken("a length or an offset is out of range");
    size_t length = static_cast<size_t>(given.length), first = 0;
    if (length > std::numeric_limits<size_t>::max() / 2 - size_) broken("a length or an offset is out of range");
    const ArrowArray* values = &given;
    const uint8_t* table_validity = nullptr;
    if (is_table_) {
        if (given.n_children != 1 || given.children == nullptr || given.children[0] == nullptr)
            broken("a table without columns");
        if (given.n_buffers != 1 || given.buffers == nullptr || given.null_count < -1)
            broken("a table must have exactly 1 buffer");
        values = given.children[0];
        first = static_cast<size_t>(given.offset);
        if (given.null_count != 0) table_validity = static_cast<const uint8_t*>(given.buffers[0]);
        if (given.null_count > 0 && table_validity == nullptr) broken("it has nulls but no validity bitmap");
    }
    ArrowValues read(*values, *type_, first, first + length, where);
    chunks_.push_back({std::move(array), std::move(read), table_validity, first, size_, size_ + length});
    size_ += length;
}

size_t ArrowColumn::chunk_of(size_t row) const {
    auto after = std::upper_bound(chunks_.begin(), chunks_.end(), row,
                                  [](size_t wanted, const Chunk& chunk) { return wanted < chunk.end; });
    return static_cast<size_t>(after - chunks_.begin());
}

ArrowSide::Shape ArrowSide::shape_of(const ArrowType& type) const {
    size_t depth = type.depth();
    ArrowForm leaf = type.leaf().form;
    bool of_integers = leaf == ArrowForm::Integer, is_known = leaf != ArrowForm::Null;
    auto sequences = [&] {
        return is_known ? std::optional(of_integers ? ItemKind::Ids : ItemKind::Tokens) : std::nullopt;
    };
    if (depth == 0) return {ItemKind::Text, false};
    if (role_ == ArrowRole::Hypotheses) {
        if (depth > 1)
            throw BadColumn(Location{where_}, "is a column of lists of lists",
                            "a hypothesis is a string, or one list of tokens");
        return {sequences(), false};
    }
    if (depth > 1) return {sequences(), true};
    if (of_integers || of_tokens_) return {sequences(), false};
    return {ItemKind::Text, true};
}

void ArrowSide::add(ArrowColumn column) {
    Shape shape = shape_of(column.type());
    if (!columns_.empty()) {
        if (column.size() != size())
            throw BadColumn(Location{where_}, "has columns of " + std::to_string(size()) + " and of " +
                                                  std::to_string(column.size()) + " rows");
        // Empty lists without a known type may be tokens or ids, but never text.
        bool is_mixed =
            kind_ && shape.kind ? *kind_ != *shape.kind : (kind_ == ItemKind::Text || shape.kind == ItemKind::Text);
        if (is_mixed)
            throw BadColumn(Location{where_}, "has columns of different kinds", "give all as text or all as tokens");
    }
    if (!kind_) kind_ = shape.kind;
    are_several_.push_back(shape.is_several);
    columns_.push_back(std::move(column));
}

Location ArrowSide::location_of(size_t row, size_t item) const {
    return {where_, row, has_one_item() ? std::nullopt : std::optional(item)};
}

Location ArrowSide::location_of(size_t row, size_t item, size_t token) const {
    Location location = location_of(row, item);
    location.token = token;
    return location;
}

void ArrowSide::check(size_t threads) const {
    if (!are_rows_complete()) {
        // Rows per block of parallel_for, and nanoseconds per row: only the order of magnitude matters.
        constexpr size_t kRows = 1024, kRowWork = 16;
        std::atomic<bool> is_valid{true};
        parallel_for(
            size(), threads,
            [&] {
                return [&](size_t from, size_t to) {
                    try {
                        for (size_t row = from; row < to; ++row) check_row(row);
                    } catch (const BadColumn&) {
                        is_valid = false;
                    }
                };
            },
            kRows, kRowWork);
        // Which thread finds a wrong row first depends on chance. The error must name the first one.
        for (size_t row = 0; !is_valid && row < size(); ++row) check_row(row);
    }
    for (const ArrowColumn& column : columns_) check_text(column, threads);
}

// Whether the column metadata proves that nothing is missing: no nulls, and one item per row.
bool ArrowSide::are_rows_complete() const {
    for (size_t c = 0; c < columns_.size(); ++c) {
        if (are_several_[c]) return false;
        for (const ArrowColumn::Chunk& chunk : columns_[c].chunks())
            if (chunk.may_have_nulls() || (chunk.values.type().is_list() && chunk.values.inner().may_have_nulls()))
                return false;
    }
    return true;
}

void ArrowSide::check_row(size_t row) const {
    size_t item = 0, present = 0;
    for_each_item(row, [&](const ArrowValues& values, size_t value, bool is_missing) {
        present += !is_missing;
        if (!is_missing && values.type().is_list() && values.inner().may_have_nulls()) {
            ArrowValues::Range range = values.items(value);
            for (size_t i = range.begin; i < range.end; ++i)
                if (values.inner().is_null(i))
                    throw BadColumn(location_of(row, item, i - range.begin), "is null",
                                    "a token is a string or an integer");
        }
        ++item;
    });
    if (present > 0) return;
    Location location{where_, row};
    if (role_ == ArrowRole::Hypotheses) throw BadColumn(location, "is null", "an empty output is an empty string");
    const char* state = has_one_item() ? "is null" : item == 0 ? "is empty" : "has only missing references";
    throw BadColumn(location, state, "every segment needs at least one reference");
}

void ArrowSide::check_text(const ArrowColumn& column, size_t threads) const {
    if (column.type().leaf().form == ArrowForm::Integer) return;
    for (const ArrowColumn::Chunk& chunk : column.chunks()) {
        // The range of strings that the rows use. List views may be in any order, so the range covers all of them.
        const ArrowValues* values = &chunk.values;
        ArrowValues::Range used{chunk.first, chunk.first + (chunk.end - chunk.begin)};
        while (values->type().is_list()) {
            ArrowValues::Range inside{std::numeric_limits<size_t>::max(), 0};
            for (size_t i = used.begin; i < used.end; ++i) {
                if (values->is_null(i)) continue;
                ArrowValues::Range range = values->items(i);
                if (range.begin == range.end) continue;
                inside = {std::min(inside.begin, range.begin), std::max(inside.end, range.end)};
            }
            used = inside.end == 0 ? ArrowValues::Range{0, 0} : inside;
            values = &values->inner();
        }
        std::atomic<bool> is_valid{true};
        // Strings per block of parallel_for: checking one takes nanoseconds, so a block must be large to pay for
        // handing it out.
        constexpr size_t kStrings = 1024, kStringWork = 8;
        parallel_for(
            used.end - used.begin, threads,
            [&] {
                return [&](size_t from, size_t to) {
                    if (values->first_invalid(used.begin + from, used.begin + to) != used.begin + to) is_valid = false;
                };
            },
            kStrings, kStringWork);
        if (is_valid) continue;
        // Only now, because finding the row and the item of a string takes longer than checking it.
        for (size_t row = chunk.begin; row < chunk.end; ++row) {
            size_t item = 0;
            for_each_item(row, [&](const ArrowValues& items, size_t value, bool is_missing) {
                bool is_list = items.type().is_list();
                ArrowValues::Range range = is_missing || items.type().leaf().form == ArrowForm::Null
                                               ? ArrowValues::Range{0, 0}
                                           : is_list ? items.items(value)
                                                     : ArrowValues::Range{value, value + 1};
                const ArrowValues& strings = is_list ? items.inner() : items;
                for (size_t i = range.begin; i < range.end; ++i)
                    if (strings.first_invalid(i, i + 1) == i)
                        throw BadColumn(is_list ? location_of(row, item, i - range.begin) : location_of(row, item),
                                        "is not UTF-8");
                ++item;
            });
        }
    }
}

void ArrowSide::push(const ArrowValues& values, size_t item, ItemKind kind, Block& block,
                     std::vector<Item>& items) const {
    if (kind == ItemKind::Text) {
        items.push_back({block.texts.size(), 1});
        block.texts.push_back(values.text(item));
        return;
    }
    ArrowValues::Range range = values.items(item);
    const ArrowValues& inner = values.inner();
    if (kind == ItemKind::Ids) {
        items.push_back({block.ids.size(), 1});
        bool is_known = inner.type().form == ArrowForm::Integer;
        block.ids.push_back(is_known ? inner.integers(range) : IdView{nullptr, 0, IdType::I64});
        return;
    }
    items.push_back({block.texts.size(), range.end - range.begin});
    for (size_t i = range.begin; i < range.end; ++i) block.texts.push_back(inner.text(i));
}

void ArrowSide::load(size_t begin, size_t end, ItemKind kind, Block& block) const {
    std::vector<Item>& items = role_ == ArrowRole::Hypotheses ? block.hypotheses : block.references;
    auto take = [&](const ArrowValues& values, size_t item, bool is_missing) {
        if (!is_missing) push(values, item, kind, block, items);
    };
    bool is_reference = role_ == ArrowRole::References;
    const ArrowColumn& first = columns_[0];
    size_t chunk = first.chunk_of(begin);
    for (size_t row = begin; row < end; ++row) {
        size_t before = items.size();
        while (row >= first.chunks()[chunk].end) ++chunk;
        for_each_item(first, are_several_[0], row, chunk, take);
        for (size_t c = 1; c < columns_.size(); ++c)
            for_each_item(columns_[c], are_several_[c], row, columns_[c].chunk_of(row), take);
        if (items.size() == before) throw ColumnChanged();
        if (is_reference) block.reference_starts.push_back(items.size());
    }
}

}  // namespace refscore

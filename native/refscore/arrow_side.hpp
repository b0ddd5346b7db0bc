// Hypotheses or references that are Arrow columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arrow_values.hpp"

namespace refscore {

// A column in chunks, as it came. A table is taken for its only column.
class ArrowColumn {
  public:
    ArrowColumn(Owned<ArrowSchema> schema, const std::string& where);

    void add(Owned<ArrowArray> array, const std::string& where);

    size_t size() const { return size_; }
    const ArrowType& type() const { return *type_; }

    struct Chunk {
        Owned<ArrowArray> array;
        ArrowValues values;
        const uint8_t* table_validity;  // of a table's rows, by value; none if all are valid
        size_t first;                   // of the values
        size_t begin, end;              // in the column

        bool may_have_nulls() const { return table_validity != nullptr || values.may_have_nulls(); }
        bool is_null(size_t value) const {
            return (table_validity != nullptr && (table_validity[value / 8] >> (value % 8) & 1) == 0) || values.is_null(value);
        }
    };
    const std::vector<Chunk>& chunks() const { return chunks_; }
    // The index of the chunk that has a row.
    size_t chunk_of(size_t row) const;

  private:
    Owned<ArrowSchema> schema_;
    bool is_table_ = false;
    std::unique_ptr<ArrowType> type_;  // chunks refer to it
    std::vector<Chunk> chunks_;
    size_t size_ = 0;
};

enum class ArrowRole : uint8_t { Hypotheses, References };

// Hypotheses are one column; the references of a segment are those of one or of several columns, null where one is missing.
class ArrowSide {
  public:
    // `of_tokens`: a list of strings is a sequence of tokens even among references, since the hypotheses are no text.
    ArrowSide(ArrowRole role, bool of_tokens, std::string where) : role_(role), of_tokens_(of_tokens), where_(std::move(where)) {}
    ArrowSide(ArrowSide&&) = default;

    // Columns of equal size and kind.
    void add(ArrowColumn column);
    // Whether each segment has what it needs, and text is UTF-8.
    void check(size_t threads) const;

    size_t size() const { return columns_.empty() ? 0 : columns_[0].size(); }
    // None, if nothing tells: there are only empty lists.
    std::optional<ItemKind> kind() const { return kind_; }
    // Lists of nothing can be tokens or ids, but no text.
    bool can_be(ItemKind kind) const { return kind_ ? *kind_ == kind : kind != ItemKind::Text; }
    ArrowRole role() const { return role_; }
    const std::string& where() const { return where_; }

    // Adds some segments to one side of a block of this kind. The views stay valid for as long as this lives.
    void load(size_t begin, size_t end, ItemKind kind, Block& block) const;

    // Calls visit(values, index, is missing) for each item of a row, a hypothesis or a reference.
    template <class Visit>
    void for_each_item(size_t row, Visit visit) const;

  private:
    struct Shape {
        std::optional<ItemKind> kind;
        bool is_several;  // a row is a list of items
    };
    Shape shape_of(const ArrowType& type) const;
    bool are_rows_complete() const;
    void check_row(size_t row) const;
    void check_text(const ArrowColumn& column, size_t threads) const;
    Location location_of(size_t row, size_t item) const;
    Location location_of(size_t row, size_t item, size_t token) const;
    // Whether a row is one hypothesis or reference, so its location needs no index of the item.
    bool has_one_item() const { return columns_.size() == 1 && !are_several_[0]; }
    void push(const ArrowValues& values, size_t item, ItemKind kind, Block& block, std::vector<Item>& items) const;
    template <class Visit>
    void for_each_item(const ArrowColumn& column, bool is_several, size_t row, size_t chunk, Visit visit) const;

    ArrowRole role_;
    bool of_tokens_;
    std::string where_;
    std::vector<ArrowColumn> columns_;
    std::vector<bool> are_several_;
    std::optional<ItemKind> kind_;
};

template <class Visit>
void ArrowSide::for_each_item(const ArrowColumn& column, bool is_several, size_t row, size_t chunk, Visit visit) const {
    const ArrowColumn::Chunk& here = column.chunks()[chunk];
    size_t value = here.first + (row - here.begin);
    bool is_null = here.is_null(value);
    if (!is_several) return visit(here.values, value, is_null);
    if (is_null) return;
    ArrowValues::Range range = here.values.items(value);
    const ArrowValues& inner = here.values.inner();
    for (size_t i = range.begin; i < range.end; ++i) visit(inner, i, inner.may_have_nulls() && inner.is_null(i));
}

template <class Visit>
void ArrowSide::for_each_item(size_t row, Visit visit) const {
    for (size_t c = 0; c < columns_.size(); ++c) for_each_item(columns_[c], are_several_[c], row, columns_[c].chunk_of(row), visit);
}

}  // namespace refscore

// Hypotheses or references that are Arrow columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "refscore/arrow/values.hpp"

namespace refscore {

// A column in chunks, as the producer passed it. A table with one column is treated as that column.
class ArrowColumn {
  public:
    ArrowColumn(Owned<ArrowSchema> schema, const std::string& where);

    void add(Owned<ArrowArray> array, const std::string& where);

    size_t size() const { return size_; }
    const ArrowType& type() const { return *type_; }

    struct Chunk {
        Owned<ArrowArray> array;
        ArrowValues values;
        const uint8_t* table_validity;  // for a table: the validity bitmap of its rows, or null if all are valid
        size_t first;                   // index of the first value
        size_t begin, end;              // rows of the column

        bool may_have_nulls() const { return table_validity != nullptr || values.may_have_nulls(); }
        bool is_null(size_t value) const {
            return (table_validity != nullptr && (table_validity[value / 8] >> (value % 8) & 1) == 0) ||
                   values.is_null(value);
        }
    };
    const std::vector<Chunk>& chunks() const { return chunks_; }
    // Returns the index of the chunk that contains a row.
    size_t chunk_of(size_t row) const;

  private:
    Owned<ArrowSchema> schema_;
    bool is_table_ = false;
    std::unique_ptr<ArrowType> type_;  // chunks refer to it
    std::vector<Chunk> chunks_;
    size_t size_ = 0;
};

enum class ArrowRole : uint8_t { Hypotheses, References };

// Hypotheses are one column. References are one or more columns, with null for a missing reference.
class ArrowSide {
  public:
    // `of_tokens`: read a list of strings as one token sequence, because the hypotheses are not text.
    ArrowSide(ArrowRole role, bool of_tokens, std::string where)
        : role_(role), of_tokens_(of_tokens), where_(std::move(where)) {}
    ArrowSide(ArrowSide&&) = default;

    // Adds a column. All columns must have the same size and kind.
    void add(ArrowColumn column);
    // Throws BadColumn if a segment lacks its hypothesis or all references, or if text is not UTF-8.
    void check(size_t threads) const;

    size_t size() const { return columns_.empty() ? 0 : columns_[0].size(); }
    // nullopt if all lists are empty and their type is unknown.
    std::optional<ItemKind> kind() const { return kind_; }
    // Lists without a known type may be tokens or ids, but not text.
    bool can_be(ItemKind kind) const { return kind_ ? *kind_ == kind : kind != ItemKind::Text; }
    ArrowRole role() const { return role_; }
    const std::string& where() const { return where_; }

    // Appends segments to one side of a block of this kind. The views remain valid as long as this object.
    void load(size_t begin, size_t end, ItemKind kind, Block& block) const;

    // Calls visit(values, index, is_missing) for each item of a row: its hypothesis, or its references.
    template <class Visit>
    void for_each_item(size_t row, Visit visit) const;

  private:
    struct Shape {
        std::optional<ItemKind> kind;
        bool is_several;  // each row is a list of items
    };
    Shape shape_of(const ArrowType& type) const;
    bool are_rows_complete() const;
    void check_row(size_t row) const;
    void check_text(const ArrowColumn& column, size_t threads) const;
    Location location_of(size_t row, size_t item) const;
    Location location_of(size_t row, size_t item, size_t token) const;
    // Whether a row is a single hypothesis or reference. Its location then needs no item index.
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
    for (size_t c = 0; c < columns_.size(); ++c)
        for_each_item(columns_[c], are_several_[c], row, columns_[c].chunk_of(row), visit);
}

}  // namespace refscore

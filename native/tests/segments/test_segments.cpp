// Segments with equal references, in every form of references. Views have no spare bytes. Run it under sanitizers.
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/segments/segments.hpp"

using namespace refscore;

namespace {

// Both are copied, so only their contents can be compared.
template <class Unit>
bool same_texts(const std::vector<Unit>& one, const std::vector<Unit>& other, Encoding encoding,
                Encoding other_encoding) {
    Block block;
    block.clear();
    block.texts = {{one.data(), one.size(), encoding}, {other.data(), other.size(), other_encoding}};
    block.references = {{0, 1}, {1, 1}};
    block.reference_starts = {0, 1, 2};
    return same_references(block, 0, 1) && same_references(block, 1, 0);
}

template <class Unit>
void check_texts(Encoding encoding) {
    const std::vector<Unit> text = {'a', ' ', 'b', 0, 'c'};
    for (size_t size = 0; size <= text.size(); ++size) {
        std::vector<Unit> one(text.begin(), text.begin() + static_cast<ptrdiff_t>(size)), other = one;
        CHECK(same_texts(one, other, encoding, encoding));
        for (Unit& unit : other) {
            ++unit;
            CHECK(!same_texts(one, other, encoding, encoding));
            --unit;
        }
        other.push_back('x');
        CHECK(!same_texts(one, other, encoding, encoding));
    }
    CHECK(!same_texts(text, text, encoding, encoding == Encoding::Ascii ? Encoding::Latin1 : Encoding::Ascii));
}

template <class Int>
void check_ids(IdType type) {
    for (size_t size : {0, 1, 7}) {
        std::vector<Int> one(size, 5), other = one;
        Block block;
        block.clear();
        block.kind = ItemKind::Ids;
        block.ids = {{one.data(), size, type}, {other.data(), size, type}};
        block.references = {{0, 1}, {1, 1}};
        block.reference_starts = {0, 1, 2};
        CHECK(same_references(block, 0, 1));
        if (size == 0) continue;
        other.back() = 6;
        CHECK(!same_references(block, 0, 1));
        other.back() = 5;
        --block.ids[1].size;
        CHECK(!same_references(block, 0, 1));
    }
}

// Several references of several tokens: the position of each token counts.
void check_tokens() {
    const std::string tokens[] = {"a", "bc", "a", "bc", "abc", ""};
    Block block;
    block.clear();
    block.kind = ItemKind::Tokens;
    for (const std::string& token : tokens) block.texts.push_back({token.data(), token.size(), Encoding::Ascii});
    block.references = {{0, 2}, {4, 1}, {2, 2}, {4, 1}, {0, 2}, {0, 2}, {4, 2}, {4, 1}};
    block.reference_starts = {0, 2, 4, 5, 7, 8, 8, 8};
    auto same = [&](size_t one, size_t other) { return same_references(block, one, other); };
    CHECK(same(0, 0));
    CHECK(same(0, 1));
    CHECK(same(1, 0));
    CHECK(!same(0, 2));
    CHECK(!same(2, 0));  // fewer references
    CHECK(!same(0, 3));  // one more token
    CHECK(!same(2, 4));  // "a bc" is not "abc"
    CHECK(same(5, 6));
    CHECK(!same(4, 5));  // no references
}

// Pieces are consecutive, and long only if a single segment is.
void check_pieces(const std::vector<size_t>& sizes, size_t expected) {
    static const std::vector<char> letters(1 << 20, 'a');
    Block block;
    block.clear();
    for (size_t size : sizes) {
        block.hypotheses.push_back({block.texts.size(), 1});
        block.texts.push_back({letters.data(), size, Encoding::Ascii});
        block.references.push_back({block.texts.size(), 1});
        block.texts.push_back({letters.data(), size, Encoding::Ascii});
        block.reference_starts.push_back(block.references.size());
    }
    std::vector<Piece> pieces;
    cut_by_length(block, pieces);
    CHECK(pieces.size() == expected);
    size_t begin = 0;
    for (const Piece& piece : pieces) {
        CHECK(piece.begin == begin);
        size_t cost = 0;
        for (size_t i = piece.begin; i < piece.end; ++i) cost += 2 * sizes[i];
        CHECK(piece.cost == cost);
        CHECK((piece.end == piece.begin + 1 || cost <= size_t{1} << 16));
        begin = piece.end;
    }
    CHECK(begin == sizes.size());
}

}  // namespace

TEST_CASE("segments with equal references") {
    check_pieces(std::vector<size_t>(64, 130), 1);
    check_pieces(std::vector<size_t>(64, 1 << 20), 64);
    check_pieces({0, 0, 1 << 20, 0, 5}, 3);
    check_pieces({1 << 20}, 1);
    check_pieces({30000, 30000, 10000, 10000, 10000, 10000}, 4);
    check_texts<uint8_t>(Encoding::Ascii);
    check_texts<uint8_t>(Encoding::Latin1);
    check_texts<uint8_t>(Encoding::Utf8);
    check_texts<uint16_t>(Encoding::Ucs2);
    check_texts<uint32_t>(Encoding::Ucs4);
    check_ids<int8_t>(IdType::I8);
    check_ids<int16_t>(IdType::I16);
    check_ids<int32_t>(IdType::I32);
    check_ids<int64_t>(IdType::I64);
    check_ids<uint8_t>(IdType::U8);
    check_ids<uint16_t>(IdType::U16);
    check_ids<uint32_t>(IdType::U32);
    check_tokens();
}

#include "refscore/ngrams/chrf_input.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "refscore/base/preconditions.hpp"
#include "refscore/text/utf8.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kTextWork =
    64;  // nanoseconds of overhead per text, for checkpoint(); only the order of magnitude matters

// Tables take up to eight bytes per unit. References beyond 256 MiB of tables are read again for each hypothesis.
constexpr size_t kMostPreparedTables = size_t{1} << 25;

// Whitespace by Python's definition, for code points below 256. Most text needs no other lookup.
constexpr size_t kLowCodes = 256;
constexpr std::array<bool, kLowCodes> kLowSpaces = [] {
    std::array<bool, kLowCodes> spaces{};
    for (uint32_t code = 0; code < kLowCodes; ++code) spaces[code] = is_space(code);
    return spaces;
}();

template <class Unit, class Lower>
size_t copy_codes(const TextView& text, bool whitespace, Lower lower, uint32_t* out) {
    const Unit* in = static_cast<const Unit*>(text.data);
    size_t count = 0;
    for (size_t i = 0; i < text.size; ++i) {
        uint32_t code = lower(in[i]);
        out[count] = code;
        bool space = code < kLowSpaces.size() ? kLowSpaces[code] : is_space(code);
        count += whitespace | !space;
    }
    return count;
}

template <class Lower>
size_t copy_utf8_codes(const TextView& text, bool whitespace, Lower lower, uint32_t* out) {
    const uint8_t* in = static_cast<const uint8_t*>(text.data);
    const uint8_t* end = in + text.size;
    size_t count = 0;
    while (in != end) {
        uint32_t code = lower(decode_within(in, end));
        out[count] = code;
        bool space = code < kLowSpaces.size() ? kLowSpaces[code] : is_space(code);
        count += whitespace | !space;
    }
    return count;
}

template <class Lower>
size_t copy_codes(const TextView& text, bool whitespace, Lower lower, uint32_t* out) {
    switch (text.encoding) {
        case Encoding::Utf8:
            if (!is_ascii(static_cast<const uint8_t*>(text.data), text.size))
                return copy_utf8_codes(text, whitespace, lower, out);
            return copy_codes<uint8_t>(text, whitespace, lower, out);
        case Encoding::Ucs2: return copy_codes<uint16_t>(text, whitespace, lower, out);
        case Encoding::Ucs4: return copy_codes<uint32_t>(text, whitespace, lower, out);
        default: return copy_codes<uint8_t>(text, whitespace, lower, out);
    }
}

}  // namespace

size_t ChrfReader::append_codes(const Block& block, const Item& item, Buffer<uint32_t>& codes, size_t count) const {
    const TextView& text = block.texts[item.first];
    if (text.size > std::numeric_limits<uint32_t>::max() - count) throw TooLarge();
    checkpoint(kTextWork + text.size);
    uint32_t* out = codes.reserve(count + text.size, count) + count;
    const uint16_t* table = block.lower;
    auto lower_ascii = [](uint32_t code) { return code - 'A' < 26 ? code + ('a' - 'A') : code; };
    if (table != nullptr)
        return count + copy_codes(
                           text, rules_.whitespace,
                           [table](uint32_t code) { return code <= kLastLower ? table[code] : code; }, out);
    if (rules_.lowercase != Lowercase::None) return count + copy_codes(text, rules_.whitespace, lower_ascii, out);
    return count + copy_codes(text, rules_.whitespace, [](uint32_t code) { return code; }, out);
}

ChrfReferences ChrfReader::references(const Block& block, size_t segment) {
    ChrfReferences references{};
    if (reads_codes(block.kind)) {
        require(block.reference_starts[segment] < block.reference_starts[segment + 1], kNoReference);
        reference_lengths_.clear();
        size_t count = 0;
        for (size_t r = block.reference_starts[segment]; r < block.reference_starts[segment + 1]; ++r) {
            size_t before = count;
            count = append_codes(block, block.references[r], reference_codes_, count);
            reference_lengths_.push_back(static_cast<uint32_t>(count - before));
        }
        references.units = {reference_codes_.data(), count};
        references.lengths = reference_lengths_;
    } else {
        NumberedReferences numbered = units_.references(block, segment);
        references.units = numbered.tokens;
        references.lengths = numbered.lengths;
        references.vocabulary = numbered.vocabulary;
    }
    if (reads_words(block.kind)) references.words = words_.references(block, segment);
    return references;
}

ChrfHypothesis ChrfReader::hypothesis(const Block& block, size_t segment, const ChrfReferences& references) {
    ChrfHypothesis read{};
    if (reads_codes(block.kind)) {
        size_t count = append_codes(block, block.hypotheses[segment], hypothesis_codes_, 0);
        read.units = {hypothesis_codes_.data(), count};
    } else {
        read.units = units_.hypothesis(block, segment, references.vocabulary);
    }
    if (reads_words(block.kind)) read.words = words_.hypothesis(block, segment, references.words.vocabulary);
    return read;
}

void ChrfReader::read_hypothesis(const Block& block, size_t segment, ChrfList& into) {
    into.reads_codes = reads_codes(block.kind);
    into.reads_words = reads_words(block.kind);
    if (into.reads_codes) {
        size_t count = append_codes(block, block.hypotheses[segment], hypothesis_codes_, 0);
        into.codes.assign(hypothesis_codes_.data(), hypothesis_codes_.data() + count);
    } else {
        units_.read_hypothesis(block, segment, into.units);
    }
    if (into.reads_words) words_.read_hypothesis(block, segment, into.words);
}

ChrfHypothesis ChrfReader::hypothesis(const ChrfList& list, const ChrfReferences& references) {
    ChrfHypothesis read{};
    read.units =
        list.reads_codes ? std::span<const uint32_t>(list.codes) : units_.hypothesis(list.units, references.vocabulary);
    if (list.reads_words) read.words = words_.hypothesis(list.words, references.words.vocabulary);
    return read;
}

void PreparedUnits::add(const Block& block, ChrfReader& reader) {
    has_codes_ = reader.reads_codes(block.kind);
    if (reader.reads_words(block.kind)) words_.add(block, reader.words_);
    if (!has_codes_) return units_.add(block, reader.units_);
    for (size_t i = 0; i + 1 < block.reference_starts.size(); ++i) {
        ChrfReferences references = reader.references(block, i);
        size_t size = references.units.size(), count = references.lengths.size();
        auto* codes = reinterpret_cast<uint32_t*>(slabs_.allocate(words_for<uint32_t>(size + count)));
        std::copy(references.lengths.begin(), references.lengths.end(),
                  std::copy(references.units.begin(), references.units.end(), codes));
        segments_.push_back({codes, size, indexed_.size(), count});
        is_empty_ = is_empty_ && size == 0;
        size_t begin = 0;
        for (uint32_t length : references.lengths) {
            index(references.units.subspan(begin, length), reader);
            begin += length;
        }
    }
}

void PreparedUnits::index(std::span<const uint32_t> reference, ChrfReader& reader) {
    std::vector<uint32_t>& symbols = reader.symbols_;
    std::vector<uint64_t>& table = reader.table_;
    symbols.clear();
    table.clear();
    if (table_words_ < kMostPreparedTables) reader.matches_.index_reference(reference, symbols, table);
    table_words_ += table.size();
    uint64_t* words = slabs_.allocate(table.size() + words_for<uint32_t>(symbols.size()));
    auto* units = reinterpret_cast<uint32_t*>(std::copy(table.begin(), table.end(), words));
    std::copy(symbols.begin(), symbols.end(), units);
    indexed_.push_back({{units, symbols.size()}, {words, table.size()}});
}

void PreparedUnits::append(PreparedUnits&& other) {
    has_codes_ = other.has_codes_;
    is_empty_ = is_empty_ && other.is_empty_;
    for (Entry entry : other.segments_) {
        entry.first += indexed_.size();
        segments_.push_back(entry);
    }
    indexed_.insert(indexed_.end(), other.indexed_.begin(), other.indexed_.end());
    table_words_ += other.table_words_;
    slabs_.append(std::move(other.slabs_));
    units_.append(std::move(other.units_));
    words_.append(std::move(other.words_));
}

void PreparedUnits::prefetch(size_t segment) const {
    constexpr size_t kLineWords = 8, kMost = 32 * kLineWords;  // 2 KiB: the cache has 32 or 48
    if (!has_codes_) return units_.prefetch(segment);
    const IndexedUnits& indexed = indexed_[segments_[segment].first];
    size_t words = indexed.table.size() + words_for<uint32_t>(indexed.symbols.size());
    for (size_t at = 0; at < std::min(words, kMost); at += kLineWords) prefetch_line(indexed.table.data() + at);
    if (words_.size() > 0) words_.prefetch(segment);
}

ChrfReferences PreparedUnits::operator[](size_t segment) const {
    ChrfReferences references{};
    if (has_codes_) {
        const Entry& entry = segments_[segment];
        references.units = {entry.codes, entry.codes_size};
        references.lengths = {entry.codes + entry.codes_size, entry.count};
        references.indexed = std::span<const IndexedUnits>(indexed_).subspan(entry.first, entry.count);
    } else {
        NumberedReferences numbered = units_[segment];
        references.units = numbered.tokens;
        references.lengths = numbered.lengths;
        references.vocabulary = numbered.vocabulary;
    }
    if (words_.size() > 0) references.words = words_[segment];
    return references;
}

}  // namespace refscore

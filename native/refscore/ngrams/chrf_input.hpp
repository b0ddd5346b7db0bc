// Reads segments for chrF: units (code points, or the given tokens) and words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/ngrams/unit_matches.hpp"
#include "refscore/segments/prepared.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/segments/slabs.hpp"

namespace refscore {

// The tokenizer produces the units of text. Char means code points, which are read without a tokenizer.
struct ChrfRules : TextRules {
    bool whitespace = false;  // count whitespace as units
    bool words = false;       // read words too; text only
};

struct ChrfReferences {
    std::span<const uint32_t> units;    // the units of all references, concatenated
    std::span<const uint32_t> lengths;  // the number of units of each reference
    VocabularyView vocabulary;          // numbers the units, unless they are code points
    NumberedReferences words;
    std::span<const IndexedUnits> indexed;  // of each reference, if they were prepared
};

struct ChrfHypothesis {
    std::span<const uint32_t> units;
    std::span<const uint32_t> words;
};

// The units and words of a text, stored for comparison with many references.
struct ChrfList {
    bool reads_codes = false, reads_words = false;
    std::vector<uint32_t> codes;
    TokenList units;
    TokenList words;
};

class ChrfReader;

// References that are read once for many hypotheses.
class PreparedUnits {
  public:
    using Rules = ChrfRules;
    using Reader = ChrfReader;

    explicit PreparedUnits(ItemKind kind) : kind_(kind), units_(kind), words_(kind) {}

    // Adds the segments of other references of the same kind.
    void append(PreparedUnits&& other);
    void add(const Block& block, ChrfReader& reader);

    ItemKind kind() const { return kind_; }
    bool is_empty() const { return is_empty_ && units_.is_empty(); }
    bool takes(ItemKind kind) const {
        return kind == kind_ || (is_empty() && kind_ != ItemKind::Text && kind != ItemKind::Text);
    }
    // Whether units and words read with these rules can be compared with the references.
    bool fits(const ChrfRules& rules) const {
        bool reads_codes = kind_ == ItemKind::Text && rules.tokenizer == Tokenizer::Char;
        return size() == 0 || (has_codes_ == reads_codes && (!rules.words || words_.size() == size()));
    }
    // The same for texts that are prepared with these rules later.
    static bool fits(const ChrfRules& prepared, const ChrfRules& rules) {
        bool is_by_codes = prepared.tokenizer == Tokenizer::Char;
        return is_by_codes == (rules.tokenizer == Tokenizer::Char) && (!rules.words || prepared.words);
    }
    size_t size() const { return has_codes_ ? segments_.size() : units_.size(); }
    ChrfReferences operator[](size_t segment) const;
    // Prefetches a segment, during the work on the previous one.
    void prefetch(size_t segment) const;
    // Whether units are code points rather than vocabulary numbers.
    bool has_codes() const { return has_codes_; }

  private:
    struct Entry {
        const uint32_t* codes;            // of all references, followed by their lengths
        size_t codes_size, first, count;  // of references
    };
    void index(std::span<const uint32_t> reference, ChrfReader& reader);

    ItemKind kind_;
    bool is_empty_ = true;  // without code points
    bool has_codes_ = false;
    std::vector<Entry> segments_;
    std::vector<IndexedUnits> indexed_;  // by reference
    size_t table_words_ = 0;
    Slabs slabs_;
    PreparedReferences units_;
    PreparedReferences words_;
};

// Reads one segment after another; one instance per thread.
class ChrfReader {
  public:
    explicit ChrfReader(const ChrfRules& rules)
        : rules_(rules), units_(rules), words_({Tokenizer::ChrfWords, rules.lowercase}) {}

    // The results are valid until the next call of the same function.
    ChrfReferences references(const Block& block, size_t segment);
    ChrfHypothesis hypothesis(const Block& block, size_t segment, const ChrfReferences& references);
    ChrfHypothesis hypothesis(const ChrfList& list, const ChrfReferences& references);

    void read_hypothesis(const Block& block, size_t segment, ChrfList& into);

    bool reads_codes(ItemKind kind) const { return kind == ItemKind::Text && rules_.tokenizer == Tokenizer::Char; }
    bool reads_words(ItemKind kind) const {
        if (rules_.words && kind != ItemKind::Text)
            throw InputError(std::nullopt, "tokens have no words", "with word_order above 0, pass text");
        return rules_.words;
    }

  private:
    friend class PreparedUnits;

    // Appends the code points of a text and returns the new number of code points.
    size_t append_codes(const Block& block, const Item& item, Buffer<uint32_t>& codes, size_t count) const;

    ChrfRules rules_;
    Numberer units_;
    Numberer words_;
    Buffer<uint32_t> reference_codes_;
    std::vector<uint32_t> reference_lengths_;
    Buffer<uint32_t> hypothesis_codes_;
    UnitMatches matches_;
    std::vector<uint32_t> symbols_;
    std::vector<uint64_t> table_;
};

}  // namespace refscore

// Segments as chrF wants them: units (code points, or tokens that are taken as they are) and words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "prepared.hpp"
#include "segments.hpp"

namespace refscore {

// The tokenizer makes units of text; Char stands for code points, which are read without it.
struct ChrfRules : TextRules {
    bool whitespace = false;  // is among the units
    bool words = false;       // are wanted, of text
};

struct ChrfReferences {
    std::span<const uint32_t> units;    // all references, one after the other
    std::span<const uint32_t> lengths;  // of each
    VocabularyView vocabulary;          // that units were numbered by, unless they are code points
    NumberedReferences words;
};

struct ChrfHypothesis {
    std::span<const uint32_t> units;
    std::span<const uint32_t> words;
};

// A text's units and words, kept to be compared with many references.
struct ChrfList {
    bool reads_codes = false, reads_words = false;
    std::vector<uint32_t> codes;
    TokenList units;
    TokenList words;
};

class ChrfReader;

// References read once, for many hypotheses.
class PreparedUnits {
  public:
    explicit PreparedUnits(ItemKind kind) : kind_(kind), units_(kind), words_(kind) {}

    void add(const Block& block, ChrfReader& reader);
    void finish();

    ItemKind kind() const { return kind_; }
    bool is_empty() const { return codes_.empty() && units_.is_empty(); }
    bool takes(ItemKind kind) const { return kind == kind_ || (is_empty() && kind_ != ItemKind::Text && kind != ItemKind::Text); }
    // Whether units and words that were read by these rules can be compared with the references.
    bool fits(const ChrfRules& rules) const {
        bool reads_codes = kind_ == ItemKind::Text && rules.tokenizer == Tokenizer::Char;
        return size() == 0 || (has_codes_ == reads_codes && (!rules.words || words_.size() == size()));
    }
    size_t size() const { return has_codes_ ? segments_.size() : units_.size(); }
    ChrfReferences operator[](size_t segment) const;
    // Units are code points, and not numbers of a vocabulary.
    bool has_codes() const { return has_codes_; }

  private:
    struct Entry {
        size_t code, codes, length, lengths;  // where they begin, and how many there are
    };
    ItemKind kind_;
    bool has_codes_ = false;
    std::vector<Entry> segments_;
    std::vector<uint32_t> codes_;
    std::vector<uint32_t> lengths_;
    PreparedReferences units_;
    PreparedReferences words_;
};

// Scratch memory of one thread, for reading one segment after the other.
class ChrfReader {
  public:
    explicit ChrfReader(const ChrfRules& rules)
        : rules_(rules), units_(rules), words_({Tokenizer::ChrfWords, rules.lowercase}) {}

    // These stay valid until the next call of the same name.
    ChrfReferences references(const Block& block, size_t segment);
    ChrfHypothesis hypothesis(const Block& block, size_t segment, const ChrfReferences& references);
    ChrfHypothesis hypothesis(const ChrfList& list, const ChrfReferences& references);

    void read_hypothesis(const Block& block, size_t segment, ChrfList& into);

    bool reads_codes(ItemKind kind) const { return kind == ItemKind::Text && rules_.tokenizer == Tokenizer::Char; }
    bool reads_words(ItemKind kind) const {
        if (rules_.words && kind != ItemKind::Text) throw InputError(std::nullopt, "tokens have no words", "with word_order above 0, pass text");
        return rules_.words;
    }

  private:
    friend class PreparedUnits;

    // Appends the code points of a text, and returns how many there are then.
    size_t append_codes(const Block& block, const Item& item, Buffer<uint32_t>& codes, size_t count) const;

    ChrfRules rules_;
    Numberer units_;
    Numberer words_;
    Buffer<uint32_t> reference_codes_;
    std::vector<uint32_t> reference_lengths_;
    Buffer<uint32_t> hypothesis_codes_;
};

}  // namespace refscore

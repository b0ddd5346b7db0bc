#include "chrf_pairs.hpp"

#include <algorithm>

namespace refscore {
namespace {

// Numbers for tokens that lie in different arenas.
class CommonNumbers {
  public:
    uint32_t of(const Token& token, const uint8_t* arena) {
        vocabulary_.reserve(1);
        if (!token.is_long()) return vocabulary_.add(token, bytes_.data());
        size_t before = bytes_.size(), known = vocabulary_.size();
        bytes_.insert(bytes_.end(), arena + token.high, arena + token.high + token.size);
        Token own = token;
        own.high = before;
        uint32_t number = vocabulary_.add(own, bytes_.data());
        if (vocabulary_.size() == known) bytes_.resize(before);
        return number;
    }
    void reset() { vocabulary_.reset(); }

  private:
    Vocabulary vocabulary_;
    std::vector<uint8_t> bytes_;
};

// All sequences of one kind, hypotheses first, with numbers in common.
class Sequences {
  public:
    Sequences() { numbers_.reset(); }

    void add(const TokenList& list) {
        for (const Token& token : list.tokens) codes_.push_back(numbers_.of(token, list.arena.data()));
        ends_.push_back(codes_.size());
    }
    void add(std::span<const uint32_t> tokens, const VocabularyView& vocabulary) {
        for (uint32_t token : tokens) codes_.push_back(numbers_.of(vocabulary.tokens[token], vocabulary.arena));
        ends_.push_back(codes_.size());
    }
    void add(std::span<const uint32_t> codes) {
        codes_.insert(codes_.end(), codes.begin(), codes.end());
        ends_.push_back(codes_.size());
    }

    // Builds the index, and gives the lengths.
    std::vector<uint32_t> index(size_t left, size_t max_order, UnitIndex& into) const {
        into.build(codes_, ends_, left, max_order);
        std::vector<uint32_t> lengths;
        for (size_t i = 0; i < ends_.size(); ++i) lengths.push_back(static_cast<uint32_t>(ends_[i] - (i > 0 ? ends_[i - 1] : 0)));
        return lengths;
    }

  private:
    CommonNumbers numbers_;
    std::vector<uint32_t> codes_;
    std::vector<size_t> ends_;
};

}  // namespace

bool ChrfPairs::takes(const PreparedUnits& references) {
    for (size_t r = 0; r < references.size(); ++r)
        if (references[r].lengths.size() != 1) return false;
    return true;
}

void ChrfPairs::build(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references) {
    settings_ = settings;
    hypotheses_ = hypotheses.size();
    references_ = references.size();
    Sequences units, words;
    for (const ChrfList& list : hypotheses) {
        list.reads_codes ? units.add(list.codes) : units.add(list.units);
        if (list.reads_words) words.add(list.words);
    }
    for (size_t r = 0; r < references.size(); ++r) {
        ChrfReferences one = references[r];
        references.has_codes() ? units.add(one.units) : units.add(one.units, one.vocabulary);
        if (settings.word_order > 0) words.add(one.words.tokens, one.words.vocabulary);
    }
    lengths_ = units.index(hypotheses_, settings.char_order, units_);
    if (settings.word_order > 0) word_lengths_ = words.index(hypotheses_, settings.word_order, words_);
}

int64_t ChrfPairs::ngrams(size_t sequence, size_t i) const {
    return ngram_count(i < settings_.char_order ? lengths_[sequence] : word_lengths_[sequence], order_of(i));
}

void ChrfPairs::scores(Room& room, size_t reference, double* out, size_t step) const {
    size_t orders = settings_.orders();
    room.row.resize(3 * orders);
    room.counts.resize(std::max(units_.size(), words_.size()));
    room.matches.resize(hypotheses_ * orders);
    size_t own = hypotheses_ + reference;
    for (size_t i = 0; i < orders; ++i) {
        for (const UnitIndex::Entry& entry : entries(own, i)) room.counts[entry.ngram] = entry.count;
        for (size_t h = 0; h < hypotheses_; ++h) {
            int64_t found = 0;
            for (const UnitIndex::Entry& entry : entries(h, i)) found += std::min(entry.count, room.counts[entry.ngram]);
            room.matches[h * orders + i] = found;
        }
        for (const UnitIndex::Entry& entry : entries(own, i)) room.counts[entry.ngram] = 0;
    }
    for (size_t h = 0; h < hypotheses_; ++h) {
        for (size_t i = 0; i < orders; ++i) {
            int64_t in_reference = ngrams(own, i);
            room.row[3 * i] = in_reference == 0 ? 0 : ngrams(h, i);
            room.row[3 * i + 1] = in_reference;
            room.row[3 * i + 2] = room.matches[h * orders + i];
        }
        out[h * step] = chrf_score(settings_, room.row.data()).value;
    }
}

std::vector<double> ChrfPairs::scores_with_all() const {
    size_t orders = settings_.orders();
    std::vector<double> row(3 * orders), scores(hypotheses_), totals(orders), means(std::max(units_.size(), words_.size()));
    std::vector<double> matches(hypotheses_ * orders);
    double share = static_cast<double>(references_);
    for (size_t i = 0; i < orders; ++i) {
        std::fill(means.begin(), means.end(), 0);
        for (size_t r = hypotheses_; r < hypotheses_ + references_; ++r) {
            totals[i] += static_cast<double>(ngrams(r, i));
            for (const UnitIndex::Entry& entry : entries(r, i)) means[entry.ngram] += entry.count;
        }
        for (size_t h = 0; h < hypotheses_; ++h)
            for (const UnitIndex::Entry& entry : entries(h, i))
                matches[h * orders + i] += std::min(static_cast<double>(entry.count), means[entry.ngram] / share);
    }
    for (size_t h = 0; h < hypotheses_; ++h) {
        for (size_t i = 0; i < orders; ++i) {
            row[3 * i] = totals[i] == 0 ? 0 : static_cast<double>(ngrams(h, i));
            row[3 * i + 1] = totals[i] / share;
            row[3 * i + 2] = matches[h * orders + i];
        }
        scores[h] = chrf_score(settings_, row.data()).value;
    }
    return scores;
}

}  // namespace refscore

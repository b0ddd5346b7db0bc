#include "chrf_pairs.hpp"

#include <algorithm>

#include "collection.hpp"
#include "unit_means.hpp"

namespace refscore {
namespace {

// All sequences of one kind, hypotheses first, with numbers in common.
class Sequences {
  public:
    void add(const TokenList& list) {
        for (const Token& token : list.tokens) codes_.push_back(numbers_.add(token, list.arena.data()));
        ends_.push_back(codes_.size());
    }
    void add(std::span<const uint32_t> tokens, const VocabularyView& vocabulary) {
        for (uint32_t token : tokens) codes_.push_back(numbers_.add(vocabulary.tokens[token], vocabulary.arena));
        ends_.push_back(codes_.size());
    }
    void add(std::span<const uint32_t> codes) {
        codes_.insert(codes_.end(), codes.begin(), codes.end());
        ends_.push_back(codes_.size());
    }

    std::span<const uint32_t> codes() const { return codes_; }
    std::span<const size_t> ends() const { return ends_; }
    std::vector<size_t> lengths() const {
        std::vector<size_t> lengths;
        for (size_t i = 0; i < ends_.size(); ++i) lengths.push_back(ends_[i] - (i > 0 ? ends_[i - 1] : 0));
        return lengths;
    }

  private:
    Lexicon numbers_;
    std::vector<uint32_t> codes_;
    std::vector<size_t> ends_;
};

// The units and words of a whole group.
struct Group {
    Sequences units, words;

    Group(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references) {
        for (const ChrfList& list : hypotheses) {
            list.reads_codes ? units.add(list.codes) : units.add(list.units);
            if (list.reads_words) words.add(list.words);
        }
        for (size_t r = 0; r < references.size(); ++r) {
            ChrfReferences one = references[r];
            references.has_codes() ? units.add(one.units) : units.add(one.units, one.vocabulary);
            if (settings.word_order > 0) words.add(one.words.tokens, one.words.vocabulary);
        }
    }
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
    Group group(settings, hypotheses, references);
    lengths_ = group.units.lengths();
    word_lengths_ = group.words.lengths();
    units_.build(group.units.codes(), group.units.ends(), hypotheses_, settings.char_order);
    words_.build(group.words.codes(), group.words.ends(), settings.word_order > 0 ? hypotheses_ : 0, settings.word_order);
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

std::vector<double> chrf_with_all(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references) {
    // What is allocated stays with the thread for the next group, unless it is a lot.
    constexpr size_t kKept = size_t{1} << 24;
    static thread_local std::unique_ptr<UnitMeans> spare;
    std::unique_ptr<UnitMeans> means = std::move(spare);
    if (!means) means = std::make_unique<UnitMeans>();
    Group group(settings, hypotheses, references);
    size_t orders = settings.orders(), left = hypotheses.size();
    std::vector<double> matches, rows(left * 3 * orders), scores(left);
    auto count = [&](const Sequences& sequences, size_t first, size_t max_order) {
        if (max_order == 0) return;
        means->count(sequences.codes(), sequences.ends(), left, max_order, matches);
        std::vector<size_t> lengths = sequences.lengths();
        for (size_t n = 1; n <= max_order; ++n) {
            int64_t total = 0;
            for (size_t r = left; r < lengths.size(); ++r) total += ngram_count(lengths[r], n);
            double mean = static_cast<double>(total) / static_cast<double>(references.size());
            for (size_t h = 0; h < left; ++h) {
                double* three = rows.data() + 3 * (h * orders + first + n - 1);
                three[0] = total == 0 ? 0 : static_cast<double>(ngram_count(lengths[h], n));
                three[1] = mean;
                three[2] = matches[h * max_order + n - 1];
            }
        }
    };
    count(group.units, 0, settings.char_order);
    count(group.words, settings.char_order, settings.word_order);
    for (size_t h = 0; h < left; ++h) scores[h] = chrf_score(settings, rows.data() + 3 * h * orders).value;
    if (means->bytes() <= kKept) spare = std::move(means);
    return scores;
}

}  // namespace refscore

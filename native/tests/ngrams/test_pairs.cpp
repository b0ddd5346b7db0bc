// Scores of all pairs, and common n-grams of texts, equal those of single pairs. The sizes are around those at which
// the kernels change their algorithm.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/ribes_pairs.hpp"
#include "refscore/ngrams/bleu_pairs.hpp"
#include "refscore/ngrams/common_counts.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/segments/sequence_order.hpp"
#include "refscore/statistics/unit_means.hpp"

using namespace refscore;

namespace {

using Units = std::vector<uint32_t>;
using Counts = std::map<Units, uint32_t, SequenceOrder>;

Counts ngrams(const Units& units, size_t order) {
    Counts counts;
    for (size_t i = 0; i + order <= units.size(); ++i)
        ++counts[Units(units.begin() + static_cast<ptrdiff_t>(i), units.begin() + static_cast<ptrdiff_t>(i + order))];
    return counts;
}

uint32_t common(const Counts& left, const Counts& right) {
    uint32_t total = 0;
    for (const auto& [ngram, count] : left) {
        auto found = right.find(ngram);
        if (found != right.end()) total += std::min(count, found->second);
    }
    return total;
}

struct Joined {
    Units codes;
    std::vector<size_t> ends;

    explicit Joined(const std::vector<Units>& sequences) {
        for (const Units& sequence : sequences) {
            codes.insert(codes.end(), sequence.begin(), sequence.end());
            ends.push_back(codes.size());
        }
    }
};

void check_common(const std::vector<Units>& sequences, size_t left, size_t max_order) {
    static NgramIndex index;
    static CommonCounts counts;
    static CommonCounts::Scratch scratch;
    Joined joined(sequences);
    index.build(joined.codes, joined.ends, left, max_order);
    counts.build(index, left, max_order);
    for (size_t n = 1; n <= max_order; ++n) {
        std::vector<Counts> own;
        for (const Units& sequence : sequences) own.push_back(ngrams(sequence, n));
        for (size_t r = left; r < sequences.size(); ++r) {
            std::vector<uint32_t> found(left, 77);
            counts.count(scratch, r, n, found.data());
            for (size_t h = 0; h < left; ++h) CHECK(found[h] == common(own[h], own[r]));
        }
    }
}

void check_weighted_means(const std::vector<Units>& sequences, size_t left, size_t max_order,
                          const std::vector<double>& weights) {
    static UnitMeans means;
    Joined joined(sequences);
    std::vector<double> matches;
    means.count(joined.codes, joined.ends, left, max_order, weights, matches);
    double total = 0;
    for (double weight : weights) total += weight;
    for (size_t n = 1; n <= max_order; ++n) {
        std::map<Units, double, SequenceOrder> mean;
        for (size_t r = left; r < sequences.size(); ++r)
            for (const auto& [ngram, count] : ngrams(sequences[r], n)) mean[ngram] += weights[r - left] * count / total;
        for (size_t h = 0; h < left; ++h) {
            double expected = 0;
            for (const auto& [ngram, count] : ngrams(sequences[h], n)) expected += std::min<double>(count, mean[ngram]);
            CHECK(std::abs(matches[h * max_order + n - 1] - expected) <= 1e-12 * std::max(1.0, expected));
        }
    }
}

// Texts of words, as read by the kernels.
struct Group {
    std::vector<std::string> texts;
    Block block;
    std::vector<TokenList> lists;
    PreparedReferences references{ItemKind::Text};
    Numberer numberer{TextRules{}};

    Group(const std::vector<Units>& hypotheses, const std::vector<Units>& others) {
        block.clear();
        for (const auto* side : {&hypotheses, &others})
            for (const Units& units : *side) {
                std::string text;
                for (uint32_t unit : units) text += "w" + std::to_string(unit) + " ";
                texts.push_back(text);
            }
        for (const std::string& text : texts) block.texts.push_back({text.data(), text.size(), Encoding::Ascii});
        for (size_t h = 0; h < hypotheses.size(); ++h) block.hypotheses.push_back({h, 1});
        for (size_t r = 0; r < others.size(); ++r) {
            block.references.push_back({hypotheses.size() + r, 1});
            block.reference_starts.push_back(r + 1);
        }
        lists.resize(hypotheses.size());
        for (size_t h = 0; h < hypotheses.size(); ++h) numberer.read_hypothesis(block, h, lists[h]);
        references.add(block, numberer);
    }
};

template <class Pairs, class Settings, class Value>
void check_pairs(const Settings& settings, Group& group, Value value) {
    static Pairs pairs;
    CHECK(Pairs::takes(group.references));
    pairs.build(settings, group.lists, group.references, 1);
    typename Pairs::Scratch scratch;
    std::vector<double> found(group.lists.size());
    for (size_t r = 0; r < group.references.size(); ++r) {
        pairs.scores(scratch, r, found);
        for (size_t h = 0; h < group.lists.size(); ++h) {
            NumberedReferences one = group.references[r];
            CHECK(found[h] == value(group.numberer.hypothesis(group.lists[h], one), one));
        }
    }
}

// The scores do not depend on the number of threads that build the tables.
template <class Pairs, class Settings>
void check_threads(const Settings& settings, const Group& group) {
    auto scores = [&](size_t threads) {
        Pairs pairs;
        pairs.build(settings, group.lists, group.references, threads);
        typename Pairs::Scratch scratch;
        std::vector<double> found(group.lists.size() * group.references.size());
        for (size_t r = 0; r < group.references.size(); ++r)
            pairs.scores(scratch, r, std::span(found).subspan(r * group.lists.size(), group.lists.size()));
        return found;
    };
    std::vector<double> expected = scores(1);
    for (size_t threads : {2, 4, 16}) CHECK(scores(threads) == expected);
}

void check_bleu(const BleuSettings& settings, Group& group) {
    NgramCounter counter;
    std::vector<int64_t> counts(settings.columns());
    BleuParts parts;
    check_pairs<BleuPairs>(settings, group, [&](std::span<const uint32_t> hypothesis, const NumberedReferences& one) {
        bleu_row(settings, hypothesis, one, counter, counts);
        std::vector<double> row(counts.begin(), counts.end());
        bleu_score(settings, row, parts);
        return parts.value;
    });
}

void check_ribes(const RibesSettings& settings, Group& group) {
    Ribes ribes;
    check_pairs<RibesPairs>(settings, group, [&](std::span<const uint32_t> hypothesis, const NumberedReferences& one) {
        return ribes.row(settings, hypothesis, one).score;
    });
}

}  // namespace

TEST_CASE("scores of all pairs equal those of single pairs") {
    std::mt19937 random(5);
    auto below = [&](size_t bound) { return static_cast<uint32_t>(random() % bound); };
    auto make = [&](size_t size, size_t kinds) {
        Units units(size);
        for (uint32_t& unit : units) unit = 1 + below(kinds);
        return units;
    };
    auto side = [&](size_t count, size_t longest, size_t kinds) {
        std::vector<Units> sequences;
        for (size_t i = 0; i < count; ++i) sequences.push_back(make(below(longest + 1), kinds));
        return sequences;
    };

    check_common({{}, {}}, 1, 3);  // with new scratch memory
    for (int round = 0; round < 200; ++round) {
        size_t left = below(6), right = 1 + below(5), kinds = 1 + below(round % 2 ? 3 : 60);
        std::vector<Units> sequences = side(left + right, 40, kinds);
        check_common(sequences, left, below(6));
        std::vector<double> weights(right, 0.25);
        for (double& weight : weights) weight += below(4);
        check_weighted_means(sequences, left, below(6), weights);
    }
    // So many texts that rare n-grams become lists, and more items than an 8-bit sum can count.
    std::vector<Units> many = side(300, 12, 400);
    for (int i = 0; i < 40; ++i) many.push_back(make(700, i % 2 ? 1 : 300));
    check_common(many, 310, 3);
    check_common({{}, {}, {}}, 1, 3);

    for (int round = 0; round < 120; ++round) {
        size_t kinds = 1 + below(round % 3 ? 12 : 60), longest = round % 4 ? 20 : 90;
        std::vector<Units> hypotheses = side(1 + below(12), longest, kinds),
                           others = side(1 + below(12), longest, kinds);
        if (round % 2) others.push_back(hypotheses.front());
        Group group(hypotheses, others);
        BleuSettings settings;
        settings.max_order = 1 + below(6);
        settings.smoothing = static_cast<Smoothing>(below(14));
        settings.smoothing_value = 0.5 + below(3);
        settings.effective_order = below(2) == 0;
        settings.short_order = static_cast<ShortOrder>(below(3));
        settings.no_match = static_cast<NoMatch>(below(3));
        if (below(3) == 0)
            for (size_t n = 0; n < settings.max_order; ++n) settings.weights.push_back(n == 1 ? 0 : 0.5);
        check_bleu(settings, group);

        for (Units& units : others)
            if (units.empty()) units.push_back(1);
        Group with_words(hypotheses, others);
        RibesSettings ribes;
        ribes.alignment.first = static_cast<FirstContext>(below(2));
        ribes.alignment.limit = static_cast<ContextLimit>(below(2));
        ribes.correlation = static_cast<Correlation>(below(4));
        ribes.single_word = static_cast<SingleWord>(below(2));
        check_ribes(ribes, with_words);
    }
    // Enough work for several threads.
    std::vector<Units> large = side(600, 80, 150), others = side(400, 80, 150);
    check_threads<BleuPairs>(BleuSettings{}, Group(large, others));
    for (Units& units : others)
        if (units.empty()) units.push_back(1);
    check_threads<RibesPairs>(RibesSettings{}, Group(large, others));

    for (size_t length : {63u, 64u, 65u}) {
        Group group({make(length, 40), make(64, 40)}, {make(length, 40), make(64, 40)});
        check_ribes({}, group);
    }
    CHECK(!RibesPairs::takes(Group({{1}}, {{1}, {}}).references));
}

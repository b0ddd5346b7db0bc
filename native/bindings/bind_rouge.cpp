#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "refscore/ngrams/rouge.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

template <>
struct Names<RougeVariant> {
    using enum RougeVariant;
    static constexpr Name<RougeVariant> kAll[] = {{N, "N"}, {L, "L"}, {Lsum, "Lsum"}, {W, "W"}, {S, "S"}, {SU, "SU"}};
};
template <>
struct Names<RougeCombine> {
    using enum RougeCombine;
    static constexpr Name<RougeCombine> kAll[] = {{F, "best"}, {Recall, "recall"}, {Pool, "pool"}};
};

namespace {

using namespace nb::literals;

struct RougeKernel {
    using Input = TokenInput;
    using Scratch = Rouge;
    static constexpr bool kCounts = false;

    RougeSettings settings;

    void read(const Settings& read) {
        Settings variant = read.of("parsed_variant");
        variant("kind", settings.variant);
        variant("order", settings.order);
        variant("skip", settings.skip);
        variant("power", settings.power);
        read("beta", settings.beta);
        read("combine", settings.combine);
    }
    size_t columns() const { return RougeRow::kColumns; }
    bool reads_lines() const { return settings.has_lines(); }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        RougeRow row = scratch.row(settings, hypothesis, references);
        out[0] = row.precision;
        out[1] = row.recall;
        out[2] = row.f;
        out[3] = row.segments;
    }
    double value(Scratch&, std::span<const double> row) const { return row[3] > 0 ? row[2] / row[3] : 0; }
};

// Returns the positions of a longest common subsequence in the hypothesis and the reference. Words are numbers below
// `vocabulary`.
std::vector<std::pair<uint32_t, uint32_t>> common_subsequence(std::vector<uint32_t> hypothesis,
                                                              std::vector<uint32_t> reference, uint32_t vocabulary) {
    vocabulary = number_from_one(hypothesis, reference, vocabulary);
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    without_gil([&] {
        CommonSubsequence scratch;
        for (CommonSubsequence::Pair pair : scratch.pairs(hypothesis, reference, vocabulary))
            pairs.emplace_back(pair.hypothesis, pair.reference);
    });
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

// For each reference line, returns the positions that are in a common subsequence with any hypothesis line. Words are
// numbers below `vocabulary`. With a power, subsequences are weighted.
std::vector<std::vector<uint32_t>> common_to_any_line(const std::vector<std::vector<uint32_t>>& hypothesis,
                                                      const std::vector<std::vector<uint32_t>>& reference,
                                                      uint32_t vocabulary, std::optional<double> power) {
    auto joined = [](const std::vector<std::vector<uint32_t>>& lines) {
        std::vector<uint32_t> words;
        for (const std::vector<uint32_t>& line : lines) words.insert(words.end(), line.begin(), line.end());
        return words;
    };
    auto split = [](std::span<const uint32_t> words, const std::vector<std::vector<uint32_t>>& lines) {
        Lines spans;
        for (const std::vector<uint32_t>& line : lines) {
            spans.push_back(words.first(line.size()));
            words = words.subspan(line.size());
        }
        return spans;
    };
    std::vector<uint32_t> words = joined(hypothesis), reference_words = joined(reference);
    vocabulary = number_from_one(words, reference_words, vocabulary);
    std::vector<std::vector<uint32_t>> positions(reference.size());
    auto visit = [&](size_t line, std::span<const uint8_t> in_any) {
        for (size_t i = 0; i < in_any.size(); ++i)
            if (in_any[i]) positions[line].push_back(static_cast<uint32_t>(i));
    };
    without_gil([&] {
        Lines lines = split(words, hypothesis), reference_lines = split(reference_words, reference);
        if (!power) return LineUnion<CommonSubsequence>().run(lines, reference_lines, vocabulary, visit);
        LineUnion<WeightedSubsequence> weighted;
        weighted.subsequence().set_power(*power);
        weighted.run(lines, reference_lines, vocabulary, visit);
    });
    return positions;
}

}  // namespace

void bind_rouge(nb::module_& m) {
    bind_scorer<RougeKernel>(m, "Rouge");
    m.def("common_subsequence", &common_subsequence, "hypothesis"_a, "reference"_a, "vocabulary"_a);
    m.def("common_to_any_line", &common_to_any_line, "hypothesis"_a, "reference"_a, "vocabulary"_a,
          "power"_a.none() = nb::none());
}

}  // namespace refscore::bindings

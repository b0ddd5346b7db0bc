// ROUGE's rows equal those computed with maps and complete tables, also with lines.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/rouge.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Overlap {
    size_t matches, hypothesis, reference;
};

std::vector<Sequence> lines_of(Sequence tokens) {
    std::vector<Sequence> lines;
    for (size_t begin = 0, i = 0; i <= tokens.size(); ++i) {
        if (i < tokens.size() && tokens[i] != kLineEnd) continue;
        if (i > begin) lines.push_back(tokens.subspan(begin, i - begin));
        begin = i + 1;
    }
    return lines;
}

// As in rouge-score: the union of the subsequences of each reference line with all hypothesis lines.
Overlap overlap_of_lines(Sequence hypothesis, Sequence reference) {
    Overlap found{0, 0, 0};
    std::map<uint32_t, size_t> left, left_reference;
    std::vector<Sequence> others = lines_of(hypothesis);
    for (Sequence line : others) {
        found.hypothesis += line.size();
        for (uint32_t token : line) ++left[token];
    }
    for (Sequence line : lines_of(reference)) {
        found.reference += line.size();
        for (uint32_t token : line) ++left_reference[token];
    }
    for (Sequence line : lines_of(reference)) {
        std::vector<bool> in_any(line.size());
        for (Sequence other : others) {
            std::vector<std::vector<size_t>> table = subsequences(other, line);
            for (size_t i = line.size(), j = other.size(); i > 0 && j > 0;) {
                if (line[i - 1] == other[j - 1]) {
                    in_any[--i] = true;
                    --j;
                } else {
                    (table[i][j - 1] > table[i - 1][j] ? j : i) -= 1;
                }
            }
        }
        for (size_t i = 0; i < line.size(); ++i) {
            if (!in_any[i] || left[line[i]] == 0 || left_reference[line[i]] == 0) continue;
            --left[line[i]];
            --left_reference[line[i]];
            ++found.matches;
        }
    }
    return found;
}

Overlap overlap(const RougeSettings& settings, Sequence hypothesis, Sequence reference) {
    if (settings.variant == RougeVariant::Lsum) return overlap_of_lines(hypothesis, reference);
    if (settings.variant == RougeVariant::L) return {subsequences(hypothesis, reference).back().back(), hypothesis.size(), reference.size()};
    int64_t matches = common(ngrams(hypothesis, settings.order), ngrams(reference, settings.order));
    return {static_cast<size_t>(matches), static_cast<size_t>(count_of(hypothesis.size(), settings.order)), static_cast<size_t>(count_of(reference.size(), settings.order))};
}

RougeRow expected_row(const RougeSettings& settings, Sequence hypothesis, const NumberedReferences& references) {
    RougeRow best;
    auto share = [](size_t part, size_t whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; };
    bool is_first = true;
    for (Sequence reference : each(references)) {
        Overlap found = overlap(settings, hypothesis, reference);
        double precision = share(found.matches, found.hypothesis), recall = share(found.matches, found.reference);
        double f = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
        if (is_first || f > best.f) best = {precision, recall, f, 1};
        is_first = false;
    }
    return best;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Rouge used;
    Input input(data, size);
    RougeSettings settings;
    settings.variant = input.one_of<RougeVariant>(3);
    settings.order = 1 + input.below(5);
    TextRules rules = read_rules(input, settings.variant == RougeVariant::Lsum);
    Segments segments(input, rules);
    double f = 0;
    read_all_ways(segments.block, rules, [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
        RougeRow row = Rouge().row(settings, hypothesis, references), again = used.row(settings, hypothesis, references);
        CHECK(row.precision == again.precision && row.recall == again.recall && row.f == again.f);
        CHECK(row.f >= 0 && row.f <= 1 && row.segments == 1);
        if (is_first) f = row.f;
        CHECK(row.f == f);
        if (!is_first || hypothesis.size() * references.tokens.size() > 1 << 14) return;
        RougeRow expected = expected_row(settings, hypothesis, references);
        CHECK(row.precision == expected.precision && row.recall == expected.recall && row.f == expected.f);
    });
    return 0;
}

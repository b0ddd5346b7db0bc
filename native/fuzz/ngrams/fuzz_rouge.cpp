// ROUGE's rows equal those computed with maps and complete tables, also with lines.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/rouge.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Overlap {
    double matches, hypothesis, reference, compared;
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
    size_t matches = 0, own = 0, wanted = 0;
    std::map<uint32_t, size_t> left, left_reference;
    std::vector<Sequence> others = lines_of(hypothesis);
    for (Sequence line : others) {
        own += line.size();
        for (uint32_t token : line) ++left[token];
    }
    for (Sequence line : lines_of(reference)) {
        wanted += line.size();
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
            ++matches;
        }
    }
    auto size = static_cast<double>(wanted);
    return {static_cast<double>(matches), static_cast<double>(own), size, size};
}

// As in ROUGE-1.5.5: the union of the weighted subsequences, and the weights of its runs.
Overlap weighted_overlap(Sequence hypothesis, Sequence reference, double power) {
    auto weight = [&](double run) { return std::pow(run, power); };
    std::map<uint32_t, size_t> left;
    std::vector<Sequence> others = lines_of(hypothesis);
    double matches = 0, own = 0, lines = 0;
    for (Sequence line : others) {
        own += static_cast<double>(line.size());
        for (uint32_t token : line) ++left[token];
    }
    for (Sequence line : lines_of(reference)) {
        lines += weight(static_cast<double>(line.size()));
        std::vector<bool> in_any(line.size() + 1);
        for (Sequence other : others) {
            std::vector<std::vector<double>> table(line.size() + 1, std::vector<double>(other.size() + 1)),
                runs = table;
            for (size_t i = 1; i <= line.size(); ++i)
                for (size_t j = 1; j <= other.size(); ++j) {
                    double run = runs[i - 1][j - 1];
                    bool equal = line[i - 1] == other[j - 1];
                    table[i][j] = equal ? table[i - 1][j - 1] + weight(run + 1) - weight(run)
                                        : std::max(table[i - 1][j], table[i][j - 1]);
                    if (equal) runs[i][j] = run + 1;
                }
            for (size_t i = line.size(), j = other.size(); i > 0 && j > 0;) {
                if (line[i - 1] == other[j - 1]) {
                    in_any[--i] = true;
                    --j;
                } else {
                    (table[i - 1][j] >= table[i][j - 1] ? i : j) -= 1;
                }
            }
        }
        double run = 0;
        for (size_t i = 0; i < line.size(); ++i) {
            if (!in_any[i] || left[line[i]] == 0) continue;
            --left[line[i]];
            ++run;
            if (in_any[i + 1]) continue;
            matches += weight(run);
            run = 0;
        }
    }
    return {matches, weight(own), weight(lines), lines};
}

Counts skip_bigrams(Sequence tokens, size_t skip, bool with_tokens) {
    Counts counts;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (with_tokens) ++counts[{tokens[i]}];
        for (size_t j = i + 1; j < tokens.size() && j - i - 1 <= skip; ++j) ++counts[{tokens[i], tokens[j]}];
    }
    return counts;
}

Overlap overlap(const RougeSettings& settings, Sequence hypothesis, Sequence reference) {
    if (settings.variant == RougeVariant::Lsum) return overlap_of_lines(hypothesis, reference);
    if (settings.variant == RougeVariant::W) return weighted_overlap(hypothesis, reference, settings.power);
    if (settings.variant == RougeVariant::L) {
        auto size = static_cast<double>(reference.size());
        return {static_cast<double>(subsequences(hypothesis, reference).back().back()),
                static_cast<double>(hypothesis.size()), size, size};
    }
    auto counts = [&](Sequence tokens) {
        return settings.variant == RougeVariant::N
                   ? ngrams(tokens, settings.order)
                   : skip_bigrams(tokens, settings.skip, settings.variant == RougeVariant::SU);
    };
    auto total = [](const Counts& counts) {
        double sum = 0;
        for (const auto& [item, count] : counts) sum += static_cast<double>(count);
        return sum;
    };
    Counts own = counts(hypothesis), wanted = counts(reference);
    return {static_cast<double>(common(own, wanted)), total(own), total(wanted), total(wanted)};
}

RougeRow expected_row(const RougeSettings& settings, Sequence hypothesis, const NumberedReferences& references) {
    RougeRow best;
    Overlap pooled{0, 0, 0, 0};
    double best_recall = 0;
    auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    auto row_of = [&](const Overlap& found) {
        double power = settings.variant == RougeVariant::W ? 1 / settings.power : 1;
        double precision = std::pow(share(found.matches, found.hypothesis), power),
               recall = std::pow(share(found.matches, found.reference), power);
        double f = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
        return RougeRow{precision, recall, f, 1};
    };
    bool is_first = true;
    for (Sequence reference : each(references)) {
        Overlap found = overlap(settings, hypothesis, reference);
        pooled = {pooled.matches + found.matches, pooled.hypothesis + found.hypothesis,
                  pooled.reference + found.reference, 0};
        RougeRow row = row_of(found);
        double recall = share(found.matches, found.compared);
        bool is_better = settings.combine == RougeCombine::F ? row.f > best.f : recall > best_recall;
        if (is_first || is_better) {
            best = row;
            best_recall = recall;
        }
        is_first = false;
    }
    return settings.combine == RougeCombine::Pool ? row_of(pooled) : best;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Rouge used;
    Input input(data, size);
    RougeSettings settings;
    settings.variant = input.one_of<RougeVariant>(6);
    settings.order = 1 + input.below(5);
    settings.skip = input.below(2) ? kUnlimitedSkip : input.below(7);
    settings.power = input.below(2) ? 1.2 : 2;
    settings.combine = input.one_of<RougeCombine>(3);
    TextRules rules = read_rules(input, settings.has_lines());
    Segments segments(input, rules);
    double f = 0;
    read_all_ways(
        segments.block, rules, [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
            RougeRow row = Rouge().row(settings, hypothesis, references),
                     again = used.row(settings, hypothesis, references);
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

#include "refscore/ngrams/rouge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

void split_lines(std::span<const uint32_t> tokens, Lines& lines) {
    lines.clear();
    for (auto begin = tokens.begin();;) {
        auto end = std::find(begin, tokens.end(), kLineEnd);
        if (end != begin) lines.emplace_back(begin, end);
        if (end == tokens.end()) return;
        begin = end + 1;
    }
}

size_t total_size(const Lines& lines) {
    size_t size = 0;
    for (std::span<const uint32_t> line : lines) size += line.size();
    return size;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

// The weighted harmonic mean of precision and recall.
double rouge_f_score(double precision, double recall, double beta) {
    double square = beta * beta;
    if (precision == 0 || recall == 0) return 0;
    // Exact, so equal precisions tie. For huge beta, the square is infinite.
    if (square == 0) return precision;
    if (!std::isfinite(square)) return recall;
    return (1 + square) * precision * recall / (recall + square * precision);
}

}  // namespace

template <class Subsequence>
void LineUnion<Subsequence>::sort_lines(const Lines& lines, std::vector<uint32_t>& order) {
    order.resize(lines.size());
    std::iota(order.begin(), order.end(), uint32_t{0});
    // Lines are usually short, so comparing them is cheaper than hashing.
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return std::ranges::lexicographical_compare(lines[a], lines[b]); });
}

template <class Subsequence>
void LineUnion<Subsequence>::build_index(const Lines& hypothesis, uint32_t vocabulary) {
    if (tokens_.size() <= vocabulary) tokens_.resize(vocabulary + size_t{1});
    if (tried_.size() < hypothesis.size()) tried_.resize(hypothesis.size());
    occurrences_.clear();
    sort_lines(hypothesis, hypothesis_order_);
    for (size_t i = 0; i < hypothesis_order_.size(); ++i) {
        uint32_t line = hypothesis_order_[i];
        if (i > 0 && std::ranges::equal(hypothesis[line], hypothesis[hypothesis_order_[i - 1]])) continue;
        checkpoint(hypothesis[line].size());
        for (uint32_t token : hypothesis[line]) {
            uint32_t& first = tokens_[token].first;
            if (first != kNone && occurrences_[first].line == line) continue;
            occurrences_.push_back({line, first});
            first = static_cast<uint32_t>(occurrences_.size() - 1);
        }
    }
}

template <class Subsequence>
void LineUnion<Subsequence>::find_union(const Lines& hypothesis, std::span<const uint32_t> line, uint32_t vocabulary) {
    ++turn_;
    clear(line.size());
    for (size_t i = 0; i < line.size(); ++i) {
        TokenEntry& token = tokens_[line[i]];
        if (in_any_[i] || token.exhausted == turn_) continue;
        uint32_t at = token.first;
        for (; at != kNone && !in_any_[i]; at = occurrences_[at].next) {
            uint32_t other = occurrences_[at].line;
            if (std::exchange(tried_[other], turn_) == turn_) continue;
            add(hypothesis[other], line, vocabulary);
        }
        if (!in_any_[i]) token.exhausted = turn_;
    }
}

template class LineUnion<CommonSubsequence>;
template class LineUnion<WeightedSubsequence>;

RougeRow Rouge::row(const RougeSettings& settings, std::span<const uint32_t> hypothesis,
                    const NumberedReferences& references) {
    auto row_of = [&](const Overlap& found) {
        double precision = share(found.matches, found.hypothesis), recall = share(found.matches, found.reference);
        if (settings.variant == RougeVariant::W) {
            precision = std::pow(precision, 1 / settings.power);
            recall = std::pow(recall, 1 / settings.power);
        }
        return RougeRow{precision, recall, rouge_f_score(precision, recall, settings.beta), 1};
    };
    RougeRow best;
    Overlap total;
    double best_recall = 0;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        NumberedReferences reference = references.only(r, begin);
        begin += reference.tokens.size();
        Overlap found = overlap(settings, hypothesis, reference);
        if (settings.combine == RougeCombine::Pool) {
            total.add(found);
            continue;
        }
        RougeRow row = row_of(found);
        double recall =
            share(found.matches, settings.variant == RougeVariant::W ? found.line_weights : found.reference);
        if (r == 0 || (settings.combine == RougeCombine::F ? row.f > best.f : recall > best_recall)) {
            best = row;
            best_recall = recall;
        }
    }
    return settings.combine == RougeCombine::Pool ? row_of(total) : best;
}

Rouge::Overlap Rouge::overlap(const RougeSettings& settings, std::span<const uint32_t> hypothesis,
                              NumberedReferences reference) {
    auto counts = [](size_t matches, size_t of_hypothesis, size_t of_reference) {
        return Overlap{static_cast<double>(matches), static_cast<double>(of_hypothesis),
                       static_cast<double>(of_reference), 0};
    };
    uint32_t vocabulary = reference.vocabulary_size;
    switch (settings.variant) {
        case RougeVariant::Lsum: return overlap_of_lines(hypothesis, reference.tokens, vocabulary);
        case RougeVariant::W: return weighted_overlap(settings.power, hypothesis, reference.tokens, vocabulary);
        case RougeVariant::L: {
            size_t length = subsequence_.length(hypothesis, reference.tokens, vocabulary);
            return counts(length, hypothesis.size(), reference.tokens.size());
        }
        default: break;
    }
    bool has_tokens = settings.variant == RougeVariant::SU;
    auto total = [&](size_t tokens) {
        if (settings.variant == RougeVariant::N) return tokens < settings.order ? 0 : tokens - settings.order + 1;
        return count_skip_bigrams(tokens, settings.skip) + (has_tokens && tokens > 0 ? tokens - 1 : 0);
    };
    size_t of_hypothesis = total(hypothesis.size()), of_reference = total(reference.tokens.size());
    if (of_hypothesis == 0 || of_reference == 0) return counts(0, of_hypothesis, of_reference);
    reference.vocabulary_size = renumberer_.renumber(hypothesis, reference.tokens, vocabulary);
    if (settings.variant == RougeVariant::N) {
        counts_.resize(settings.order);
        counter_.count(hypothesis, reference, settings.order, counts_.data());
        return counts(static_cast<size_t>(counts_.back()), of_hypothesis, of_reference);
    }
    size_t matches = skip_bigrams_.matches(hypothesis, reference.tokens, reference.vocabulary_size, settings.skip);
    if (has_tokens) {
        std::span<const uint32_t> words = hypothesis.first(hypothesis.size() - 1),
                                  others = reference.tokens.first(reference.tokens.size() - 1);
        matches += skip_bigrams_.common_tokens(words, others, reference.vocabulary_size);
    }
    return counts(matches, of_hypothesis, of_reference);
}

void Rouge::split_and_count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                            uint32_t vocabulary) {
    split_lines(hypothesis, hypothesis_lines_);
    split_lines(reference, reference_lines_);
    if (left_.size() <= vocabulary) left_.resize(vocabulary + size_t{1});
    for (std::span<const uint32_t> line : hypothesis_lines_)
        for (uint32_t token : line) ++left_[token];
}

void Rouge::forget_counts() {
    for (std::span<const uint32_t> line : hypothesis_lines_)
        for (uint32_t token : line) left_[token] = 0;
}

Rouge::Overlap Rouge::overlap_of_lines(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                       uint32_t vocabulary) {
    split_and_count(hypothesis, reference, vocabulary);
    size_t matches = 0;
    union_.run(hypothesis_lines_, reference_lines_, vocabulary, [&](size_t index, std::span<const uint8_t> in_any) {
        // A token counts at most as often as it occurs in the hypothesis.
        std::span<const uint32_t> line = reference_lines_[index];
        for (size_t i = 0; i < line.size(); ++i) {
            if (!in_any[i] || left_[line[i]] == 0) continue;
            --left_[line[i]];
            ++matches;
        }
    });
    forget_counts();
    return {static_cast<double>(matches), static_cast<double>(total_size(hypothesis_lines_)),
            static_cast<double>(total_size(reference_lines_)), 0};
}

Rouge::Overlap Rouge::weighted_overlap(double power, std::span<const uint32_t> hypothesis,
                                       std::span<const uint32_t> reference, uint32_t vocabulary) {
    split_and_count(hypothesis, reference, vocabulary);
    WeightedSubsequence& weights = weighted_union_.subsequence();
    weights.set_power(power);
    offsets_.clear();
    size_t size = 0;
    for (std::span<const uint32_t> line : reference_lines_) {
        offsets_.push_back(size);
        size += line.size();
    }
    in_any_.reserve(size);
    weighted_union_.run(hypothesis_lines_, reference_lines_, vocabulary,
                        [&](size_t index, std::span<const uint8_t> in_any) {
                            std::ranges::copy(in_any, in_any_.data() + offsets_[index]);
                        });
    Overlap found;
    // In the order of the lines, since a token that is used up does not continue a run.
    for (size_t index = 0; index < reference_lines_.size(); ++index) {
        std::span<const uint32_t> line = reference_lines_[index];
        const uint8_t* in_any = in_any_.data() + offsets_[index];
        size_t run = 0;
        for (size_t i = 0; i < line.size(); ++i) {
            // ROUGE-1.5.5 neither ends nor counts a run at a token that is used up. A run that ends there continues at
            // the next match of the line, or is lost.
            if (!in_any[i] || left_[line[i]] == 0) continue;
            --left_[line[i]];
            ++run;
            if (i + 1 < line.size() && in_any[i + 1]) continue;
            found.matches += weights.weight(run);
            run = 0;
        }
        found.line_weights += weights.weight(line.size());
    }
    forget_counts();
    found.hypothesis = std::pow(static_cast<double>(total_size(hypothesis_lines_)), power);
    // ROUGE-1.5.5 weights the reference twice: first each line, then their sum.
    found.reference = std::pow(found.line_weights, power);
    return found;
}

}  // namespace refscore

#include "rouge.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "stopping.hpp"

namespace refscore {
namespace {

void split_lines(std::span<const uint32_t> tokens, LineUnion::Lines& lines) {
    lines.clear();
    for (auto begin = tokens.begin();;) {
        auto end = std::find(begin, tokens.end(), kLineEnd);
        if (end != begin) lines.emplace_back(begin, end);
        if (end == tokens.end()) return;
        begin = end + 1;
    }
}

size_t total_size(const LineUnion::Lines& lines) {
    size_t size = 0;
    for (std::span<const uint32_t> line : lines) size += line.size();
    return size;
}

double share(size_t part, size_t whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

}  // namespace

void LineUnion::sort_lines(const Lines& lines, std::vector<uint32_t>& order) {
    order.resize(lines.size());
    std::iota(order.begin(), order.end(), uint32_t{0});
    // Lines are usually short, so comparing them is cheaper than hashing.
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return std::ranges::lexicographical_compare(lines[a], lines[b]); });
}

void LineUnion::build_index(const Lines& hypothesis, uint32_t vocabulary) {
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

void LineUnion::find_union(const Lines& hypothesis, std::span<const uint32_t> line, uint32_t vocabulary) {
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

RougeRow Rouge::row(const RougeSettings& settings, std::span<const uint32_t> hypothesis, const NumberedReferences& references) {
    RougeRow best;
    NumberedReferences one = references;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        one.tokens = references.tokens.subspan(begin, references.lengths[r]);
        one.lengths = references.lengths.subspan(r, 1);
        begin += one.tokens.size();
        Overlap found = overlap(settings, hypothesis, one);
        double precision = share(found.matches, found.hypothesis), recall = share(found.matches, found.reference);
        double f = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
        if (r == 0 || f > best.f) best = {precision, recall, f, 1};
    }
    return best;
}

Rouge::Overlap Rouge::overlap(const RougeSettings& settings, std::span<const uint32_t> hypothesis, NumberedReferences reference) {
    if (settings.variant == RougeVariant::Lsum) return overlap_of_lines(hypothesis, reference.tokens, reference.vocabulary_size);
    if (settings.variant == RougeVariant::L)
        return {subsequence_.length(hypothesis, reference.tokens, reference.vocabulary_size), hypothesis.size(), reference.tokens.size()};
    auto ngrams = [&](size_t tokens) { return tokens < settings.order ? 0 : tokens - settings.order + 1; };
    size_t of_hypothesis = ngrams(hypothesis.size()), of_reference = ngrams(reference.tokens.size());
    if (of_hypothesis == 0 || of_reference == 0) return {0, of_hypothesis, of_reference};
    reference.vocabulary_size = renumberer_.renumber(hypothesis, reference.tokens, reference.vocabulary_size);
    counts_.resize(settings.order);
    counter_.count(hypothesis, reference, settings.order, counts_.data());
    return {static_cast<size_t>(counts_.back()), of_hypothesis, of_reference};
}

Rouge::Overlap Rouge::overlap_of_lines(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary) {
    split_lines(hypothesis, hypothesis_lines_);
    split_lines(reference, reference_lines_);
    size_t matches = 0;
    if (left_.size() <= vocabulary) left_.resize(vocabulary + size_t{1});
    for (std::span<const uint32_t> line : hypothesis_lines_)
        for (uint32_t token : line) ++left_[token];
    union_.run(hypothesis_lines_, reference_lines_, vocabulary, [&](size_t index, std::span<const uint8_t> in_any) {
        // A token counts at most as often as it occurs in the hypothesis.
        std::span<const uint32_t> line = reference_lines_[index];
        for (size_t i = 0; i < line.size(); ++i) {
            if (!in_any[i] || left_[line[i]] == 0) continue;
            --left_[line[i]];
            ++matches;
        }
    });
    for (std::span<const uint32_t> line : hypothesis_lines_)
        for (uint32_t token : line) left_[token] = 0;
    return {matches, total_size(hypothesis_lines_), total_size(reference_lines_)};
}

}  // namespace refscore

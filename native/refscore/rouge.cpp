#include "rouge.hpp"

#include <algorithm>

namespace refscore {
namespace {

void split_lines(std::span<const uint32_t> tokens, std::vector<std::span<const uint32_t>>& lines) {
    lines.clear();
    for (auto begin = tokens.begin();;) {
        auto end = std::find(begin, tokens.end(), kLineEnd);
        if (end != begin) lines.emplace_back(begin, end);
        if (end == tokens.end()) return;
        begin = end + 1;
    }
}

size_t total_size(const std::vector<std::span<const uint32_t>>& lines) {
    size_t size = 0;
    for (std::span<const uint32_t> line : lines) size += line.size();
    return size;
}

double share(size_t part, size_t whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

}  // namespace

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
    for (std::span<const uint32_t> line : reference_lines_) {
        uint8_t* in_any = in_any_.reserve(line.size());
        std::fill(in_any, in_any + line.size(), uint8_t{0});
        for (std::span<const uint32_t> other : hypothesis_lines_)
            for (CommonSubsequence::Pair pair : subsequence_.pairs(other, line, vocabulary)) in_any[pair.reference] = 1;
        // A token counts at most as often as the hypothesis has it.
        for (size_t i = 0; i < line.size(); ++i) {
            if (!in_any[i] || left_[line[i]] == 0) continue;
            --left_[line[i]];
            ++matches;
        }
    }
    for (std::span<const uint32_t> line : hypothesis_lines_)
        for (uint32_t token : line) left_[token] = 0;
    return {matches, total_size(hypothesis_lines_), total_size(reference_lines_)};
}

}  // namespace refscore

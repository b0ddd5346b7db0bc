#include "refscore/distance/ribes_pairs.hpp"

#include "refscore/segments/numbered_group.hpp"

#include <algorithm>

namespace refscore {

bool RibesPairs::takes(const PreparedReferences& references) {
    for (size_t r = 0; r < references.size(); ++r)
        if (references[r].lengths.size() != 1 || references[r].lengths[0] == 0) return false;
    return true;
}

void RibesPairs::build(const RibesSettings& settings, const std::vector<TokenList>& hypotheses,
                       const PreparedReferences& references, size_t threads) {
    constexpr size_t kWidth = kMostPlaces + 1;  // lengths from 0 to kMostPlaces
    settings_ = settings;
    hypotheses_ = hypotheses.size();
    group_ = number_group(hypotheses, references, threads);
    places_.assign(group_.begin(hypotheses_), 0);
    longest_ = 0;
    std::vector<uint64_t> of_word(group_.vocabulary() + size_t{1});
    std::vector<bool> has_length(kWidth);
    precisions_.assign(kWidth * kWidth, 0);
    for (size_t h = 0; h < hypotheses_; ++h) {
        std::span<const uint32_t> text = group_[h];
        longest_ = std::max(longest_, text.size());
        if (text.size() > kMostPlaces) continue;
        for (size_t i = 0; i < text.size(); ++i) of_word[text[i]] |= uint64_t{1} << i;
        for (size_t i = 0; i < text.size(); ++i) places_[group_.begin(h) + i] = of_word[text[i]];
        for (uint32_t word : text) of_word[word] = 0;
        if (has_length[text.size()]) continue;
        has_length[text.size()] = true;
        for (size_t aligned = 1; aligned <= text.size(); ++aligned)
            precisions_[text.size() * kWidth + aligned] =
                ribes_precision(settings, static_cast<double>(aligned) / static_cast<double>(text.size()));
    }
}

void RibesPairs::scores(Scratch& scratch, size_t reference, std::span<double> out) const {
    std::span<const uint32_t> own = group_[hypotheses_ + reference];
    bool fits = own.size() <= kMostPlaces;
    scratch.places.resize(group_.vocabulary() + size_t{1});
    scratch.penalties.assign(longest_ + 1, -1);
    if (fits)
        for (size_t p = 0; p < own.size(); ++p) scratch.places[own[p]] |= uint64_t{1} << p;
    for (size_t h = 0; h < hypotheses_; ++h) {
        std::span<const uint32_t> text = group_[h];
        size_t length = text.size();
        out[h] = 0;
        if (!fits || length > kMostPlaces) {
            out[h] = scratch.ribes.row_of_one(settings_, text, own, group_.vocabulary()).score;
            continue;
        }
        for (size_t i = 0; i < length; ++i) scratch.in_reference[i] = scratch.places[text[i]];
        size_t aligned = rank_by_places(settings_.alignment, length, scratch.in_reference,
                                        places_.data() + group_.begin(h), scratch.ranks);
        double correlation = scratch.ribes.correlation(settings_, {scratch.ranks, aligned}, own.size());
        if (!(correlation > 0)) continue;
        double& penalty = scratch.penalties[length];
        if (penalty < 0)
            penalty =
                ribes_penalty(settings_, ribes_brevity(static_cast<double>(length), static_cast<double>(own.size())));
        out[h] = correlation * precisions_[length * (kMostPlaces + 1) + aligned] * penalty;
    }
    for (uint32_t word : own) scratch.places[word] = 0;
}

}  // namespace refscore

#include "refscore/ngrams/accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "refscore/segments/join_tokens.hpp"

namespace refscore {
namespace {

bool is_close(const AccuracySettings& settings, double answer, double target) {
    return std::abs(answer - target) / std::abs(target) <= settings.tolerance;
}

// Whether a sequence contains a part, by the algorithm of Knuth, Morris and Pratt: its time is linear for any tokens.
bool contains(std::span<const uint32_t> sequence, std::span<const uint32_t> part, std::vector<uint32_t>& borders) {
    if (part.empty()) return true;
    borders.assign(part.size(), 0);  // of each prefix, the longest proper border
    auto extend = [&](uint32_t length, uint32_t token) {
        while (length > 0 && part[length] != token) length = borders[length - 1];
        return length + (part[length] == token);
    };
    for (uint32_t i = 1; i < part.size(); ++i) borders[i] = extend(borders[i - 1], part[i]);
    uint32_t length = 0;
    for (uint32_t token : sequence) {
        length = extend(length, token);
        if (length == part.size()) return true;
    }
    return false;
}

}  // namespace

void Accuracy::find_matches(const AccuracySettings& settings, const NumberedTexts& hypothesis,
                            const NumberedReferences& references) {
    size_t count = references.lengths.size();
    is_match_.assign(count, false);
    bool is_plain = settings.rules == AnswerRules::Text &&
                    (settings.match == AnswerMatch::Equal || settings.match == AnswerMatch::Contains);
    if (!is_plain) {
        texts_.resize(std::max(texts_.size(), count));
        join_tokens(hypothesis.texts, text_);
    }
    std::optional<double> number;
    if (settings.match == AnswerMatch::Number) number = number_of_answer(text_);
    size_t begin = 0;
    for (size_t r = 0; r < count; begin += references.lengths[r++]) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
        bool is_equal = std::ranges::equal(hypothesis.numbers, reference);
        if (settings.match == AnswerMatch::Contains) {
            is_match_[r] = contains(hypothesis.numbers, reference, borders_);
            continue;
        }
        is_match_[r] = is_equal;
        if (is_plain) continue;
        join_tokens(references, reference, texts_[r]);
        if (settings.match == AnswerMatch::Letter) is_match_[r] = has_choice(text_, texts_[r]);
        if (!number) continue;
        std::optional<double> target = number_of_answer(texts_[r]);
        if (target && *target != 0) is_match_[r] = is_close(settings, *number, *target);
    }
    if (settings.rules == AnswerRules::Text) return;
    for (size_t r = 0; r < count; ++r)
        texts_[r] =
            settings.rules == AnswerRules::Vqa ? plain_vqa_answer(texts_[r]) : vqa_answer(texts_[r], settings.rules);
    bool are_same = settings.rules == AnswerRules::Vqa &&
                    std::all_of(texts_.begin(), texts_.begin() + static_cast<ptrdiff_t>(count),
                                [&](const std::string& text) { return text == texts_[0]; });
    text_ = are_same ? plain_vqa_answer(text_) : vqa_answer(text_, settings.rules);
    for (size_t r = 0; r < count; ++r) {
        if (settings.rules == AnswerRules::Vqa && !are_same) texts_[r] = vqa_answer(texts_[r], settings.rules);
        is_match_[r] = text_ == texts_[r];
    }
}

double Accuracy::score(const AccuracySettings& settings, const NumberedTexts& hypothesis,
                       const NumberedReferences& references) {
    require(!references.lengths.empty(), kNoReference);
    find_matches(settings, hypothesis, references);
    size_t annotators = is_match_.size();
    auto votes = static_cast<size_t>(std::count(is_match_.begin(), is_match_.end(), true));
    if (!settings.is_vote) return votes > 0;
    // Each annotator is left out once, and the others vote.
    auto share = [&](size_t others) {
        return std::min(1.0, static_cast<double>(others) / static_cast<double>(settings.votes_needed));
    };
    double agreeing = votes > 0 ? static_cast<double>(votes) * share(votes - 1) : 0,
           others = static_cast<double>(annotators - votes) * share(votes);
    return (agreeing + others) / static_cast<double>(annotators);
}

}  // namespace refscore

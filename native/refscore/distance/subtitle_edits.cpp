#include "refscore/distance/subtitle_edits.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "refscore/segments/join_tokens.hpp"

namespace refscore {
namespace {

// Reads "1:02:03,000" from the beginning of a text, and removes it. Returns false if there is none.
bool read_time(std::string_view& text, int64_t& time) {
    constexpr int64_t kSixty = 60, kSecond = 1'000'000;
    constexpr size_t kMostDigits = 9;
    auto number = [&](int64_t& value) {
        size_t digits = 0;
        for (value = 0; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
            if (digits == kMostDigits) return false;
            value = value * 10 + (text[digits] - '0');
        }
        text.remove_prefix(digits);
        return digits > 0;
    };
    auto skip = [&](char character) {
        if (text.empty() || text.front() != character) return false;
        text.remove_prefix(1);
        return true;
    };
    int64_t hours, minutes, seconds;
    if (!number(hours) || !skip(':') || !number(minutes) || !skip(':') || !number(seconds) || !skip(',')) return false;
    int64_t unit = kSecond / 10, fraction = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), unit /= 10)
        fraction += unit * (text.front() - '0');
    time = ((hours * kSixty + minutes) * kSixty + seconds) * kSecond + fraction;
    return true;
}

}  // namespace

SubtitleToken read_subtitle_token(std::string_view text) {
    using enum SubtitleToken::Role;
    constexpr std::string_view kArrow = "-->";
    if (text == "<eol>" || text == "<eob>") return {Break};
    SubtitleToken token{Times};
    if (text.empty() || text.front() < '0' || text.front() > '9' || !read_time(text, token.start)) return {Word};
    if (!text.starts_with(kArrow)) return {Word};
    text.remove_prefix(kArrow.size());
    if (!read_time(text, token.end) || !text.empty() || token.end < token.start) return {Word};
    return token;
}

void SubtitleEdits::Side::clear() {
    words.clear();
    tokens.clear();
    cues.clear();
}

// Words before the first times overlap with everything.
void SubtitleEdits::Side::add(std::string_view text, uint32_t number, size_t token) {
    SubtitleToken read = read_subtitle_token(text);
    if (read.role == SubtitleToken::Role::Times) {
        if (!cues.empty()) cues.back().last = words.size();
        cues.push_back({read.start, read.end, words.size(), 0});
        return;
    }
    if (cues.empty()) cues.push_back({std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), 0, 0});
    words.push_back({number, read.role == SubtitleToken::Role::Break, cues.back().start, cues.back().end});
    tokens.push_back(token);
}

void SubtitleEdits::Side::finish() {
    if (!cues.empty()) cues.back().last = words.size();
    auto order = [](const Cue& cue) { return std::tuple(cue.start, cue.first, cue.last, cue.end); };
    auto before = [&](const Cue& cue, const Cue& other) { return order(cue) < order(other); };
    if (!std::is_sorted(cues.begin(), cues.end(), [](const Cue& a, const Cue& b) { return a.start < b.start; }))
        std::sort(cues.begin(), cues.end(), before);
}

// Takes the cues of both sides by their start, the reference's first if they begin together. A part ends where no cue
// of either side goes on.
template <class Take>
void SubtitleEdits::for_each_part(Take take) {
    const std::vector<Cue>&own = hypothesis_.cues, &others = reference_.cues;
    auto add = [](const Side& side, const Cue& cue, PartSide& part) {
        for (size_t i = cue.first; i < cue.last; ++i) {
            part.words.push_back(side.words[i]);
            part.tokens.push_back(side.tokens[i]);
        }
    };
    auto clear = [](PartSide& part) {
        part.words.clear();
        part.tokens.clear();
    };
    auto finish = [&] {
        if (!hypothesis_part_.words.empty() || !reference_part_.words.empty()) take();
        clear(hypothesis_part_);
        clear(reference_part_);
    };
    clear(hypothesis_part_);
    clear(reference_part_);
    bool is_first = true;
    int64_t latest = 0;
    for (size_t i = 0, j = 0; i < own.size() || j < others.size();) {
        bool takes_own = i < own.size() && (j == others.size() || own[i].start < others[j].start);
        const Cue& cue = takes_own ? own[i++] : others[j++];
        if (!is_first && cue.start >= latest) finish();
        latest = is_first ? cue.end : std::max(latest, cue.end);
        is_first = false;
        if (takes_own) {
            add(hypothesis_, cue, hypothesis_part_);
        } else {
            add(reference_, cue, reference_part_);
        }
    }
    finish();
}

// Numbers the words of the part from 1, so it takes no time for the vocabulary of other parts. Returns the largest.
uint32_t SubtitleEdits::renumber(uint32_t vocabulary) {
    if (numbers_.size() <= vocabulary) numbers_.resize(vocabulary + size_t{1});
    uint32_t count = 0;
    std::vector<TimedWord>& others = reference_part_.words;
    originals_.clear();
    for (TimedWord& word : others) {
        originals_.push_back(word.number);
        uint32_t& number = numbers_[word.number];
        if (number == 0) number = ++count;
        word.number = number;
    }
    for (TimedWord& word : hypothesis_part_.words) word.number = numbers_[word.number];
    for (uint32_t number : originals_) numbers_[number] = 0;
    return count;
}

// A lower bound for any order of the words: the words of the longer side that the other side lacks.
uint32_t SubtitleEdits::fewest_edits(uint32_t vocabulary) {
    const std::vector<TimedWord>&words = hypothesis_part_.words, &others = reference_part_.words;
    if (counts_.size() <= vocabulary) counts_.resize(vocabulary + size_t{1});
    for (const TimedWord& word : others) ++counts_[word.number];
    size_t common = 0;
    for (const TimedWord& word : words) {
        bool found = counts_[word.number] > 0;
        counts_[word.number] -= found;
        common += found;
    }
    for (const TimedWord& word : others) counts_[word.number] = 0;
    return static_cast<uint32_t>(std::max(words.size(), others.size()) - common);
}

template <class Visit>
size_t SubtitleEdits::edit_part(uint32_t vocabulary, Visit visit) {
    const std::vector<TimedWord>&words = hypothesis_part_.words, &others = reference_part_.words;
    vocabulary = renumber(vocabulary);
    moves_.clear();
    uint32_t* order = search_.words(words.size());
    for (uint32_t i = 0; i < words.size(); ++i) order[i] = i;
    uint32_t distance = TimedDistance::kFar;
    if (!words.empty() && !others.empty()) {
        distance_.start(words, others, vocabulary);
        distance = distance_.keep(order, 0, words.size());
    }
    if (distance >= TimedDistance::kFar) {
        for (size_t i = words.size(); i > 0; --i) visit(TerEdit::Delete, i, others.size());
        for (size_t j = others.size(); j > 0; --j) visit(TerEdit::Insert, 0, j);
        return 0;
    }
    search_.run(distance_, others.size(), distance, fewest_edits(vocabulary), moves_);
    distance_.trace(search_.words(), visit);
    return moves_.size();
}

SubtitleRow SubtitleEdits::row(const NumberedTexts& hypothesis, const NumberedReferences& references) {
    auto text_of = [&](const Token& token, const uint8_t* arena, ItemKind kind) -> std::string_view {
        text_.clear();
        append_token(token, arena, kind, text_);
        return text_;
    };
    hypothesis_.clear();
    for (size_t i = 0; i < hypothesis.numbers.size(); ++i)
        hypothesis_.add(text_of(hypothesis.texts.tokens[i], hypothesis.texts.arena, hypothesis.texts.kind),
                        hypothesis.numbers[i], i);
    hypothesis_.finish();
    SubtitleRow best;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        reference_.clear();
        for (size_t i = begin; i < begin + references.lengths[r]; ++i) {
            uint32_t number = references.tokens[i];
            reference_.add(text_of(references.vocabulary.tokens[number], references.vocabulary.arena, references.kind),
                           number, i);
        }
        begin += references.lengths[r];
        reference_.finish();
        SubtitleRow row;
        for (const TimedWord& word : reference_.words) ++(word.is_break ? row.reference_breaks : row.reference_words);
        for_each_part([&] {
            row.moves +=
                static_cast<int64_t>(edit_part(references.vocabulary_size, [&](TerEdit edit, size_t i, size_t j) {
                    if (edit == TerEdit::Match) return;
                    const TimedWord& word = edit == TerEdit::Delete ? hypothesis_part_.words[search_.words()[i - 1]]
                                                                    : reference_part_.words[j - 1];
                    int64_t* counts = word.is_break ? row.breaks : row.words;
                    ++counts[edit == TerEdit::Substitute ? 0 : edit == TerEdit::Insert ? 1 : 2];
                }));
        });
        if (r == 0 || subtitle_value(row.edits(), row.length()) < subtitle_value(best.edits(), best.length()))
            best = row;
    }
    return best;
}

std::vector<SubtitleEdits::Part> SubtitleEdits::edits(Tokens hypothesis, Tokens reference, uint32_t vocabulary) {
    auto read = [](Tokens tokens, Side& side) {
        side.clear();
        for (size_t i = 0; i < tokens.size(); ++i) side.add(tokens[i].first, tokens[i].second, i);
        side.finish();
    };
    read(hypothesis, hypothesis_);
    read(reference, reference_);
    std::vector<Part> parts;
    for_each_part([&] {
        Part& part = parts.emplace_back();
        part.words = hypothesis_part_.tokens;
        edit_part(vocabulary, [&](TerEdit edit, size_t i, size_t j) {
            size_t own = edit == TerEdit::Insert ? kNone : hypothesis_part_.tokens[search_.words()[i - 1]];
            part.edits.push_back({edit, own, edit == TerEdit::Delete ? kNone : reference_part_.tokens[j - 1]});
        });
        part.moves = moves_;
        std::reverse(part.edits.begin(), part.edits.end());
    });
    return parts;
}

}  // namespace refscore

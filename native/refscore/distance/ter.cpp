#include "refscore/distance/ter.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// For checkpoint(): nanoseconds per word, and the amount that is collected before calling it, 16 µs. Only the orders of
// magnitude matter.
constexpr size_t kTerWordWork = 4, kMuchWork = 1 << 14;

// Excluding candidates costs a pass over all words. It pays from about one candidate per 16 words.
constexpr size_t kExcluded = 16;

}  // namespace

TerRow Ter::row(std::span<const uint32_t> hypothesis, const NumberedReferences& references) {
    TerRow row;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
        begin += reference.size();
        double edits = this->edits(hypothesis, reference, references.vocabulary_size);
        if (r == 0 || edits < row.edits) row.edits = edits;
    }
    row.reference_length = static_cast<double>(begin) / static_cast<double>(references.lengths.size());
    return row;
}

uint32_t Ter::edits(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary,
                    std::vector<AppliedMove>* moves) {
    vocabulary_ = vocabulary = renumberer_.renumber(hypothesis, reference, vocabulary);
    reference_ = reference;
    length_ = hypothesis.size();
    if (hypothesis.empty() || reference.empty()) return static_cast<uint32_t>(hypothesis.size() + reference.size());
    uint32_t* words = words_.reserve(length_);
    std::copy(hypothesis.begin(), hypothesis.end(), words);
    beam_.start(reference, length_, vocabulary);
    uint32_t distance = beam_.keep(words, 0, length_), fewest = fewest_edits(), count = 0;
    if (distance == fewest) return distance;
    places_.build(reference, vocabulary);
    checked_ = 0;
    while (distance > fewest) {
        checkpoint(kTerWordWork * (length_ + reference.size()));
        BlockMove move;
        read_trace();
        if (!find_candidates() || !best_move(distance, move)) break;
        apply(move, words);
        distance = beam_.keep(words, std::min(move.begin, move.to), std::max(move.begin, move.to) + move.length);
        ++count;
        if (moves != nullptr) moves->push_back({move, distance});
    }
    return distance + count;
}

std::vector<TerEdit> Ter::last_edits() const {
    std::vector<TerEdit> edits;
    if (length_ == 0 || reference_.empty()) {
        edits.assign(length_, TerEdit::Delete);
        edits.insert(edits.end(), reference_.size(), TerEdit::Insert);
        return edits;
    }
    beam_.trace(words_.data(), [&](TerEdit edit, size_t, size_t) { edits.push_back(edit); });
    std::reverse(edits.begin(), edits.end());
    return edits;
}

// A lower bound for any order of the words: the words of the longer side that the other side lacks.
uint32_t Ter::fewest_edits() {
    uint32_t* counts = counts_.reserve(vocabulary_ + size_t{1});
    std::memset(counts, 0, (vocabulary_ + size_t{1}) * sizeof(uint32_t));
    for (uint32_t word : reference_) ++counts[word];
    size_t common = 0;
    for (size_t i = 0; i < length_; ++i) {
        bool found = counts[words_[i]] > 0;
        counts[words_[i]] -= found;
        common += found;
    }
    return static_cast<uint32_t>(std::max(length_, reference_.size()) - common);
}

void Ter::read_trace() {
    uint32_t* aligned = aligned_.reserve(reference_.size());
    uint8_t* words = right_words_.reserve(length_);
    uint8_t* reference = right_reference_.reserve(reference_.size());
    uint8_t word_run = kLongestBlock, reference_run = kLongestBlock;
    beam_.trace(words_.data(), [&](TerEdit edit, size_t i, size_t j) {
        bool match = edit == TerEdit::Match;
        if (edit != TerEdit::Insert) {
            word_run = match ? static_cast<uint8_t>(std::min<uint32_t>(word_run + 1u, kLongestBlock)) : uint8_t{0};
            words[i - 1] = word_run;
        }
        if (edit != TerEdit::Delete) {
            reference_run =
                match ? static_cast<uint8_t>(std::min<uint32_t>(reference_run + 1u, kLongestBlock)) : uint8_t{0};
            reference[j - 1] = reference_run;
            aligned[j - 1] = static_cast<uint32_t>(i);
        }
    });
}

// Returns false if there are so many candidates that sacrebleu ends its search without trying any of them.
bool Ter::find_candidates() {
    candidates_.clear();
    for (uint32_t begin = 0; begin < length_; ++begin) {
        if (right_words_[begin] >= kLongestBlock) continue;
        std::span<const uint32_t> places = places_.of(words_[begin]);
        auto place = places.begin();
        if (begin > kFarthest) place = std::lower_bound(place, places.end(), begin - kFarthest);
        for (; place != places.end() && *place <= begin + kFarthest; ++place) {
            add_candidates(begin, *place);
            if (checked_ + candidates_.size() >= kMostCandidates) return false;
        }
    }
    checked_ += static_cast<uint32_t>(candidates_.size());
    return true;
}

// Adds moves of all lengths for equal words at `begin` in the hypothesis and `place` in the reference. Both sides must
// contain an error, and the words must not already be in place.
void Ter::add_candidates(uint32_t begin, uint32_t place) {
    uint32_t shortest = std::max(right_words_[begin], right_reference_[place]) + 1u;
    uint32_t bound = std::min(
        {kLongestBlock, static_cast<uint32_t>(length_) - begin, static_cast<uint32_t>(reference_.size()) - place});
    if (aligned_[place] > begin) bound = std::min(bound, aligned_[place] - 1 - begin);
    // Most pairs of words are followed by words that differ, so compare the last word of the shortest block first.
    if (shortest > bound || words_[begin + shortest - 1] != reference_[place + shortest - 1]) return;
    uint32_t equal = 1;
    while (equal < bound && words_[begin + equal] == reference_[place + equal]) ++equal;
    for (uint32_t length = shortest; length <= equal; ++length) {
        uint32_t before = place > 0 ? aligned_[place - 1] : 0;
        candidates_.push_back({begin, length, before});
        for (uint32_t at = place; at < place + length; ++at) {
            if (aligned_[at] == before) continue;
            before = aligned_[at];
            candidates_.push_back({begin, length, before});
        }
    }
}

// The target is a position before the move. Inside the block it shifts the block to the right by its offset.
BlockMove Ter::move_of(const Candidate& candidate) const {
    auto [begin, length, target] = candidate;
    uint32_t to = target > begin + length ? target - length : std::min(target, static_cast<uint32_t>(length_) - length);
    return {begin, length, to};
}

// Chooses the move with the smallest distance, if it is an improvement. Ties: the longest, then the first, then the
// first target.
bool Ter::best_move(uint32_t distance, BlockMove& best) {
    const Candidate* chosen = nullptr;
    uint32_t smallest = distance;
    auto rank = [](const Candidate& candidate) {
        return std::tuple(~candidate.length, candidate.begin, candidate.target);
    };
    bool excludes = candidates_.size() * kExcluded > length_;
    if (excludes) beam_.find_free_words(words_.data());
    size_t work = 0;
    for (const Candidate& candidate : candidates_) {
        BlockMove move = move_of(candidate);
        bool wins_ties = chosen != nullptr && rank(candidate) < rank(*chosen);
        if (move.to == move.begin || (smallest == 0 && !wins_ties)) continue;
        uint32_t most = wins_ties ? smallest : smallest - 1;
        if (excludes && beam_.fewest_after(words_.data(), move) > most) continue;
        work += kTerWordWork * (length_ - std::min(move.begin, move.to));
        if (work > kMuchWork) {
            checkpoint(work);
            work = 0;
        }
        uint32_t left = beam_.after(words_.data(), move, most);
        if (left > most) continue;
        smallest = left;
        chosen = &candidate;
        best = move;
    }
    return chosen != nullptr;
}

}  // namespace refscore

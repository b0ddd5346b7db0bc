// tercom's greedy search for moves of blocks, as implemented in sacrebleu. It is generic in the distance that it
// reduces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/distance/beam_distance.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {

// A move, and the distance after it.
struct AppliedMove {
    BlockMove block;
    uint32_t distance;
};

// A Distance has these members of BeamDistance: keep(), after(), find_free_words(), fewest_after() and trace(). And:
// equal(word, place) whether a word of the hypothesis matches a word of the reference
// places_of(word) the places in the reference that may match the word, in ascending order
template <class Distance>
class MoveSearch {
  public:
    // Returns memory for the words of the hypothesis. After run(), they have moved.
    uint32_t* words(size_t length) {
        length_ = length;
        return words_.reserve(length);
    }
    const uint32_t* words() const { return words_.data(); }

    // Moves words until no move reduces the distance, and returns the last distance. `moves` gets the moves.
    // `distance` is the distance before, and `fewest` a lower bound.
    uint32_t run(Distance& beam, size_t reference_length, uint32_t distance, uint32_t fewest,
                 std::vector<AppliedMove>& moves);

  private:
    struct Candidate {
        uint32_t begin;
        uint32_t length;
        uint32_t target;
    };
    // Limits of sacrebleu's lib_ter.py, which change scores: _MAX_SHIFT_SIZE, _MAX_SHIFT_DIST, _MAX_SHIFT_CANDIDATES.
    static constexpr uint32_t kLongestBlock = 10;
    static constexpr uint32_t kFarthest = 50;
    static constexpr uint32_t kMostCandidates = 1000;
    // For checkpoint(): nanoseconds per word, and the amount that is collected before calling it, 16 µs. Only the
    // orders of magnitude matter.
    static constexpr size_t kWordWork = 4, kMuchWork = 1 << 14;
    // Excluding candidates costs a pass over all words. It pays from about one candidate per 16 words.
    static constexpr size_t kExcluded = 16;

    void read_trace(const Distance& beam);
    bool find_candidates(const Distance& beam);
    void add_candidates(const Distance& beam, uint32_t begin, uint32_t place);
    BlockMove move_of(const Candidate& candidate) const;
    bool best_move(Distance& beam, uint32_t distance, BlockMove& best);

    Buffer<uint32_t> words_;  // the hypothesis after the moves so far
    size_t length_ = 0;
    size_t reference_length_ = 0;
    Buffer<uint32_t> aligned_;     // by reference word: the number of hypothesis words up to it
    Buffer<uint8_t> right_words_;  // by hypothesis word: the number of correct words from it on, up to kLongestBlock
    Buffer<uint8_t> right_reference_;  // the same for the reference
    std::vector<Candidate> candidates_;
    uint32_t checked_ = 0;  // candidates so far, for all moves
};

template <class Distance>
uint32_t MoveSearch<Distance>::run(Distance& beam, size_t reference_length, uint32_t distance, uint32_t fewest,
                                   std::vector<AppliedMove>& moves) {
    reference_length_ = reference_length;
    checked_ = 0;
    uint32_t* words = words_.data();
    while (distance > fewest) {
        checkpoint(kWordWork * (length_ + reference_length_));
        BlockMove move;
        read_trace(beam);
        if (!find_candidates(beam) || !best_move(beam, distance, move)) break;
        apply(move, words);
        distance = beam.keep(words, std::min(move.begin, move.to), std::max(move.begin, move.to) + move.length);
        moves.push_back({move, distance});
    }
    return distance;
}

template <class Distance>
void MoveSearch<Distance>::read_trace(const Distance& beam) {
    uint32_t* aligned = aligned_.reserve(reference_length_);
    uint8_t* words = right_words_.reserve(length_);
    uint8_t* reference = right_reference_.reserve(reference_length_);
    uint8_t word_run = kLongestBlock, reference_run = kLongestBlock;
    beam.trace(words_.data(), [&](TerEdit edit, size_t i, size_t j) {
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
template <class Distance>
bool MoveSearch<Distance>::find_candidates(const Distance& beam) {
    candidates_.clear();
    for (uint32_t begin = 0; begin < length_; ++begin) {
        if (right_words_[begin] >= kLongestBlock) continue;
        std::span<const uint32_t> places = beam.places_of(words_[begin]);
        auto place = places.begin();
        if (begin > kFarthest) place = std::lower_bound(place, places.end(), begin - kFarthest);
        for (; place != places.end() && *place <= begin + kFarthest; ++place) {
            if (!beam.equal(words_[begin], *place)) continue;
            add_candidates(beam, begin, *place);
            if (checked_ + candidates_.size() >= kMostCandidates) return false;
        }
    }
    checked_ += static_cast<uint32_t>(candidates_.size());
    return true;
}

// Adds moves of all lengths for equal words at `begin` in the hypothesis and `place` in the reference. Both sides must
// contain an error, and the words must not already be in place.
template <class Distance>
void MoveSearch<Distance>::add_candidates(const Distance& beam, uint32_t begin, uint32_t place) {
    uint32_t shortest = std::max(right_words_[begin], right_reference_[place]) + 1u;
    uint32_t bound = std::min(
        {kLongestBlock, static_cast<uint32_t>(length_) - begin, static_cast<uint32_t>(reference_length_) - place});
    if (aligned_[place] > begin) bound = std::min(bound, aligned_[place] - 1 - begin);
    // Most pairs of words are followed by words that differ, so compare the last word of the shortest block first.
    if (shortest > bound || !beam.equal(words_[begin + shortest - 1], place + shortest - 1)) return;
    uint32_t equal = 1;
    while (equal < bound && beam.equal(words_[begin + equal], place + equal)) ++equal;
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
template <class Distance>
BlockMove MoveSearch<Distance>::move_of(const Candidate& candidate) const {
    auto [begin, length, target] = candidate;
    uint32_t to = target > begin + length ? target - length : std::min(target, static_cast<uint32_t>(length_) - length);
    return {begin, length, to};
}

// Chooses the move with the smallest distance, if it is an improvement. Ties: the longest, then the first, then the
// first target.
template <class Distance>
bool MoveSearch<Distance>::best_move(Distance& beam, uint32_t distance, BlockMove& best) {
    const Candidate* chosen = nullptr;
    uint32_t smallest = distance;
    auto rank = [](const Candidate& candidate) {
        return std::tuple(~candidate.length, candidate.begin, candidate.target);
    };
    bool excludes = candidates_.size() * kExcluded > length_;
    if (excludes) beam.find_free_words(words_.data());
    size_t work = 0;
    for (const Candidate& candidate : candidates_) {
        BlockMove move = move_of(candidate);
        bool wins_ties = chosen != nullptr && rank(candidate) < rank(*chosen);
        if (move.to == move.begin || (smallest == 0 && !wins_ties)) continue;
        uint32_t most = wins_ties ? smallest : smallest - 1;
        if (excludes && beam.fewest_after(words_.data(), move) > most) continue;
        work += kWordWork * (length_ - std::min(move.begin, move.to));
        if (work > kMuchWork) {
            checkpoint(work);
            work = 0;
        }
        uint32_t left = beam.after(words_.data(), move, most);
        if (left > most) continue;
        smallest = left;
        chosen = &candidate;
        best = move;
    }
    return chosen != nullptr;
}

}  // namespace refscore

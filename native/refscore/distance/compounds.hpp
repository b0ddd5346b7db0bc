// Compounds: words that one side writes together and the other one apart, such as "white paper" and "whitepaper".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// The words of one side with their text.
struct Words {
    std::vector<uint32_t> numbers;  // equal for equal words of both sides; 0 equals nothing
    std::vector<uint32_t> ends;     // where the text of each word ends
    std::vector<uint8_t> text;      // of all words, without spaces
    std::vector<uint32_t> sizes;    // how many original words each word consists of

    size_t size() const { return numbers.size(); }
    uint32_t begin(size_t word) const { return word == 0 ? 0 : ends[word - 1]; }
    std::string_view text_of(size_t first, size_t end) const {
        return {reinterpret_cast<const char*>(text.data()) + begin(first), begin(end) - begin(first)};
    }
    std::string_view operator[](size_t word) const { return text_of(word, word + 1); }

    void clear();
    // Appends a token. Compounds need tokens with text, so an empty token is an error.
    void add(uint32_t number, const Token& token, const uint8_t* arena);
};

// Consecutive words of one side, before `end`, whose joined text equals words of the other side.
struct Compound {
    uint32_t end;
    uint32_t size;   // at least 2
    uint32_t equal;  // the index in `CompoundFinder::places` of these words of the other side
};

// Finds all compounds of one side; one instance per thread.
class CompoundFinder {
  public:
    // Fills `compounds`, ordered by their end. Consecutive words are compared with a word only if their sizes in bytes
    // are equal, so this takes words(parts) · (distinct sizes of `wholes`) steps, and one comparison of bytes per match
    // of size and first byte.
    void find(const Words& parts, const Words& wholes);

    std::vector<Compound> compounds;
    std::vector<std::vector<uint32_t>> places;  // positions of equal words, in order

  private:
    uint32_t equal_words(const Words& wholes, uint32_t bucket, std::string_view text);

    // Words of 63 bytes and more share a bucket.
    static constexpr uint32_t kBuckets = 64, kNone = UINT32_MAX;

    Buffer<uint32_t> starts_;  // by offset in the text: the index of the word that begins there plus 1, or 0
    std::vector<uint32_t> used_, next_, last_, equal_;
    uint32_t first_[kBuckets];
    uint64_t initials_[kBuckets];
};

// Joins words as Python's difflib.SequenceMatcher finds them: in a region that differs, the words of each side are
// joined if both sides have the same text apart from spaces. One instance per thread.
class RegionJoiner {
  public:
    // Returns whether any words were joined. If so, `hypothesis` and `reference` contain the joined words, numbered
    // from 1 to `vocabulary`.
    bool join(const Words& original_hypothesis, const Words& original_reference, uint32_t original_vocabulary);

    Words hypothesis, reference;
    uint32_t vocabulary = 0;

  private:
    struct Match {
        size_t reference, hypothesis, size;
        bool operator<(const Match& other) const { return reference < other.reference; }
    };
    struct Range {
        size_t from, to, other_from, other_to;
    };

    void index(const Words& side, uint32_t numbers);
    Match longest_match(const Words& left, const Words& right, const Range& range);

    std::vector<uint32_t> places_, begins_;  // positions of each number in the hypothesis
    std::vector<uint32_t> lengths_, next_lengths_, touched_, next_touched_;
    std::vector<Match> matches_;
    std::vector<Range> ranges_;
};

}  // namespace refscore

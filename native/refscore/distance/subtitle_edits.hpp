// SubER: the edits of subtitles, with line breaks as words, and moves. Words align only if their cues overlap in time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "refscore/distance/move_search.hpp"
#include "refscore/distance/timed_distance.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// A row of statistics; rows can be summed. Edits turn the reference into the hypothesis: an insertion is a word that
// only the hypothesis has.
struct SubtitleRow {
    static constexpr size_t kColumns = 9;
    int64_t moves = 0;
    int64_t words[3] = {};   // substitutions, deletions, insertions
    int64_t breaks[3] = {};  // the same
    int64_t reference_words = 0;
    int64_t reference_breaks = 0;

    int64_t edits() const { return moves + words[0] + words[1] + words[2] + breaks[0] + breaks[1] + breaks[2]; }
    int64_t length() const { return reference_words + reference_breaks; }
};

inline double subtitle_value(int64_t edits, int64_t length) {
    if (length > 0) return static_cast<double>(edits) / static_cast<double>(length);
    return edits > 0 ? 1 : 0;
}

// A token of subtitles: a word, a line break, or the times that begin a cue.
struct SubtitleToken {
    enum class Role : uint8_t { Word, Break, Times } role;
    int64_t start = 0;
    int64_t end = 0;
};

// Reads "<eol>", "<eob>" and "00:00:01,000-->00:00:02,500". Everything else is a word.
SubtitleToken read_subtitle_token(std::string_view text);

// One instance per thread.
class SubtitleEdits {
  public:
    // A token and its number, from 1 on, or 0 if the references lack it.
    using Tokens = std::span<const std::pair<std::string_view, uint32_t>>;
    // The last token on either side, or kNone.
    static constexpr size_t kNone = SIZE_MAX;
    struct Edit {
        TerEdit kind;  // Delete: only the hypothesis has the word
        size_t hypothesis;
        size_t reference;
    };
    // A part of the subtitles that no cue connects with the others.
    struct Part {
        std::vector<AppliedMove> moves;
        std::vector<size_t> words;  // the tokens of the hypothesis before the moves
        std::vector<Edit> edits;    // after the moves
    };

    // Returns the row of the reference with the lowest rate.
    SubtitleRow row(const NumberedTexts& hypothesis, const NumberedReferences& references);

    std::vector<Part> edits(Tokens hypothesis, Tokens reference, uint32_t vocabulary);

  private:
    struct Cue {
        int64_t start;
        int64_t end;
        size_t first;  // of its words
        size_t last;   // and the one after the last
    };
    struct Side {
        std::vector<TimedWord> words;
        std::vector<size_t> tokens;  // by word
        std::vector<Cue> cues;

        void clear();
        void add(std::string_view text, uint32_t number, size_t token);
        void finish();
    };
    // The words of a part, in the order of their cues.
    struct PartSide {
        std::vector<TimedWord> words;
        std::vector<size_t> tokens;
    };

    template <class Take>
    void for_each_part(Take take);
    // Calls visit(edit, i, j) for each edit of the current part from the last to the first, and returns the moves.
    template <class Visit>
    size_t edit_part(uint32_t vocabulary, Visit visit);
    uint32_t renumber(uint32_t vocabulary);
    uint32_t fewest_edits(uint32_t vocabulary);

    Side hypothesis_, reference_;
    PartSide hypothesis_part_, reference_part_;
    TimedDistance distance_;
    MoveSearch<TimedDistance> search_;
    std::vector<AppliedMove> moves_;
    std::vector<uint32_t> counts_, numbers_;  // by word, all 0 between calls
    std::vector<uint32_t> originals_;
    std::string text_;
};

}  // namespace refscore

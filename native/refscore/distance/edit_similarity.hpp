// Edit similarity: 1 minus the number of edits divided by the length of the longer text. With a threshold it is ANLS.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/preconditions.hpp"
#include "refscore/distance/edit_distance.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

struct EditSimilaritySettings {
    double threshold = 0;           // lower similarities count as 0
    bool counts_threshold = false;  // a similarity equal to the threshold counts
    bool is_mean = true;            // a corpus score is the mean over segments, or else the score of summed edits
    bool skips_empty = false;       // a segment with two empty texts does not count

    void check() const { require(threshold >= 0 && threshold <= 1, "a threshold must be from 0 to 1"); }
};

// A row of statistics; rows can be summed.
struct EditSimilarityRow {
    static constexpr size_t kColumns = 4;
    double similarity = 0;  // after the threshold
    double edits = 0;
    double longer = 0;  // the length of the longer text
    double segments = 0;

    // Rows without anything to compare have no edits, so their score is 1.
    double value(const EditSimilaritySettings& settings) const {
        if (settings.is_mean) return segments > 0 ? similarity / segments : 1;
        return longer > 0 ? 1 - edits / longer : 1;
    }
};

// One instance per thread.
class EditSimilarity {
  public:
    // Returns the row of the reference with the highest similarity before the threshold, the first of equals.
    EditSimilarityRow row(const EditSimilaritySettings& settings, std::span<const uint32_t> hypothesis,
                          const NumberedReferences& references);

  private:
    EditDistance distance_;
};

}  // namespace refscore

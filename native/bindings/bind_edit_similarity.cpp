#include "bind.hpp"

#include "refscore/distance/edit_similarity.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct EditSimilarityKernel {
    using Input = TokenInput;
    using Scratch = EditSimilarity;
    static constexpr bool kCounts = false;

    EditSimilaritySettings settings;

    void read(const Settings& read) {
        read("threshold", settings.threshold);
        read.is("at_threshold", "count", settings.counts_threshold);
        read.is("average", "segments", settings.is_mean);
        read.is("both_empty", "skip", settings.skips_empty);
    }
    size_t columns() const { return EditSimilarityRow::kColumns; }

    void row(Scratch& scratch, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
             std::span<double> out) const {
        EditSimilarityRow row = scratch.row(settings, hypothesis, references);
        out[0] = row.similarity;
        out[1] = row.edits;
        out[2] = row.longer;
        out[3] = row.segments;
    }
    double value(Scratch&, std::span<const double> row) const {
        return EditSimilarityRow{row[0], row[1], row[2], row[3]}.value(settings);
    }
};

}  // namespace

void bind_edit_similarity(nb::module_& m) { bind_scorer<EditSimilarityKernel>(m, "EditSimilarity"); }

}  // namespace refscore::bindings

// The table has a row per reference character and a cell per position in the hypothesis. Sums of costs are rounded, and
// the rounding decides which cell of a row is the cheapest. All additions are therefore those of the definition, in the
// same order.
//
// A cell depends on its left neighbour through an addition and a minimum, which limits a single row to one cell in
// about 8 cycles. Up to kRows rows are computed in one pass, so the processor overlaps their chains. A pass ends after
// a space, because a jump needs the minimum of the whole row.
#include "refscore/distance/eed.hpp"

#include <algorithm>
#include <limits>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kRows = 4;       // more rows do not fit into 16 registers
constexpr double kFirstCell = 1;  // the cost of a reference character before the first hypothesis character
constexpr double kElsewhere = 1;  // the cost of beginning at any position but the first
constexpr double kMismatch = 1;
constexpr double kNoCap = std::numeric_limits<double>::infinity();

double final_score(double distance, double coverage, double length) {
    double whole = length + coverage;
    return whole > 0 ? std::min(1.0, (distance + coverage) / whole) : 1;
}

}  // namespace

void Eed::visit(uint32_t position) {
    uint64_t& word = visited_[position / 64];
    uint64_t bit = uint64_t{1} << position % 64;
    distinct_ += (word & bit) == 0;
    word |= bit;
}

template <size_t Rows>
void Eed::sweep(const EedSettings& settings, std::span<const uint32_t> hypothesis, const uint32_t* reference) {
    double* row = row_.data();
    const double cap = cap_, deletion = settings.deletion, insertion = settings.insertion;
    double left[Rows], corner[Rows], lowest[Rows];
    uint32_t place[Rows] = {};
    double above = std::min(row[0], cap);
    for (size_t r = 0; r < Rows; ++r) {
        corner[r] = above;
        above = left[r] = lowest[r] = above + kFirstCell;
    }
    row[0] = above;
    for (uint32_t i = 0; i < hypothesis.size(); ++i) {
        uint32_t token = hypothesis[i];
        above = std::min(row[i + 1], cap);
        for (size_t r = 0; r < Rows; ++r) {
            double replaced = corner[r] + (token == reference[r] ? 0 : kMismatch);
            double cell = std::min(std::min(replaced, above + insertion), left[r] + deletion);
            corner[r] = above;
            above = left[r] = cell;
            bool is_lower = cell < lowest[r];
            lowest[r] = is_lower ? cell : lowest[r];
            place[r] = is_lower ? i + 1 : place[r];
        }
        row[i + 1] = above;
    }
    for (size_t r = 0; r < Rows; ++r) visit(place[r]);
    lowest_ = lowest[Rows - 1];
}

EedRow Eed::score(const EedSettings& settings, std::span<const uint32_t> hypothesis,
                  std::span<const uint32_t> reference, uint32_t space) {
    size_t cells = hypothesis.size() + 1;
    double* row = row_.reserve(cells);
    std::fill_n(row, cells, kElsewhere);
    row[0] = 0;
    cap_ = kNoCap;
    distinct_ = 0;
    std::fill_n(visited_.reserve(cells / 64 + 1), cells / 64 + 1, 0);
    for (size_t at = 0; at < reference.size();) {
        size_t rows = 1, most = std::min(kRows, reference.size() - at);
        while (rows < most && reference[at + rows - 1] != space) ++rows;
        checkpoint(cells * rows);
        const uint32_t* first = reference.data() + at;
        switch (rows) {
            case 1: sweep<1>(settings, hypothesis, first); break;
            case 2: sweep<2>(settings, hypothesis, first); break;
            case 3: sweep<3>(settings, hypothesis, first); break;
            default: sweep<kRows>(settings, hypothesis, first); break;
        }
        at += rows;
        cap_ = reference[at - 1] == space ? settings.alpha + lowest_ : kNoCap;
    }
    EedRow result;
    result.distance = std::min(row[hypothesis.size()], cap_);
    // A cell that is visited v times counts v - 1, and a cell that is never visited counts 1.
    result.coverage = settings.rho * static_cast<double>(reference.size() + cells - 2 * distinct_);
    result.reference_length = static_cast<double>(reference.size());
    result.score = final_score(result.distance, result.coverage, result.reference_length);
    return result;
}

EedRow Eed::row(const EedSettings& settings, std::span<const uint32_t> hypothesis,
                const NumberedReferences& references) {
    // Token ids have no space, so they have no jumps.
    uint32_t space = references.kind == ItemKind::Ids
                         ? kUnknown
                         : references.vocabulary.find(short_token(reinterpret_cast<const uint8_t*>(" "), 1), nullptr);
    EedRow best;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        EedRow row = score(settings, hypothesis, references.tokens.subspan(begin, references.lengths[r]), space);
        begin += references.lengths[r];
        if (r == 0 || row.score < best.score) best = row;
    }
    return best;
}

std::vector<EedEdit> Eed::path(const EedSettings& settings, std::span<const uint32_t> hypothesis,
                               std::span<const uint32_t> reference, uint32_t space, std::vector<uint32_t>& visits) {
    size_t cells = hypothesis.size() + 1;
    require(reference.size() <= kLargestPath / cells, "the texts are too long for a path");
    std::vector<EedStep> steps(cells * reference.size());
    std::vector<double> row(cells, kElsewhere), next(cells);
    row[0] = 0;
    visits.clear();
    for (size_t r = 0; r < reference.size(); ++r) {
        checkpoint(4 * cells);
        EedStep* step = steps.data() + r * cells;
        next[0] = row[0] + kFirstCell;
        step[0] = EedStep::Insertion;
        for (size_t i = 1; i < cells; ++i) {
            bool is_same = hypothesis[i - 1] == reference[r];
            double replaced = row[i - 1] + (is_same ? 0 : kMismatch), deleted = next[i - 1] + settings.deletion,
                   inserted = row[i] + settings.insertion;
            next[i] = std::min({replaced, deleted, inserted});
            step[i] = next[i] == replaced  ? (is_same ? EedStep::Match : EedStep::Substitution)
                      : next[i] == deleted ? EedStep::Deletion
                                           : EedStep::Insertion;
        }
        uint32_t lowest = static_cast<uint32_t>(std::min_element(next.begin(), next.end()) - next.begin());
        visits.push_back(lowest);
        if (reference[r] == space) {
            double cap = settings.alpha + next[lowest];
            for (size_t i = 0; i < cells; ++i)
                if (cap < next[i]) next[i] = cap, step[i] = EedStep::Jump;
        }
        row.swap(next);
    }
    std::vector<EedEdit> edits;
    uint32_t at = static_cast<uint32_t>(hypothesis.size());
    for (size_t r = reference.size(); r > 0;) {
        EedStep step = steps[(r - 1) * cells + at];
        edits.push_back({step, at});
        if (step == EedStep::Jump) {
            at = visits[r - 1];
            continue;
        }
        at -= step != EedStep::Insertion;
        r -= step != EedStep::Deletion;
    }
    if (at > 0) edits.push_back({EedStep::Jump, at});  // the path begins at this position
    std::reverse(edits.begin(), edits.end());
    return edits;
}

}  // namespace refscore

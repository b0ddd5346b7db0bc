// EED, the extended edit distance: edits of characters with jumps, and a penalty for characters that are visited twice
// or never.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

struct EedSettings {
    double alpha = 2;       // the cost of a jump
    double rho = 0.3;       // the weight of the coverage
    double deletion = 0.2;  // the cost of a hypothesis character that the reference lacks
    double insertion = 1;   // the cost of a reference character that the hypothesis lacks

    void check() const {
        for (double cost : {alpha, rho, deletion, insertion})
            require(cost >= 0 && std::isfinite(cost), "costs must be finite and at least 0");
    }
};

// A row of statistics; rows can be summed.
struct EedRow {
    static constexpr size_t kColumns = 5;
    double score = 0;
    double distance = 0;
    double coverage = 0;
    double reference_length = 0;
    double segments = 1;
};

// A step of the cheapest path. A jump changes the position in the hypothesis after a space of the reference.
enum class EedStep : uint8_t { Match, Substitution, Deletion, Insertion, Jump };
struct EedEdit {
    EedStep step;
    uint32_t hypothesis;  // the number of hypothesis characters before the position that the step reaches
};

// One instance per thread.
class Eed {
  public:
    static constexpr size_t kLargestPath = size_t{1} << 26;  // cells of a table for path(), one byte each: 64 MiB

    // Returns the row of the best reference. Jumps follow the token " ".
    EedRow row(const EedSettings& settings, std::span<const uint32_t> hypothesis, const NumberedReferences& references);

    // Returns the row of one reference; `space` is the number of " ".
    EedRow score(const EedSettings& settings, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                 uint32_t space);

    // Returns a cheapest path for at most kLargestPath cells, and writes the position of the cheapest cell after each
    // reference character to `visits`. Of several equally cheap steps it prefers a match or substitution, then a
    // deletion.
    std::vector<EedEdit> path(const EedSettings& settings, std::span<const uint32_t> hypothesis,
                              std::span<const uint32_t> reference, uint32_t space, std::vector<uint32_t>& visits);

  private:
    template <size_t Rows>
    void sweep(const EedSettings& settings, std::span<const uint32_t> hypothesis, const uint32_t* reference);
    void visit(uint32_t position);

    Buffer<double> row_;
    double cap_ = 0;            // an upper bound of all cells of row_, from a jump
    double lowest_ = 0;         // in the last row
    Buffer<uint64_t> visited_;  // a bit per cell of a row
    size_t distinct_ = 0;       // the number of visited cells
};

}  // namespace refscore

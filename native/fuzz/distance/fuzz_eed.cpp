// EED's rows equal those of a complete table, and the cost of its path is the last cell.
#include <numeric>
#include <set>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/eed.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

constexpr size_t kMostSymbols = 1500;
constexpr uint32_t kNoSpace = 0;  // the number of symbols that no reference has

EedRow expected_row(const EedSettings& settings, Sequence hypothesis, Sequence reference, uint32_t space) {
    std::vector<double> row(hypothesis.size() + 1, 1), next(row.size());
    std::vector<int> visits(row.size(), -1);
    row[0] = 0;
    for (uint32_t symbol : reference) {
        next[0] = row[0] + 1;
        for (size_t i = 1; i < row.size(); ++i)
            next[i] = std::min({next[i - 1] + settings.deletion, row[i - 1] + (hypothesis[i - 1] != symbol),
                                row[i] + settings.insertion});
        auto lowest = std::min_element(next.begin(), next.end());
        ++visits[static_cast<size_t>(lowest - next.begin())];
        double jump = settings.alpha + *lowest;
        if (symbol == space)
            for (double& cell : next) cell = std::min(cell, jump);
        row = next;
    }
    EedRow expected;
    expected.distance = row.back();
    expected.coverage = settings.rho * std::accumulate(visits.begin(), visits.end(), 0, [](int sum, int count) {
                            return sum + (count >= 0 ? count : 1);
                        });
    return expected;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Eed used;
    Input input(data, size);
    EedSettings settings{input.choose({2.0, 0.0, 0.5}), input.choose({0.3, 0.0, 1.0}), input.choose({0.2, 0.0, 1.0}),
                         input.choose({1.0, 0.0, 0.3})};
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    Numberer numberer(rules);
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(segments.block, segment);
        Sequence hypothesis = numberer.hypothesis(segments.block, segment, references);
        if (hypothesis.size() + references.tokens.size() > kMostSymbols) continue;
        EedRow row = used.row(settings, hypothesis, references), again = Eed().row(settings, hypothesis, references);
        CHECK(row.score == again.score && row.distance == again.distance && row.coverage == again.coverage);
        CHECK(row.score >= 0 && row.score <= 1);
        for (Sequence reference : each(references)) {
            uint32_t space = reference.empty() ? kNoSpace : reference[reference.size() / 2];
            EedRow one = used.score(settings, hypothesis, reference, space),
                   expected = expected_row(settings, hypothesis, reference, space);
            CHECK(is_close(one.distance, expected.distance) && is_close(one.coverage, expected.coverage));
            std::vector<uint32_t> visits;
            std::vector<EedEdit> path = used.path(settings, hypothesis, reference, space, visits);
            CHECK(visits.size() == reference.size());
            for (const EedEdit& edit : path) CHECK(edit.hypothesis <= hypothesis.size());
        }
    }
    return 0;
}

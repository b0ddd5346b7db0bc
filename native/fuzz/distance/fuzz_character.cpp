// CharacTER's rows do not depend on what was scored before, and its moves are possible and lower the edit distance of
// words. native/tests compares it with its definition.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/character.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

constexpr size_t kMostWords = 100;  // one move takes cubic time

bool is_same(const CharacterRow& one, const CharacterRow& other) {
    return one.score == other.score && one.edits == other.edits && one.shift_cost == other.shift_cost &&
           one.hypothesis_length == other.hypothesis_length;
}

void check_shifts(const std::vector<WordShift>& shifts, Sequence hypothesis) {
    for (size_t k = 0; k < shifts.size(); ++k) {
        CHECK(shifts[k].length > 0 && shifts[k].begin + shifts[k].length <= hypothesis.size());
        CHECK(shifts[k].to <= hypothesis.size() - shifts[k].length);
        CHECK(k == 0 || shifts[k].distance < shifts[k - 1].distance);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Character used;
    Input input(data, size);
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    TextNumberer numberer(rules);
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(segments.block, segment);
        NumberedTexts hypothesis = numberer.hypothesis(segments.block, segment, references);
        size_t longest = hypothesis.numbers.size();
        for (Sequence reference : each(references)) longest = std::max(longest, reference.size());
        if (longest > kMostWords) continue;
        std::vector<WordShift> shifts;
        CharacterRow row = used.row(hypothesis.texts, hypothesis.numbers, references, &shifts);
        CHECK(is_same(row, Character().row(hypothesis.texts, hypothesis.numbers, references)));
        CHECK(row.score >= 0 && row.score <= 1 && row.segments == 1);
        CHECK(row.edits >= 0 && row.shift_cost >= 0 && row.hypothesis_length >= 0);
        check_shifts(shifts, hypothesis.numbers);
        for (Sequence reference : each(references)) {
            bool is_equal =
                std::equal(reference.begin(), reference.end(), hypothesis.numbers.begin(), hypothesis.numbers.end());
            CHECK(!is_equal || row.score == 0);
        }
    }
    return 0;
}

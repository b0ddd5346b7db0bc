// TER's search makes the same moves as a search over complete matrices, and distances within the beam equal the matrix.
#include <tuple>

#include "distance/ter_definition.hpp"
#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/ter.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Move {
    size_t begin, length, target;
};

Words moved(const Words& words, const Move& move) {
    auto at = [](size_t i) { return static_cast<ptrdiff_t>(i); };
    Words block(words.begin() + at(move.begin), words.begin() + at(move.begin + move.length)), rest = words;
    rest.erase(rest.begin() + at(move.begin), rest.begin() + at(move.begin + move.length));
    size_t place =
        std::min(move.target > move.begin + move.length ? move.target - move.length : move.target, rest.size());
    rest.insert(rest.begin() + at(place), block.begin(), block.end());
    return rest;
}

std::vector<Move> candidates(const Words& words, Sequence reference, const std::vector<TerEdit>& edits) {
    constexpr size_t kLongest = 10, kFarthest = 50;
    std::vector<size_t> aligned;  // by reference word: the number of hypothesis words up to it
    std::vector<bool> wrong, wrong_reference;
    for (TerEdit edit : edits) {
        if (edit != TerEdit::Insert) wrong.push_back(edit != TerEdit::Match);
        if (edit == TerEdit::Delete) continue;
        wrong_reference.push_back(edit != TerEdit::Match);
        aligned.push_back(wrong.size());
    }
    std::vector<Move> found;
    for (size_t begin = 0; begin < words.size(); ++begin)
        for (size_t place = 0; place < reference.size(); ++place) {
            if ((place > begin ? place - begin : begin - place) > kFarthest) continue;
            bool is_wrong = false, is_wrong_reference = false;
            for (size_t length = 1; length <= kLongest; ++length) {
                size_t end = begin + length, reference_end = place + length;
                if (end > words.size() || reference_end > reference.size() ||
                    words[end - 1] != reference[reference_end - 1])
                    break;
                is_wrong = is_wrong || wrong[end - 1];
                is_wrong_reference = is_wrong_reference || wrong_reference[reference_end - 1];
                if (!is_wrong || !is_wrong_reference) continue;
                if (aligned[place] >= begin + 1 && aligned[place] < end + 1) continue;
                std::vector<size_t> targets{place > 0 ? aligned[place - 1] : 0};
                for (size_t at = place; at < reference_end; ++at)
                    if (aligned[at] != targets.back()) targets.push_back(aligned[at]);
                for (size_t target : targets) found.push_back({begin, length, target});
            }
        }
    return found;
}

struct Search {
    Words words;
    std::vector<uint32_t> distances;  // after each move
    uint32_t edits = 0;

    Search(Sequence hypothesis, Sequence reference) : words(hypothesis.begin(), hypothesis.end()) {
        constexpr size_t kMost = 1000;
        for (size_t tried = 0;;) {
            Matrix matrix(words, reference);
            edits = static_cast<uint32_t>(distances.size()) + matrix.distance();
            std::vector<Move> found = candidates(words, reference, matrix.edits);
            tried += found.size();
            if (tried >= kMost || found.empty()) return;
            using Rank = std::tuple<uint32_t, size_t, size_t, size_t>;
            Rank best{UINT32_MAX, 0, 0, 0};
            for (const Move& move : found)
                best = std::min(best, Rank{Matrix(moved(words, move), reference).distance(), ~move.length, move.begin,
                                           move.target});
            if (std::get<0>(best) >= matrix.distance()) return;
            words = moved(words, {std::get<2>(best), ~std::get<1>(best), std::get<3>(best)});
            distances.push_back(std::get<0>(best));
        }
    }
};

// After the moves, the edits must turn the words into the reference.
void check_result(const Words& words, Sequence reference, const std::vector<TerEdit>& edits, uint32_t distance) {
    size_t i = 0, j = 0;
    uint32_t errors = 0;
    for (TerEdit edit : edits) {
        bool takes_word = edit != TerEdit::Insert, takes_reference = edit != TerEdit::Delete;
        CHECK(i + takes_word <= words.size() && j + takes_reference <= reference.size());
        if (edit == TerEdit::Match) CHECK(words[i] == reference[j]);
        i += takes_word;
        j += takes_reference;
        errors += edit != TerEdit::Match;
    }
    CHECK(i == words.size() && j == reference.size() && errors == distance);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Ter used;
    Input input(data, size);
    bool is_fresh = input.flag();
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    Numberer numberer(rules);
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(segments.block, segment);
        Sequence hypothesis = numberer.hypothesis(segments.block, segment, references);
        Ter fresh;
        Ter& ter = is_fresh ? fresh : used;
        uint32_t fewest = UINT32_MAX;
        for (Sequence reference : each(references)) {
            if (hypothesis.size() > 400 || reference.size() > 400) return 0;  // the kernel itself would be too slow
            std::vector<AppliedMove> moves;
            uint32_t edits = ter.edits(hypothesis, reference, references.vocabulary_size, &moves);
            fewest = std::min(fewest, edits);
            Words words(hypothesis.begin(), hypothesis.end());
            for (const AppliedMove& move : moves) {
                CHECK(size_t{move.block.begin} + move.block.length <= words.size() &&
                      size_t{move.block.to} + move.block.length <= words.size());
                apply(move.block, words.data());
            }
            check_result(words, reference, ter.last_edits(), edits - static_cast<uint32_t>(moves.size()));
            if (hypothesis.empty() || reference.empty()) continue;
            if (hypothesis.size() * reference.size() <= 1 << 13)
                CHECK(Matrix(words, reference).distance() + moves.size() == edits);
            if (hypothesis.size() > 20 || reference.size() > 24) continue;
            Search search(hypothesis, reference);
            CHECK(search.edits == edits && search.distances.size() == moves.size() && search.words == words);
            for (size_t i = 0; i < moves.size(); ++i) CHECK(moves[i].distance == search.distances[i]);
        }
        TerRow row = ter.row(hypothesis, references);
        CHECK(row.edits == fewest);
    }
    return 0;
}

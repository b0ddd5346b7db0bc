#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "refscore/distance/subtitle_edits.hpp"
#include "scoring.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

struct SubtitleKernel {
    using Input = TextInput;
    using Scratch = SubtitleEdits;
    static constexpr bool kCounts = true;

    size_t columns() const { return SubtitleRow::kColumns; }
    bool has_counts() const { return true; }

    template <class T>
    void row(Scratch& scratch, const NumberedTexts& hypothesis, const NumberedReferences& references,
             std::span<T> out) const {
        SubtitleRow row = scratch.row(hypothesis, references);
        int64_t numbers[] = {row.moves,     row.words[0],  row.words[1],        row.words[2],        row.breaks[0],
                             row.breaks[1], row.breaks[2], row.reference_words, row.reference_breaks};
        std::transform(std::begin(numbers), std::end(numbers), out.begin(),
                       [](int64_t number) { return static_cast<T>(number); });
    }
    double value(Scratch&, std::span<const double> row) const {
        constexpr size_t kEdits = 7;
        double edits = 0;
        for (size_t i = 0; i < kEdits; ++i) edits += row[i];
        double length = row[kEdits] + row[kEdits + 1];
        return length > 0 ? edits / length : edits > 0 ? 1 : 0;
    }
};

using SubtitlePlace = std::optional<size_t>;
using SubtitleMove = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;
using SubtitlePart =
    std::tuple<std::vector<size_t>, std::vector<SubtitleMove>, std::vector<std::pair<SubtitlePlace, SubtitlePlace>>>;

// Returns the parts of the subtitles: the indexes of the hypothesis's tokens, the moves of these tokens (begin, length,
// new position, resulting distance), and after the moves the indexes of the tokens on both sides that belong together.
std::vector<SubtitlePart> align_subtitles(const Scorer<SubtitleKernel>&, const std::vector<std::string>& hypothesis,
                                          const std::vector<std::string>& reference) {
    std::vector<SubtitlePart> found;
    without_gil([&] {
        std::unordered_map<std::string_view, uint32_t> numbers;
        for (const std::string& word : reference) numbers.try_emplace(word, static_cast<uint32_t>(numbers.size() + 1));
        auto numbered = [&](const std::vector<std::string>& words) {
            std::vector<std::pair<std::string_view, uint32_t>> tokens;
            for (const std::string& word : words) {
                auto at = numbers.find(word);
                tokens.emplace_back(word, at == numbers.end() ? 0 : at->second);
            }
            return tokens;
        };
        auto place = [](size_t token) {
            return token == SubtitleEdits::kNone ? SubtitlePlace() : SubtitlePlace(token);
        };
        for (const SubtitleEdits::Part& part :
             SubtitleEdits().edits(numbered(hypothesis), numbered(reference), static_cast<uint32_t>(numbers.size()))) {
            auto& [words, moves, edits] = found.emplace_back();
            words = part.words;
            for (const auto& [block, distance] : part.moves)
                moves.emplace_back(block.begin, block.length, block.to, distance);
            for (const SubtitleEdits::Edit& edit : part.edits)
                edits.emplace_back(place(edit.hypothesis), place(edit.reference));
        }
    });
    return found;
}

}  // namespace

void bind_subtitles(nb::module_& m) {
    bind_scorer<SubtitleKernel>(m, "Subtitles").def("align", &align_subtitles, "hypothesis"_a, "reference"_a);
}

}  // namespace refscore::bindings

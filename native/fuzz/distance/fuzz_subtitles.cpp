// SubER of any tokens: the counts fit to the aligned words, and used memory does not change them.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input.hpp"
#include "refscore/distance/subtitle_edits.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static SubtitleEdits used;
    Input input(data, size);
    std::vector<std::string> texts[2];
    for (std::vector<std::string>& side : texts)
        for (size_t i = 0, count = input.byte(); i < count; ++i) {
            unsigned kind = input.byte();
            if (kind % 4 == 0) {
                side.push_back("0:00:" + std::to_string(kind / 32) + ",0-->0:00:" + std::to_string(kind % 32) + ",5");
            } else {
                side.push_back(kind % 4 == 1 ? "<eol>" : std::string(1, "abcd"[kind / 4 % 4]));
            }
        }
    std::vector<std::string> known;
    auto number = [&](const std::string& text) -> uint32_t {
        for (size_t i = 0; i < known.size(); ++i)
            if (known[i] == text) return static_cast<uint32_t>(i + 1);
        known.push_back(text);
        return static_cast<uint32_t>(known.size());
    };
    std::vector<std::pair<std::string_view, uint32_t>> sides[2];
    for (size_t side : {1, 0})
        for (const std::string& text : texts[side]) sides[side].emplace_back(text, number(text));
    auto vocabulary = static_cast<uint32_t>(known.size());
    std::vector<SubtitleEdits::Part> parts = used.edits(sides[0], sides[1], vocabulary);
    SubtitleEdits fresh;
    std::vector<SubtitleEdits::Part> again = fresh.edits(sides[0], sides[1], vocabulary);
    CHECK(parts.size() == again.size());
    size_t counts[2] = {};
    for (size_t p = 0; p < parts.size(); ++p) {
        CHECK(parts[p].moves.size() == again[p].moves.size() && parts[p].edits.size() == again[p].edits.size());
        for (const SubtitleEdits::Edit& edit : parts[p].edits) {
            bool has_word = edit.kind != TerEdit::Insert, has_reference = edit.kind != TerEdit::Delete;
            CHECK(has_word == (edit.hypothesis != SubtitleEdits::kNone));
            CHECK(has_reference == (edit.reference != SubtitleEdits::kNone));
            CHECK(!has_word || edit.hypothesis < texts[0].size());
            CHECK(!has_reference || edit.reference < texts[1].size());
            if (edit.kind == TerEdit::Match) CHECK(texts[0][edit.hypothesis] == texts[1][edit.reference]);
            counts[0] += has_word;
            counts[1] += has_reference;
        }
    }
    for (size_t side : {0, 1}) {
        size_t words = 0;
        for (const std::string& text : texts[side])
            words += read_subtitle_token(text).role != SubtitleToken::Role::Times;
        CHECK(counts[side] == words);
    }
    return 0;
}

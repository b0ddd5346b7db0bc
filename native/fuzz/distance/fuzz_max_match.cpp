// M² of any texts and edits: the counts fit together.
#include "input.hpp"
#include "refscore/distance/max_match.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static MaxMatch used;
    Input input(data, size);
    auto text = [&](uint8_t kinds) {
        std::string words;
        for (size_t i = 0, count = input.byte() % 16; i < count; ++i) words += "abc d"[input.byte() % kinds];
        return words;
    };
    MaxMatchSettings settings;
    settings.max_unchanged = input.byte() % 4;
    std::string source = text(5), hypothesis = text(5), edits;
    for (size_t i = 0, count = input.byte(); i < count; ++i) edits += "A 012|||Tab-"[input.byte() % 12];
    std::vector<GoldEdit> gold, own;
    if (!read_gold_edits(edits, gold)) gold = {{0, 1, {"a", ""}}, {1, 1, {"b"}}};
    if (!used.build(settings, source, hypothesis)) return 0;
    MaxMatchRow row = used.count(gold);
    CHECK(row.correct >= 0 && row.proposed >= 0 && row.gold <= static_cast<int64_t>(gold.size()));
    std::vector<std::string> corrections;
    used.count({});
    used.annotate(own, corrections);
    row = used.count(own);
    CHECK(row.correct <= row.gold && row.correct <= row.proposed && row.gold == static_cast<int64_t>(own.size()));
    return 0;
}

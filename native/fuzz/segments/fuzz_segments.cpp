// All ways to read segments of every kind give the same numbers. Equal references are recognized, and pieces cover a
// block.
#include <map>
#include <string>

#include "expected.hpp"
#include "input.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

std::string bytes_of(const Token& token, const uint8_t* arena) {
    std::vector<uint8_t> bytes(std::max<size_t>(token.size, Token::kInline));
    copy_token(token, arena, bytes.data());
    return {bytes.begin(), bytes.begin() + token.size};
}

void check_pieces(const Block& block) {
    std::vector<Piece> pieces;
    cut_by_length(block, pieces);
    size_t begin = 0;
    for (const Piece& piece : pieces) {
        CHECK(piece.begin == begin && piece.end >= piece.begin);
        begin = piece.end;
    }
    CHECK(begin == block.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    TextRules rules = read_rules(input, input.flag());
    Segments segments(input, rules);
    const Block& block = segments.block;
    check_pieces(block);
    std::vector<Words> tokens, lengths, hypotheses;
    read_all_ways(block, rules, [&](size_t segment, Sequence hypothesis, const NumberedReferences& references, bool) {
        Words own(hypothesis.begin(), hypothesis.end()), all(references.tokens.begin(), references.tokens.end()),
            each(references.lengths.begin(), references.lengths.end());
        if (segment == tokens.size()) {
            tokens.push_back(all);
            lengths.push_back(each);
            hypotheses.push_back(own);
        }
        CHECK(tokens[segment] == all && lengths[segment] == each && hypotheses[segment] == own);
        uint32_t most = 0;
        for (uint32_t token : all) {
            if (token == kLineEnd) continue;
            CHECK(token > 0 && token <= most + 1);  // numbered in order of occurrence
            most = std::max(most, token);
        }
        CHECK(most == references.vocabulary_size);
    });
    // Equal numbers must mean equal bytes.
    Numberer numberer(rules);
    TokenList list;
    for (size_t i = 0; i < block.size(); ++i) {
        NumberedReferences references = numberer.references(block, i);
        std::map<std::string, uint32_t> known;
        for (uint32_t number = 1; number <= references.vocabulary_size; ++number)
            CHECK(known.try_emplace(bytes_of(references.vocabulary.tokens[number], references.vocabulary.arena), number)
                      .second);
        numberer.read_hypothesis(block, i, list);
        size_t at = 0;
        for (uint32_t number : hypotheses[i]) {
            if (number == kLineEnd) continue;
            CHECK(at < list.tokens.size());
            auto found = known.find(bytes_of(list.tokens[at++], list.arena.data()));
            CHECK(number == (found == known.end() ? kUnknown : found->second));
        }
        CHECK(at == list.tokens.size());
        if (i > 0 && same_references(block, i, i - 1))
            CHECK(tokens[i] == tokens[i - 1] && lengths[i] == lengths[i - 1]);
        CHECK(same_references(block, i, i));
    }
    return 0;
}

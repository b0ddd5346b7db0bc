// Distances within the beam, also after moves, equal the defining matrix, for sizes around those at which the kernel
// changes its algorithm. Also tests tercom's tokens.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"

#include "distance/ter_definition.hpp"
#include "refscore/distance/beam_distance.hpp"
#include "refscore/distance/ter.hpp"
#include "refscore/text/tokenizers.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;

std::vector<TerEdit> traced(const BeamDistance& beam, const Words& words) {
    std::vector<TerEdit> edits;
    beam.trace(words.data(), [&](TerEdit edit, size_t, size_t) { edits.push_back(edit); });
    std::reverse(edits.begin(), edits.end());
    return edits;
}

void check_beam(Words words, const Words& reference, uint32_t vocabulary, std::mt19937& random) {
    static BeamDistance beam;
    constexpr uint32_t kAny = 1u << 30;
    beam.start(reference, words.size(), vocabulary);
    size_t begin = 0, end = words.size();
    for (int round = 0; round < 4; ++round) {
        Matrix matrix(words, reference);
        uint32_t kept = beam.keep(words.data(), begin, end);
        CHECK(kept == matrix.distance());
        CHECK(traced(beam, words) == matrix.edits);
        BlockMove move{0, 1, 0};
        for (int k = 0; k < 12; ++k) {
            auto size = static_cast<uint32_t>(words.size());
            move.length = random() % 2 == 0 ? 1 : 1 + static_cast<uint32_t>(random()) % std::min(size, 10u);
            if (k % 3 == 0) move.begin = static_cast<uint32_t>(random());  // the same word more often
            move.begin %= size - move.length + 1;
            move.to = static_cast<uint32_t>(random()) % (size - move.length + 1);
            Words moved = words;
            apply(move, moved.data());
            uint32_t distance = Matrix(moved, reference).distance();
            CHECK(beam.after(words.data(), move, kAny) == distance);
            for (uint32_t most : {distance, distance - std::min(distance, 1u), kept - std::min(kept, 1u)})
                CHECK((beam.after(words.data(), move, most) > most) == (distance > most));
            if (k % 4 == 3) beam.find_free_words(words.data());
            CHECK(beam.fewest_after(words.data(), move) <= distance);
        }
        apply(move, words.data());
        begin = std::min(move.begin, move.to);
        end = std::max(move.begin, move.to) + move.length;
    }
}

std::vector<std::string> tokens(Tokenizer tokenizer, bool twice, const std::string& text) {
    Arena arena;
    TokenSpans spans;
    Buffer<uint8_t> scratch;
    Span span = arena.append_utf8(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    tokenize_reference({tokenizer, Lowercase::Full, twice}, arena, span, spans, scratch);
    std::vector<std::string> found;
    for (size_t i = 0; i < spans.size(); ++i)
        found.emplace_back(reinterpret_cast<const char*>(arena.data()) + spans.begin(i), spans.end(i) - spans.begin(i));
    return found;
}

void check_tokens() {
    using Texts = std::vector<std::string>;
    CHECK(tokens(Tokenizer::TercomNorm, false, "a.,5 It's It's.") == (Texts{"a", ".", ",5", "it", "'s", "it's", "."}));
    CHECK(tokens(Tokenizer::TercomNorm, true, "a.,5 It's It's.") ==
          (Texts{"a", ".", ",", "5", "it", "'s", "it", "'s", "."}));
    CHECK(tokens(Tokenizer::TercomNorm, false, "x\n-y &amp;lt;") == (Texts{"xy", "<"}));
    CHECK(tokens(Tokenizer::TercomNormAsian, false, "a你好。b") == (Texts{"a", "你", "好", "。", "b"}));
    CHECK(tokens(Tokenizer::TercomNopunct, false, "(a) ... b。") == (Texts{"a", "b。"}));
    CHECK(tokens(Tokenizer::TercomNopunctAsian, false, "(a) ... 。b。") == (Texts{"a", "b"}));
    CHECK(tokens(Tokenizer::TercomNormNopunctAsian, true, "").empty());
    CHECK(tokens(Tokenizer::TercomNorm, true, std::string(3000, '.')).size() == 3000);
}

void check_search() {
    static Ter ter;
    Words reference, words;
    for (uint32_t i = 1; i <= 40; ++i) reference.push_back(i);
    words = reference;
    std::rotate(words.begin(), words.begin() + 7, words.end());
    std::vector<AppliedMove> moves;
    CHECK(ter.edits(words, reference, 40, &moves) == 1);
    CHECK(moves.size() == 1);
    CHECK(moves[0].distance == 0);
    CHECK(ter.last_edits() == std::vector<TerEdit>(40, TerEdit::Match));
    CHECK(ter.edits({}, reference, 40) == 40);
    CHECK(ter.edits(reference, {}, 40) == 40);
    CHECK(ter.last_edits() == std::vector<TerEdit>(40, TerEdit::Delete));
}

}  // namespace

TEST_CASE("distances within the beam equal the defining matrix") {
    std::mt19937 random(1);
    auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
    auto make = [&](size_t size, uint32_t first, uint32_t vocabulary) {
        Words words(size);
        for (uint32_t& word : words) word = first + below(vocabulary + 1 - first);
        return words;
    };
    const size_t kSizes[] = {1, 2, 5, 23, 24, 25, 26, 27, 40, 62, 63, 64, 65, 127, 128, 150};
    for (size_t size : kSizes)
        for (size_t length : kSizes)
            for (uint32_t vocabulary : {1u, 3u, 30u}) {
                Words reference = make(size, 1, vocabulary), words = make(length, 0, vocabulary);
                if (below(2) == 0)
                    words.assign(reference.begin(), reference.begin() + static_cast<ptrdiff_t>(std::min(size, length)));
                check_beam(words, reference, vocabulary, random);
                // With so large a vocabulary, masks are computed on demand.
                if (size > 63 && vocabulary == 30) check_beam(words, reference, 1u << 17, random);
            }
    for (size_t length : {1, 2, 3, 4})
        for (size_t ratio : {49, 50, 51, 52, 80})
            for (size_t more : {0, 1, 2}) check_beam(make(length, 0, 5), make(length * ratio + more, 1, 5), 5, random);
    check_search();
    check_tokens();
}

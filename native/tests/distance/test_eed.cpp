// EED equals the complete table of its definition, for sizes around those at which passes end. The path has the cost of
// the table. Also tests the characters of EED's text rules.
#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/eed.hpp"
#include "refscore/text/tokenizers.hpp"

using namespace refscore;

namespace {

using Symbols = std::vector<uint32_t>;
constexpr uint32_t kSpaceNumber = 1;

EedRow by_definition(const EedSettings& settings, const Symbols& hypothesis, const Symbols& reference) {
    size_t cells = hypothesis.size() + 1;
    std::vector<double> row(cells, 1), next(cells);
    std::vector<int> visits(cells, -1);
    row[0] = 0;
    for (uint32_t symbol : reference) {
        next[0] = row[0] + 1;
        for (size_t i = 1; i < cells; ++i)
            next[i] = std::min({next[i - 1] + settings.deletion, row[i - 1] + (hypothesis[i - 1] != symbol),
                                row[i] + settings.insertion});
        size_t lowest = static_cast<size_t>(std::min_element(next.begin(), next.end()) - next.begin());
        ++visits[lowest];
        double jump = settings.alpha + next[lowest];
        if (symbol == kSpaceNumber)
            for (double& cell : next) cell = std::min(cell, jump);
        row = next;
    }
    int total = 0;
    for (int count : visits) total += count >= 0 ? count : 1;
    EedRow result;
    result.distance = row.back();
    result.coverage = settings.rho * total;
    result.reference_length = static_cast<double>(reference.size());
    double whole = result.reference_length + result.coverage;
    result.score = whole > 0 ? std::min(1.0, (result.distance + result.coverage) / whole) : 1;
    return result;
}

double cost(const EedSettings& settings, const std::vector<EedEdit>& path) {
    double sum = 0;
    for (size_t k = 0; k < path.size(); ++k) {
        switch (path[k].step) {
            case EedStep::Match: break;
            case EedStep::Substitution: sum += 1; break;
            case EedStep::Deletion: sum += settings.deletion; break;
            case EedStep::Insertion: sum += path[k].hypothesis == 0 ? 1 : settings.insertion; break;
            case EedStep::Jump: sum += k == 0 ? 1 : settings.alpha; break;
        }
    }
    return sum;
}

void check(const EedSettings& settings, const Symbols& hypothesis, const Symbols& reference) {
    static Eed eed;
    EedRow expected = by_definition(settings, hypothesis, reference),
           row = eed.score(settings, hypothesis, reference, kSpaceNumber);
    CHECK(row.score == expected.score);
    CHECK(row.distance == expected.distance);
    CHECK(row.coverage == expected.coverage);
    std::vector<uint32_t> visits;
    std::vector<EedEdit> path = eed.path(settings, hypothesis, reference, kSpaceNumber, visits);
    CHECK(visits.size() == reference.size());
    CHECK(std::abs(cost(settings, path) - expected.distance) < 1e-9);
    std::set<uint32_t> distinct(visits.begin(), visits.end());
    CHECK(settings.rho * static_cast<double>(visits.size() + hypothesis.size() + 1 - 2 * distinct.size()) ==
          expected.coverage);
}

TEST_CASE("against definition") {
    std::mt19937 random(7);
    auto draw = [&](size_t size, uint32_t symbols) {
        Symbols drawn(size);
        for (uint32_t& symbol : drawn) symbol = static_cast<uint32_t>(random()) % symbols;
        return drawn;
    };
    for (EedSettings settings :
         {EedSettings{}, EedSettings{0, 0, 0, 0}, EedSettings{0.5, 1, 0.1, 0.3}, EedSettings{3, 0, 1, 2}}) {
        settings.check();
        for (int round = 0; round < 300; ++round) {
            uint32_t symbols = 2 + static_cast<uint32_t>(random()) % 5;
            Symbols hypothesis = draw(random() % 20, symbols), reference = draw(random() % 20, symbols);
            for (uint32_t& symbol : reference) symbol = std::max(symbol, 1u);  // 0 is no reference symbol
            check(settings, hypothesis, reference);
        }
        for (size_t size : {63, 64, 65, 127, 200}) {
            Symbols reference = draw(size, 9);
            for (uint32_t& symbol : reference) symbol = std::max(symbol, 1u);
            Symbols rotated = reference;
            std::rotate(rotated.begin(), rotated.begin() + static_cast<ptrdiff_t>(size / 3), rotated.end());
            check(settings, rotated, reference);
            check(settings, {}, reference);
            check(settings, rotated, {});
        }
    }
    CHECK_THROWS((EedSettings{-1, 0, 0, 0}.check()));
    CHECK_THROWS((EedSettings{0, std::numeric_limits<double>::infinity(), 0, 0}.check()));
    std::vector<uint32_t> visits;
    CHECK_THROWS((Eed().path({}, Symbols(1 << 13, 1), Symbols(1 << 13, 1), kSpaceNumber, visits)));
}

std::string characters(Tokenizer tokenizer, const std::string& text) {
    Arena arena;
    TokenSpans spans;
    arena.append({"before", 6, Encoding::Utf8}, Spaces::Unify);
    tokenize({tokenizer}, arena, arena.append({text.data(), text.size(), Encoding::Utf8}, spaces_for(tokenizer)),
             spans);
    std::string joined;
    for (size_t i = 0; i < spans.size(); ++i)
        joined.append(reinterpret_cast<const char*>(arena.data()) + spans.begin(i), spans.end(i) - spans.begin(i));
    return joined;
}

TEST_CASE("text") {
    auto en = [](const std::string& text) { return characters(Tokenizer::EedEn, text); };
    CHECK(en("") == "  ");
    CHECK(en(" \n") == "  ");
    CHECK(en("a.") == " a . ");
    CHECK(en(".\t\xe3\x80\x80"
             "b!?") == "  . b ! ? ");
    CHECK(en("3.5 3 . 5 1, 2, 3") == " 3 .5 3.5 1,2 , 3 ");
    CHECK(en("\xd9\xa1 . \xd9\xa2") == " \xd9\xa1.\xd9\xa2 ");
    CHECK(en("Mr. Smith, Mrs X Mr Mr . Dr") == " Mr. Smith , Mrs. Mr.r . Dr ");
    CHECK(en("Mr \xc3\xa9"
             "a") == " Mr.a ");
    CHECK(en("e.g. e. g. i . e . U. S. e. g. g.") == " e .g . e.g. i.e. U.S. e.g. g . ");
    CHECK(en(std::string(1000, '.')) == " " + [] {
        std::string points;
        for (int i = 0; i < 1000; ++i) points += " .";
        return points;
    }() + " ");
    auto ja = [](const std::string& text) { return characters(Tokenizer::EedJa, text); };
    CHECK(ja("") == "");
    CHECK(ja(" a.\xe3\x80\x80"
             "b \xe3\x80\x80\n") ==
          " a.\xe3\x80\x80"
          "b");
    CHECK(ja(" \xe3\x80\x80\n") == "");
}

}  // namespace

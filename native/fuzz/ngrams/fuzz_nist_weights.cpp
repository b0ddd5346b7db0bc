// Stored information weights: arbitrary bytes are rejected or usable.
#include <stdexcept>

#include "input.hpp"
#include "refscore/ngrams/nist.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    std::span<const uint8_t> bytes = input.take(size - std::min<size_t>(size, 24));
    try {
        NistInformation information(std::span<const char>(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        std::string again = information.bytes();
        CHECK(again.size() == bytes.size() &&
              std::equal(again.begin() + 17, again.end(), reinterpret_cast<const char*>(bytes.data()) + 17));
        TextRules rules;
        Segments segments(input, rules);
        Numberer numberer(rules);
        std::vector<double> row(Nist::columns(information.max_order()));
        for (size_t i = 0; i < segments.size(); ++i) {
            NumberedReferences references = numberer.references(segments.block, i);
            Nist().row(information, numberer.hypothesis(segments.block, i, references), references, row);
            NistParts parts;
            nist_score(information.max_order(), row, parts);
        }
    } catch (const std::invalid_argument&) {
    } catch (const OtherTokens&) {}
    return 0;
}

// References with alternatives: any text is read or rejected, the alignment has the counts of the best path, and these
// are the edit distance of that path.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/listed_errors.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static ErrorScratch used;
    Input input(data, size);
    TextRules rules = read_rules(input);
    rules.alternatives = true;
    Segments segments(input, rules);
    TextNumberer numberer(rules);
    Lexicon words;
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(segments.block, segment);
        NumberedTexts texts = numberer.hypothesis(segments.block, segment, references);
        Sequence hypothesis = texts.numbers;
        try {
            check_alternatives(references);
        } catch (const InputError&) {
            continue;
        }
        EditCounts counts = count_errors(hypothesis, references, true, used);
        AlignedReference aligned = align_best(hypothesis, references, true, used);
        CHECK(std::none_of(aligned.words.begin(), aligned.words.end(), is_mark));
        EditCounts listed;
        size_t i = 0, j = 0;
        for (Edit edit : aligned.edits) {
            if (edit == Edit::Hit) CHECK(aligned.words[i] == hypothesis[j]);
            if (edit == Edit::Substitution) CHECK(aligned.words[i] != hypothesis[j]);
            listed.hits += edit == Edit::Hit;
            listed.substitutions += edit == Edit::Substitution;
            listed.deletions += edit == Edit::Deletion;
            listed.insertions += edit == Edit::Insertion;
            i += edit != Edit::Insertion;
            j += edit != Edit::Deletion;
        }
        CHECK(i == aligned.words.size() && j == hypothesis.size());
        CHECK(listed.hits == counts.hits && listed.substitutions == counts.substitutions);
        CHECK(listed.deletions == counts.deletions && listed.insertions == counts.insertions);
        if (hypothesis.size() * aligned.words.size() <= size_t{1} << 14)
            CHECK(static_cast<size_t>(counts.errors()) == edit_distance(hypothesis, aligned.words));
        if (references.kind == ItemKind::Ids) continue;
        EditCounts others = count_listed_errors(texts, references, true, words, CountedWords::Others, used);
        CHECK(others.hits == counts.hits && others.errors() == counts.errors());
    }
    return 0;
}

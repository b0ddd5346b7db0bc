// M² of a segment: the annotator with whom a hypothesis agrees best.
#pragma once

#include <string>
#include <vector>

#include "refscore/distance/max_match.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// One instance per thread.
class AnnotatedMatch {
  public:
    // Returns the counts for the best annotator, the first of equals. The first reference is the source. Each of the
    // others is a list of edits, or a corrected text, whose edits are those of the lattice without merging.
    MaxMatchRow row(const MaxMatchSettings& settings, const TokenTexts& hypothesis,
                    const NumberedReferences& source_and_references);

    struct Edit {
        size_t begin, end;  // words of the source
        std::string correction;
        bool is_correct;
    };
    // Returns the edits on the best path for one annotator.
    std::vector<Edit> edits(const MaxMatchSettings& settings, std::string_view source, std::string_view hypothesis,
                            std::string_view reference);

  private:
    // Corrections are views of `text` or of `corrections`.
    struct Annotation {
        std::string text;
        std::vector<std::string> corrections;
        std::vector<GoldEdit> edits;
    };
    void read(Annotation& annotation, size_t reference);
    void build(const MaxMatchSettings& settings);

    MaxMatch lattice_;
    std::string source_, hypothesis_;
    std::vector<Annotation> annotations_;
};

}  // namespace refscore

#include "bind.hpp"
#include "input_scorer.hpp"

namespace refscore::bindings {

template class InputScorer<TokenInput>;
template class InputScorer<TextInput>;
template class InputScorer<SequenceInput>;
template class InputScorer<SelfInput>;
template class InputScorer<ChrfInput>;

void bind_scorers(nb::module_& m) {
    bind_prepared<PreparedUnits>(m, "PreparedUnits");
    bind_input_scorer<TokenInput>(m, "TokenScorer");
    bind_input_scorer<TextInput>(m, "TextScorer");
    bind_input_scorer<SequenceInput>(m, "SequenceScorer");
    bind_input_scorer<SelfInput>(m, "SelfScorer");
    bind_input_scorer<ChrfInput>(m, "ChrfScorer");
}

}  // namespace refscore::bindings

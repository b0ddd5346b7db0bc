#include "bind.hpp"

// The files bind_NAME.cpp, in the order of their calls: first those that others need, then the metrics and their parts.
// clang-format indents a line of this list further each time it runs.
// clang-format off
#define REFSCORE_BINDINGS(BIND)                                                                                   \
    BIND(errors) BIND(input) BIND(limits) BIND(normalizers) BIND(tokenizers) BIND(arrow) BIND(row_sums)           \
    BIND(scorers) BIND(resampling) BIND(agreement)                                                                \
    BIND(accuracy) BIND(bleu) BIND(character) BIND(chrf) BIND(cider) BIND(crystal_bleu) BIND(diversity)           \
    BIND(edit_distance) BIND(edit_similarity) BIND(eed) BIND(error_rate) BIND(exact_match) BIND(gec_gleu)        \
    BIND(gleu)                                                                                                    \
    BIND(max_match) BIND(meetings) BIND(meteor) BIND(nist) BIND(overlap) BIND(porter) BIND(repetition)            \
    BIND(resegment) BIND(ribes) BIND(rouge) BIND(sari) BIND(subtitles) BIND(ter) BIND(token_f1)
// clang-format on

namespace refscore::bindings {

#define DECLARE(name) void bind_##name(nb::module_& m);
REFSCORE_BINDINGS(DECLARE)

}  // namespace refscore::bindings

NB_MODULE(_native, m) {
    using namespace refscore::bindings;
    nanobind::set_leak_warnings(false);  // module-level metrics live until the interpreter exits
    m.attr("compiler") = REFSCORE_COMPILER;
#define CALL(name) bind_##name(m);
    REFSCORE_BINDINGS(CALL)
}

#include "bind.hpp"

NB_MODULE(_native, m) {
    using namespace refscore::bindings;
    nanobind::set_leak_warnings(false);  // module-level metrics live until the interpreter exits
    bind_errors(m);
    bind_input(m);
    bind_limits(m);
    bind_tokenizers(m);
    bind_arrow(m);
    bind_row_sums(m);
    bind_resampling(m);
    bind_agreement(m);
    m.attr("compiler") = REFSCORE_COMPILER;
    bind_bleu(m);
    bind_chrf(m);
    bind_diversity(m);
    bind_error_rate(m);
    bind_gleu(m);
    bind_meteor(m);
    bind_nist(m);
    bind_porter(m);
    bind_ribes(m);
    bind_rouge(m);
    bind_ter(m);
}

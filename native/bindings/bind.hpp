// The functions that module.cpp calls.
#pragma once

#include <nanobind/nanobind.h>

namespace refscore::bindings {

namespace nb = nanobind;

void bind_agreement(nb::module_& m);
void bind_errors(nb::module_& m);
void bind_input(nb::module_& m);
void bind_limits(nb::module_& m);
void bind_tokenizers(nb::module_& m);
void bind_arrow(nb::module_& m);
void bind_bleu(nb::module_& m);
void bind_chrf(nb::module_& m);
void bind_diversity(nb::module_& m);
void bind_error_rate(nb::module_& m);
void bind_gleu(nb::module_& m);
void bind_meteor(nb::module_& m);
void bind_nist(nb::module_& m);
void bind_porter(nb::module_& m);
void bind_ribes(nb::module_& m);
void bind_rouge(nb::module_& m);
void bind_row_sums(nb::module_& m);
void bind_resampling(nb::module_& m);
void bind_ter(nb::module_& m);

}  // namespace refscore::bindings

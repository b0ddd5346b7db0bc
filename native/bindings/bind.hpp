// What module.cpp puts together.
#pragma once

#include <nanobind/nanobind.h>

namespace refscore::bindings {

namespace nb = nanobind;

void bind_input(nb::module_& m);
void bind_tokenizers(nb::module_& m);
void bind_bleu(nb::module_& m);
void bind_chrf(nb::module_& m);
void bind_ribes(nb::module_& m);

}  // namespace refscore::bindings

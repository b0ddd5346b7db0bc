// What all bindings include. module.cpp lists their functions.
#pragma once

#include <nanobind/nanobind.h>

namespace refscore::bindings {

namespace nb = nanobind;

}  // namespace refscore::bindings

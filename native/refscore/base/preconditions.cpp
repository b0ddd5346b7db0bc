#include "refscore/base/preconditions.hpp"

#include <stdexcept>

namespace refscore {

void refuse(const char* problem) { throw std::invalid_argument(problem); }

}  // namespace refscore

// The number of cores that this process may use.
#pragma once

#include <cstddef>
#include <string>

namespace refscore {

// Respects the affinity of the calling thread and the CPU quota of the process's control group (Linux). At least 1.
size_t usable_cores();

// The CPU quota of a control group in cores, rounded up, or 0 if there is none. `groups` is the content of
// /proc/self/cgroup, `root` the folder of the control groups. Supports versions 1 and 2.
size_t quota_of(const std::string& groups, const std::string& root);

}  // namespace refscore

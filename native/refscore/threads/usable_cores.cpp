#include "refscore/threads/usable_cores.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace refscore {
namespace {

size_t cores_by_affinity() {
#ifdef __linux__
    // 8,192 cores: the most that Linux supports. The default set of 1,024 would fail on larger machines.
    constexpr int kMostCores = 8192;
    struct Sets {
        cpu_set_t* set = CPU_ALLOC(kMostCores);
        ~Sets() { CPU_FREE(set); }
    } sets;
    size_t size = CPU_ALLOC_SIZE(kMostCores);
    if (sets.set != nullptr && sched_getaffinity(0, size, sets.set) == 0)
        return static_cast<size_t>(CPU_COUNT_S(size, sets.set));
#endif
    return std::thread::hardware_concurrency();
}

// Without streams of the standard library: if an extension contains a part of libstdc++ itself, as wheels do, and
// another one has been loaded before, their locales do not fit together.
std::string read_file(const std::string& path) {
    std::string text;
    if (std::FILE* file = std::fopen(path.c_str(), "r")) {
        char part[512];
        while (size_t size = std::fread(part, 1, sizeof part, file)) text.append(part, size);
        std::fclose(file);
    }
    return text;
}

// Removes the text up to the first separator, and returns it.
std::string_view cut(std::string_view& text, std::string_view separators) {
    std::string_view part = text.substr(0, text.find_first_of(separators));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
}

// 0 if the text is not a positive number.
long long positive(std::string_view text) {
    long long number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return std::max(number, 0LL);
}

// Both in microseconds. 0 if there is no quota: -1 in version 1, "max" in version 2.
size_t cores_of(std::string_view quota, std::string_view period) {
    long long time = positive(quota), of = positive(period);
    return time > 0 && of > 0 ? static_cast<size_t>((time + of - 1) / of) : 0;
}

bool contains(std::string_view list, std::string_view name) {
    while (!list.empty())
        if (cut(list, ",") == name) return true;
    return false;
}

// Keeps the smaller quota; 0 means none.
void limit(size_t& least, size_t cores) {
    if (cores > 0 && (least == 0 || cores < least)) least = cores;
}

}  // namespace

size_t quota_of(const std::string& groups, const std::string& root) {
    size_t least = 0;
    for (std::string_view lines = groups; !lines.empty();) {
        // hierarchy:controllers:path, without controllers in version 2
        std::string_view line = cut(lines, "\n");
        cut(line, ":");
        std::string_view controllers = cut(line, ":");
        if (!controllers.empty() && !contains(controllers, "cpu")) continue;
        // Each of the groups that contain this one limits it too.
        for (std::string path(line);; path.resize(path.rfind('/'))) {
            if (controllers.empty()) {
                std::string text = read_file(root + path + "/cpu.max");
                std::string_view rest = text, quota = cut(rest, " ");
                limit(least, cores_of(quota, rest));
            } else {
                std::string folder = root + "/cpu" + path;
                limit(least,
                      cores_of(read_file(folder + "/cpu.cfs_quota_us"), read_file(folder + "/cpu.cfs_period_us")));
            }
            if (path.find('/') == std::string::npos) break;
        }
    }
    return least;
}

size_t usable_cores() {
    // Read once: files are slow, and the quota of a running process rarely changes.
    static const size_t quota = quota_of(read_file("/proc/self/cgroup"), "/sys/fs/cgroup");
    size_t cores = std::max<size_t>(cores_by_affinity(), 1);
    return quota > 0 ? std::min(cores, quota) : cores;
}

}  // namespace refscore

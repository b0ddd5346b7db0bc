// The CPU quota of control groups, versions 1 and 2.
#include <filesystem>
#include <fstream>

#include "doctest.hpp"
#include "refscore/threads/usable_cores.hpp"

using namespace refscore;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const char* text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("quotas of control groups") {
    fs::path root = fs::temp_directory_path() / "refscore_test_usable_cores";
    fs::remove_all(root);
    auto quota = [&](const char* groups) { return quota_of(groups, root.string()); };
    CHECK(quota("0::/\n") == 0);
    CHECK(quota("") == 0);
    CHECK(quota("nonsense") == 0);
    write(root / "cpu.max", "max 100000\n");
    CHECK(quota("0::/\n") == 0);
    write(root / "a/b/cpu.max", "250000 100000\n");
    CHECK(quota("0::/a/b\n") == 3);
    CHECK(quota("0::/a\n") == 0);
    write(root / "a/cpu.max", "50000 100000\n");
    CHECK(quota("0::/a/b\n") == 1);
    CHECK(quota("0::/elsewhere\n") == 0);
    write(root / "cpu.max", "400000 100000\n");
    CHECK(quota("0::/\n") == 4);
    CHECK(quota("0::/elsewhere\n") == 4);
    CHECK(quota("0::/a/b\n") == 1);
    write(root / "cpu/c/cpu.cfs_quota_us", "-1\n");
    write(root / "cpu/c/cpu.cfs_period_us", "100000\n");
    CHECK(quota("3:memory:/c\n2:cpu,cpuacct:/c\n") == 0);
    CHECK(quota("2:cpuset:/c\n") == 0);
    write(root / "cpu/c/cpu.cfs_quota_us", "200000\n");
    CHECK(quota("2:cpu,cpuacct:/c\n") == 2);
    CHECK(quota("2:cpu:/c/d\n") == 2);
    CHECK(quota("2:cpuacct,cpu:/c\n0::/a\n") == 1);
    fs::remove_all(root);
    CHECK(usable_cores() >= 1);
}

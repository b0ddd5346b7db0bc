// Every chunk is worked on once, whatever the number of threads; what is thrown in any of them comes out. Meant to be run under
// the thread sanitizer.
#include <atomic>
#include <stdexcept>

#include "check.hpp"
#include "refscore/chunk_queue.hpp"

using namespace refscore;

namespace {

struct Chunk {
    size_t number = 0;
};

void run(size_t count, size_t threads, size_t bad_load, size_t bad_work) {
    std::vector<std::atomic<int>> worked(count);
    auto load = [&](size_t i, Chunk& chunk) {
        if (i == bad_load) throw std::runtime_error("load");
        chunk.number = i;
    };
    auto work = [&](Chunk& chunk) {
        if (chunk.number == bad_work) throw std::runtime_error("work");
        ++worked[chunk.number];
    };
    bool failed = false;
    try {
        process_chunks<Chunk>(count, threads, load, [](auto call) { call(); }, [&] { return work; });
    } catch (const std::runtime_error&) {
        failed = true;
    }
    CHECK(failed == (bad_load < count || bad_work < count));
    if (!failed)
        for (std::atomic<int>& times : worked) CHECK(times == 1);
}

}  // namespace

int main() {
    constexpr size_t kNever = SIZE_MAX;
    for (size_t count : {0, 1, 2, 5, 100, 1000})
        for (size_t threads : {0, 1, 2, 7}) {
            run(count, threads, kNever, kNever);
            run(count, threads, count / 2, kNever);
            run(count, threads, kNever, count / 2);
            run(count, threads, 0, 0);
        }
    std::puts("chunks are worked on once");
}

// Every chunk is processed once for any number of threads, and exceptions of any thread are rethrown. Run it under
// ThreadSanitizer.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "doctest.hpp"
#include "refscore/threads/loading.hpp"

using namespace refscore;

namespace {

struct Chunk {
    size_t number = 0;
};

// Nanoseconds per chunk: so many that all threads are asked for.
constexpr size_t kWork = 1'000'000;

// One to three pieces; each counts in a separate byte.
constexpr int kOnce[] = {0x1, 0x101, 0x10101};

void run(size_t count, size_t threads, size_t bad_load, size_t bad_work) {
    std::vector<std::atomic<int>> worked(count);
    auto load = [&](size_t i, Chunk& chunk, std::vector<Piece>& pieces) {
        if (i == bad_load) throw std::runtime_error("load");
        chunk.number = i;
        for (size_t piece = 0; piece < 1 + i % 3; ++piece) pieces.push_back({piece, piece + 1, (i * 7 + piece) % 5});
    };
    auto work = [&](Chunk& chunk, size_t begin, size_t end) {
        if (chunk.number == bad_work) throw std::runtime_error("work");
        CHECK(end == begin + 1);
        worked[chunk.number] += 1 << (8 * begin);
    };
    bool failed = false;
    try {
        process_loaded_by_caller<Chunk>(
            count, threads, kWork, load, [](const auto& call) { call(); }, [&] { return work; });
    } catch (const std::runtime_error&) {
        failed = true;
    }
    CHECK(failed == (bad_load < count || bad_work < count));
    if (!failed)
        for (size_t i = 0; i < count; ++i) CHECK(worked[i] == kOnce[i % 3]);
}

// While one piece takes very long, all others are processed.
void run_with_a_giant(size_t count, size_t threads, size_t giant) {
    std::atomic<size_t> others{0};
    std::atomic<bool> stalled{false};
    auto load = [&](size_t i, Chunk& chunk, std::vector<Piece>& pieces) {
        chunk.number = i;
        pieces.push_back({0, 1, i == giant ? size_t{1000} : size_t{1}});
    };
    auto work = [&](Chunk& chunk, size_t, size_t) {
        if (chunk.number != giant) {
            ++others;
            return;
        }
        auto begin = std::chrono::steady_clock::now();
        while (others != count - 1 && !stalled) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            stalled = std::chrono::steady_clock::now() - begin > std::chrono::seconds(20);
        }
    };
    process_loaded_by_caller<Chunk>(
        count, threads, kWork, load, [](const auto& call) { call(); }, [&] { return work; });
    CHECK(!stalled);
    CHECK(others == count - 1);
}

}  // namespace

TEST_CASE("every chunk is processed once") {
    constexpr size_t kNever = SIZE_MAX;
    for (size_t count : {0, 1, 2, 5, 100, 1000})
        for (size_t threads : {0, 1, 2, 7}) {
            run(count, threads, kNever, kNever);
            run(count, threads, count / 2, kNever);
            run(count, threads, kNever, count / 2);
            run(count, threads, 0, 0);
        }
    for (size_t threads : {2, 3, 7})
        for (size_t giant : {0, 1, 50, 499}) run_with_a_giant(500, threads, giant);
}

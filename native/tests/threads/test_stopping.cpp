// Work on several threads ends soon after a request, or after one of them has failed. Run it under ThreadSanitizer.
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/edit_distance.hpp"
#include "refscore/threads/loading.hpp"
#include "refscore/threads/parallel.hpp"
#include "refscore/threads/stopping.hpp"

using namespace refscore;

namespace {

constexpr std::chrono::seconds kMost{20};

// Stops after a number of checks, or never.
class Countdown final : public StopCheck {
  public:
    explicit Countdown(size_t looks) : left_(looks) {}
    void look() override {
        CHECK(std::this_thread::get_id() == owner_);
        if (left_ == 0) throw Stopped();
        --left_;
    }
    size_t left() const { return left_; }

  private:
    size_t left_;
    std::thread::id owner_ = std::this_thread::get_id();
};

void work_for_ever() {
    for (auto begin = std::chrono::steady_clock::now();;) {
        checkpoint(size_t{1} << 12);
        std::this_thread::yield();
        CHECK(std::chrono::steady_clock::now() - begin < kMost);
    }
}

struct Chunk {
    size_t number = 0;
};

template <class Work>
void process(size_t count, size_t threads, Work work) {
    auto load = [](size_t i, Chunk& chunk, std::vector<Piece>& pieces) {
        chunk.number = i;
        pieces.push_back({0, 1, 1});
    };
    process_loaded_by_caller<Chunk>(
        count, threads, 1'000'000, load, [](const auto& call) { call(); },
        [&] { return [&](Chunk& chunk, size_t, size_t) { work(chunk.number); }; });
}

void stop_all(size_t threads) {
    for (size_t looks : {0, 1, 5}) {
        Countdown countdown(looks);
        Checkpoints checkpoints(countdown);
        CHECK_THROWS_AS(
            ([&] { parallel_for(100, threads, [] { return [](size_t, size_t) { work_for_ever(); }; }, 1); })(),
            Stopped);
        CHECK_THROWS_AS(([&] { process(100, threads, [](size_t) { work_for_ever(); }); })(), Stopped);
    }
}

// The thread to be stopped has finished its part and waits for a different one.
void stop_while_waiting() {
    std::thread::id own = std::this_thread::get_id();
    auto others_work = [&](size_t) {
        if (std::this_thread::get_id() == own) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } else {
            work_for_ever();
        }
    };
    Countdown countdown(2);
    Checkpoints checkpoints(countdown);
    CHECK_THROWS_AS(
        ([&] { parallel_for(200, 2, [&] { return [&](size_t begin, size_t) { others_work(begin); }; }, 1); })(),
        Stopped);
    CHECK_THROWS_AS(process(200, 2, others_work), Stopped);
}

// One thread fails, and all others end.
void fail_one(size_t threads) {
    auto work = [](size_t i) {
        if (i == 3) throw std::runtime_error("one");
        work_for_ever();
    };
    auto light = [&](size_t i) {
        if (i >= 3) work(i);
    };
    CHECK_THROWS_AS(
        ([&] { parallel_for(50, threads, [&] { return [&](size_t begin, size_t) { light(begin); }; }, 1); })(),
        std::runtime_error);
    CHECK_THROWS_AS(process(50, threads, light), std::runtime_error);
}

// Work inside a check is not stopped by it, and checks outside any work do nothing.
void nest() {
    checkpoint(SIZE_MAX);
    look_for_stop();
    struct Inside final : StopCheck {
        size_t calls = 0;
        void look() override {
            ++calls;
            checkpoint(SIZE_MAX);
            look_for_stop();
        }
    } inside;
    Checkpoints checkpoints(inside);
    look_for_stop();
    CHECK(inside.calls == 1);
    {
        StopFlag flag;
        Checkpoints more(flag);
        look_for_stop();
        CHECK(inside.calls == 2);
        flag.raise();
        CHECK_THROWS_AS(look_for_stop(), Stopped);
        CHECK_THROWS_AS(checkpoint(SIZE_MAX), Stopped);
    }
    look_for_stop();
    CHECK(inside.calls == 5);
}

// A stopped kernel can be used again, because it stops where its tables are clean.
void stop_a_kernel() {
    std::vector<uint32_t> one, other;
    for (uint32_t i = 0; i < 20000; ++i) {
        one.push_back(1 + i * i % 7);
        other.push_back(1 + i * i % 11);
    }
    EditDistance distance;
    EditCounts expected = distance.count(one, other, 11);
    {
        Countdown countdown(3);
        Checkpoints checkpoints(countdown);
        CHECK_THROWS_AS(distance.count(one, other, 11), Stopped);
        CHECK(countdown.left() == 0);
    }
    EditCounts again = distance.count(one, other, 11);
    CHECK(again.hits == expected.hits);
    CHECK(again.errors() == expected.errors());
}

}  // namespace

TEST_CASE("work is stopped") {
    for (size_t threads : {1, 2, 7}) {
        stop_all(threads);
        if (threads > 1) fail_one(threads);
    }
    stop_while_waiting();
    nest();
    stop_a_kernel();
}

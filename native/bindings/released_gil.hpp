// Runs work without the GIL, or with it in turns, interruptible by signals.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <thread>

#include "refscore/threads/loading.hpp"
#include "refscore/threads/parallel.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore::bindings {

namespace nb = nanobind;

// Releases the GIL and reacquires it in the destructor. During finalization, Python would end the thread by unwinding
// its stack, which fails in C++ frames. The thread then sleeps until the process exits.
class ReleasedGil {
  public:
    ReleasedGil() : state_(PyEval_SaveThread()) {}
    ReleasedGil(const ReleasedGil&) = delete;
    ~ReleasedGil() { take_back(); }

    // Calls work() with the GIL; work() must not throw.
    template <class Work>
    void with(Work work) {
        take_back();
        work();
        state_ = PyEval_SaveThread();
    }

    static bool is_finalizing() {
#if defined(Py_LIMITED_API) && Py_LIMITED_API < 0x030d0000
        return false;  // the stable ABI of Python 3.12 cannot tell; take_back catches the unwinding
#elif PY_VERSION_HEX >= 0x030d0000
        return Py_IsFinalizing() != 0;
#else
        return _Py_IsFinalizing() != 0;
#endif
    }

  private:
    void take_back() {
        if (is_finalizing()) stay();
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {
            stay();
        }
    }
    [[noreturn]] static void stay() {
        // Any duration works: the thread sleeps until the process exits.
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    PyThreadState* state_;
};

// 50 ms is not noticeable after Ctrl-C.
constexpr std::chrono::milliseconds kBetweenSignals{50};

// Checks for signals while the GIL is released, but not too often.
class SignalWatch final : public StopCheck {
  public:
    explicit SignalWatch(ReleasedGil& gil) : gil_(gil) {}

    void look() override {
        if (has_error_) throw Stopped();
        auto now = std::chrono::steady_clock::now();
        if (last_ == std::chrono::steady_clock::time_point()) last_ = now;
        if (now - last_ < kBetweenSignals || ReleasedGil::is_finalizing()) return;
        last_ = now;
        gil_.with([&] { has_error_ = PyErr_CheckSignals() != 0; });
        if (has_error_) throw Stopped();
    }
    // Whether a signal handler has raised a Python exception.
    bool has_error() const { return has_error_; }

  private:
    ReleasedGil& gil_;
    std::chrono::steady_clock::time_point last_{};  // set at the first call, because most work ends before it
    bool has_error_ = false;
};

// Calls work() without the GIL. A signal ends it at one of its checkpoints.
template <class Work>
void without_gil(Work work) {
    std::exception_ptr failure;
    bool has_error;
    {
        ReleasedGil gil;
        SignalWatch watch(gil);
        try {
            Checkpoints checkpoints(watch);
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        has_error = watch.has_error();
    }
    if (has_error) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
}

// For work whose threads read Python objects while the calling thread holds the GIL: lets other Python threads and
// signal handlers run from time to time, when no thread reads.
class GilTurns final : public StopCheck {
  public:
    explicit GilTurns(LoadGate& gate) : gate_(gate) {}

    void look() override {
        if (has_error_) throw Stopped();
        if (std::chrono::steady_clock::now() - last_ < kTurn) return;
        gate_.close();
        { ReleasedGil released; }
        has_error_ = PyErr_CheckSignals() != 0;
        gate_.open();
        last_ = std::chrono::steady_clock::now();
        if (has_error_) throw Stopped();
    }
    // Whether a signal handler has raised a Python exception.
    bool has_error() const { return has_error_; }

  private:
    LoadGate& gate_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    bool has_error_ = false;
};

// Calls work() with the GIL, except during the turns of other threads.
template <class Work>
void with_gil_turns(LoadGate& gate, Work work) {
    GilTurns turns(gate);
    std::exception_ptr failure;
    try {
        Checkpoints checkpoints(turns);
        work();
    } catch (...) {
        failure = std::current_exception();
    }
    if (turns.has_error()) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
}

// Runs a loop on several threads without the GIL.
template <class Make>
void parallel_without_gil(size_t size, size_t threads, Make make) {
    without_gil([&] { parallel_for(size, threads, make); });
}

}  // namespace refscore::bindings

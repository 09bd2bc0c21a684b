//===- GuardTest.cpp - wild addresses, time limits, signals of others -----------------------------------===//
#include "core/support/MemoryGuard.h"
#include "core/support/Options.h"
#include "interp/tools/SampleKernels.h"
#include "tests/unit/exec/ExecTest.h"
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <pthread.h>

namespace trisect::interp {
namespace {

TEST_F(ExecTest, AWildLoadNamesElementAndNearestTensor) {
  TRISECT_NEEDS_WILD_ACCESS;
  std::vector<float> x(1024, 1), out(1024, 0);
  std::vector<TensorView> views = {{0, "x", at(x), DType::F32, {1024}, {1}}};
  auto decoded = program(vectorAdd);
  std::vector<ArgBits> args = {at(x), 4096, at(out), 1024};
  LaunchRequest request;
  request.grid = {1, 1, 1};
  request.args = args;
  request.tensors = views;
  for (bool fused : {true, false}) {
    RunOptions options;
    options.fused = fused;
    try {
      run(*decoded, request, options);
      FAIL() << "no fault";
    } catch (const KernelFault &fault) {
      EXPECT_EQ(fault.fault().kind, FaultKind::OutOfBounds);
      std::map<std::string, std::string> details(fault.fault().details.begin(), fault.fault().details.end());
      EXPECT_EQ(details["address"], "0x1000");
      EXPECT_EQ(details["index"], "(0)");
      EXPECT_EQ(details["access"], "read");
    }
  }
}

TEST_F(ExecTest, TheLowestWildProgramWinsOnTwoThreads) {
  TRISECT_NEEDS_WILD_ACCESS;
  // Programs 5 and up store far away.
  const char *text = R"(
tt.func public @k(%out: !tt.ptr<i32>, %far: i64) {
  %c5 = arith.constant 5 : i32
  %c0 = arith.constant 0 : i64
  %pid = tt.get_program_id x : i32
  %near = arith.cmpi slt, %pid, %c5 : i32
  %jump = arith.select %near, %c0, %far : i64
  %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  %q = tt.addptr %p, %jump : !tt.ptr<i32>, i64
  tt.store %q, %pid : !tt.ptr<i32>
  tt.return
})";
  for (int round = 0; round < 50; ++round) {
    std::vector<int32_t> out(16, -1);
    RunOptions options;
    options.threads = 2;
    try {
      launch(text, {16, 1, 1}, {at(out), uint64_t(1) << 44}, options);
      FAIL() << "no fault";
    } catch (const KernelFault &fault) {
      EXPECT_EQ(fault.fault().programId[0], 5);
    }
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(out[i], i < 5 ? i : -1);
  }
}

TEST_F(ExecTest, ATimeLimitNamesTheLoop) {
  const char *text = R"(
tt.func public @k(%step: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %far = arith.constant 4611686018427387904 : i64
  %r = scf.for %i = %first to %far step %one iter_args(%s = %c0) -> (i32) : i64 {
    %t = arith.addi %s, %c1 : i32 loc("kernel.py":7:3)
    scf.yield %t : i32 loc("kernel.py":7:3)
  } loc("kernel.py":7:3)
  %bad = arith.cmpi slt, %r, %c0 : i32
  tt.assert %bad, "" : i1
  tt.return
})";
  setOption(OptionId::Timeout, "1");
  for (std::optional<uint64_t> seed : {std::optional<uint64_t>(), std::optional<uint64_t>(3)}) {
    RunOptions options;
    options.seed = seed;
    try {
      launch(text, {3, 1, 1}, {0}, options);
      FAIL() << "no fault";
    } catch (const KernelFault &fault) {
      EXPECT_EQ(fault.fault().kind, FaultKind::Deadlock);
      EXPECT_NE(std::string(fault.what()).find("0 of 3 programs had finished"), std::string::npos)
          << fault.what();
      EXPECT_EQ(fault.fault().position.str(), "kernel.py:7:3");
    }
  }
  setOption(OptionId::Timeout, std::nullopt);
}

TEST(GuardDeathTest, SignalsOfOthersGoToTheHandlersBefore) {
  TRISECT_NEEDS_WILD_ACCESS;
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { std::_Exit(42); });
        installMemoryGuard();
        auto wild = guarded([] { *reinterpret_cast<volatile int *>(8) = 1; });
        if (!wild || wild->address != uint64_t(8) || !wild->write)
          std::_Exit(1);
        *reinterpret_cast<volatile int *>(8) = 1;
      },
      testing::ExitedWithCode(42), "");
  EXPECT_EXIT(
      {
        installMemoryGuard();
        *reinterpret_cast<volatile int *>(8) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(GuardTest, GuardsNestAndLetExceptionsPass) {
  installMemoryGuard();
  bool after = false;
  auto outer = guarded([&] {
    auto inner = guarded([] { static_cast<void>(*reinterpret_cast<volatile int *>(16)); });
    EXPECT_TRUE(inner && inner->address == uint64_t(16) && !inner->write);
    after = true;
  });
  EXPECT_TRUE(after);
  EXPECT_FALSE(outer);
  EXPECT_THROW(guarded([] { throw InvalidInput("passes"); }), InvalidInput);
}

bool interruptionsComeIn() {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  return !sigismember(&blocked, SIGURG);
}

/// For as long as it lives, both kinds of signal wait; then a crash and an interruption arrive at once.
class BothAtOnce {
public:
  explicit BothAtOnce(void *owner) {
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGSEGV);
    sigaddset(&both, SIGURG);
    pthread_sigmask(SIG_BLOCK, &both, &before);
    raise(SIGSEGV); // as a handler of others does with what it was given
    interruptGuarded(owner);
  }
  ~BothAtOnce() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

TEST(GuardTest, ACrashIsNotAskedWhetherToGoOn) {
  TRISECT_NEEDS_WILD_ACCESS;
  installMemoryGuard();
  int asked = 0;
  LeaveQuestion question = [](void *asked) {
    ++*static_cast<int *>(asked);
    return true;
  };
  for (int round = 0; round < 3; ++round) {
    auto end = guardedUntil(question, &asked, [&] { BothAtOnce signals(&asked); });
    EXPECT_TRUE(end.wild && !end.left);
    EXPECT_EQ(asked, 0);
    EXPECT_TRUE(interruptionsComeIn());
  }
  auto end = guardedUntil(question, &asked, [&] { interruptGuarded(&asked); });
  EXPECT_TRUE(end.left && !end.wild);
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(interruptionsComeIn());
}

TEST(GuardTest, InterruptionsDoNotPileUp) {
  installMemoryGuard();
  struct Work {
    const char *frame = nullptr;
    std::ptrdiff_t most = 0; ///< stack between the work and a question
    int asked = 0;
    bool open = true;
  } work;
  LeaveQuestion question = [](void *data) {
    auto &work = *static_cast<Work *>(data);
    work.most = std::max(work.most, work.frame - static_cast<char *>(__builtin_frame_address(0)));
    work.open &= interruptionsComeIn(); // threads that it starts inherit that
    for (int n = 0; n < 1000; ++n)
      interruptGuarded(&work);
    return ++work.asked == 100;
  };
  std::ptrdiff_t first = 0;
  auto end = guardedUntil(question, &work, [&] {
    work.frame = static_cast<char *>(__builtin_frame_address(0));
    while (true) {
      interruptGuarded(&work);
      first = first ? first : work.most;
    }
  });
  EXPECT_TRUE(end.left);
  EXPECT_EQ(work.asked, 100);
  EXPECT_TRUE(work.open);
  EXPECT_EQ(work.most, first);
}

} // namespace
} // namespace trisect::interp

//===- LadderTest.cpp - a wrong compiler is found out ---------------------------------------------------===//
//
// What: kernels through the target `echo`, right and wrong on purpose, in its own memory and in the host's.
//
//===----------------------------------------------------------------------------------------------------===//
#include "tests/unit/jit/Ladder.h"
#include "core/support/Outcome.h"
#include "tests/unit/Sanitizers.h"
#include "tests/unit/support/InChild.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace trisect;
using namespace trisect::jit;

namespace {

/// o[i] += 1, by reading and writing.
constexpr const char *increment = R"(
tt.func public @increment(%o: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %id = tt.get_program_id x : i32
  %p = tt.addptr %o, %id : !tt.ptr<i32>, i32
  %x = tt.load %p : !tt.ptr<i32>
  %y = arith.addi %x, %one : i32
  tt.store %p, %y : !tt.ptr<i32>
  tt.return
})";

constexpr const char *count = R"(
tt.func public @count(%o: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %old = tt.atomic_rmw add, acq_rel, gpu, %o, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
})";

/// A function that is no op of TTIR: of those each tier may have its own.
constexpr const char *errorFunction = R"(
tt.func public @errors(%o: !tt.ptr<f32>) {
  %x = tt.load %o : !tt.ptr<f32>
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_erfcf"} : (f32) -> f32
  tt.store %o, %y : !tt.ptr<f32>
  tt.return
})";

TEST_P(Echo, IsComparedAndRuns) {
  Arguments all = vectorAdd();
  auto kernel = adder();
  kernel->launch(all.request(grid));
  EXPECT_EQ(kernel->tier(), "echo");
  ASSERT_EQ(kernel->events().size(), 2u);
  EXPECT_EQ(kernel->events()[0].kind, Event::Kind::Compiled);
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Promoted);
  EXPECT_EQ(last(*kernel).text, "promoted vector_add to echo: equal, 4 programs, 4000 bytes compared");
  expectSum(all);
}

TEST_P(Echo, AForkWaitsWhileAnotherThreadCompilesWithoutALadder) {
  static std::atomic<int> half{0};
  half = 0;
  echoFlaws().inCompile = [] {
    half = 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    half = 2;
  };
  auto kernel = Kernel::create(increment, "");
  std::thread other([&] { compileFor(tierNamed("echo", {GetParam(), 0}), *kernel, Form::Any); });
  while (half == 0)
    std::this_thread::yield();
  int found = inChild([&] { return half.load(); });
  other.join();
  EXPECT_EQ(found, 2);
}

TEST_P(Echo, HostThreadsThatALaunchAsksForReachTheTier) {
  std::vector<unsigned> seen;
  echoFlaws().after = [&](MemorySpace &, const LaunchRequest &request) { seen.push_back(request.threads); };
  Arguments all = vectorAdd();
  using Wishes = std::map<std::string, std::string>;
  for (const auto &[wishes, threads] : std::vector<std::pair<Wishes, unsigned>>{
           {{}, 0}, {{{"num_threads", "2"}}, 2}, {{{"num_threads", "2"}, {"num_cpu_threads", "3"}}, 3}}) {
    KernelOptions options{{"tier", "echo"}};
    options.insert(wishes.begin(), wishes.end());
    auto kernel = load("vector_add.ttir", options);
    kernel->launch(all.request(grid));
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.back(), threads);
  }
  EXPECT_THROW(load("vector_add.ttir", {{"num_threads", "-1"}}), InvalidInput);
  expectSum(all);
}

TEST_P(Echo, AWrongValueIsFoundAndReachesNobody) {
  echoFlaws().after = [](MemorySpace &memory, const LaunchRequest &request) {
    ProgramRange run = request.programs();
    if (run.first <= 1 && 1 < run.first + run.count)
      poke(memory, firstElement(request, 2) + 4 * 300, 17.0f);
  };
  Arguments all = vectorAdd();
  auto kernel = adder();
  for (int launch = 0; launch < 3; ++launch) {
    kernel->launch(all.request(grid));
    expectSum(all);
    EXPECT_EQ(kernel->tier(), "interp");
  }
  Event event = last(*kernel);
  EXPECT_EQ(event.kind, Event::Kind::Withdrawn);
  EXPECT_EQ(event.verdict->kind, VerdictKind::Different);
  ASSERT_TRUE(event.verdict->first);
  EXPECT_EQ(event.verdict->first->index, std::vector<int64_t>{300});
  EXPECT_EQ(event.verdict->first->program, 1);
  EXPECT_NE(event.text.find("withdrew vector_add from echo: different at arg2[300]: tier 0 has "),
            std::string::npos)
      << event.text;
  EXPECT_NE(event.text.find("echo has 17"), std::string::npos) << event.text;
  EXPECT_NE(event.text.find("tier 0 has run the launch"), std::string::npos) << event.text;
}

TEST_P(Echo, AStoreThatTier0DoesNotMakeIsFound) {
  // Program 0 reads that element: other programs have no copy of it.
  echoFlaws().after = [](MemorySpace &memory, const LaunchRequest &request) {
    if (request.programs().first == 0)
      poke(memory, firstElement(request, 0), 99.0f);
  };
  Arguments all = vectorAdd();
  auto kernel = adder();
  kernel->launch(all.request(grid));
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Withdrawn);
  EXPECT_EQ(last(*kernel).verdict->strays, 1);
  EXPECT_NE(last(*kernel).text.find("arg0[0]: tier 0 leaves -3, echo writes 99"), std::string::npos)
      << last(*kernel).text;
  EXPECT_EQ(contents<float>(all.bits[0], n), x) << "what it wrote astray has been put back";
  expectSum(all);
}

TEST_P(Echo, WhatUpdatesInPlaceIsAppliedOnce) {
  for (bool wrong : {false, true})
    for (bool secondView : {false, true}) {
      reset();
      if (wrong)
        echoFlaws().after = [](MemorySpace &memory, const LaunchRequest &request) {
          poke(memory, request.args[0], peek<int32_t>(memory, request.args[0]) + 1);
        };
      std::vector<int32_t> data(8, 10);
      Arguments all = arguments();
      all.tensorAt(place(data), {8}, DType::I32);
      if (secondView) {
        all.views.push_back(all.views[0]);
        all.views.back().type = DType::F32;
        all.views.back().argument = 1;
      }
      auto kernel = kernelOf(increment);
      for (int launch = 1; launch <= 4; ++launch) {
        kernel->launch(all.request({8, 1, 1}));
        EXPECT_EQ(contents<int32_t>(all.bits[0], 8), std::vector<int32_t>(8, 10 + launch));
      }
      EXPECT_EQ(kernel->tier(), wrong ? "interp" : "echo") << last(*kernel).text;
    }
}

TEST_P(Echo, AFaultOfALaunchWithoutTensorsIsLookedAtAgainWithThem) {
  echoFlaws().after = [](MemorySpace &, const LaunchRequest &) {
    Fault fault;
    fault.kind = FaultKind::OutOfBounds;
    fault.message = "out-of-bounds: somewhere";
    fault.details = {{"address", "0x10"}};
    throw KernelFault(std::move(fault));
  };
  Arguments all = vectorAdd();
  auto kernel = adder();
  LaunchRequest request = all.request(grid);
  request.tensors = {};
  for (int launch = 0; launch < 8; ++launch) {
    kernel->launch(request);
    expectSum(all);
    EXPECT_NE(last(*kernel).text.find("what tensors there are is not known"), std::string::npos)
        << last(*kernel).text;
    EXPECT_TRUE(kernel->wantsTensors()) << "it is not settled, however often";
  }
  kernel->launch(all.request(grid));
  expectSum(all);
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Withdrawn) << last(*kernel).text;
}

TEST_P(Echo, SanitizersWorkWhereTheTensorsLie) {
  setSanitize(SanitizeOptions::parse("on"));
  Arguments all = vectorAdd();
  adder()->launch(all.request(grid));
  expectSum(all);
  all.bits[3] = n + 1;
  std::string message;
  try {
    adder()->launch(all.request(grid));
  } catch (const KernelFault &fault) {
    message = fault.what();
  }
  setSanitize(std::nullopt);
  EXPECT_NE(message.find("out-of-bounds"), std::string::npos) << message;
  EXPECT_EQ(echoFlaws().launches, 0) << "tier 0 runs it";
}

TEST_P(Echo, AWildAccessIsAFaultWhereverMemoryIs) {
  TRISECT_NEEDS_WILD_ACCESS;
  Arguments all = vectorAdd();
  all.bits[0] += uint64_t(1) << 50;
  setOption(OptionId::Tier, "interp");
  std::string message;
  try {
    adder()->launch(all.request(grid));
  } catch (const KernelFault &fault) {
    message = fault.what();
  }
  setOption(OptionId::Tier, "");
  EXPECT_NE(message.find("where there is no memory"), std::string::npos) << message;
}

TEST_P(Echo, AtomicsAreComparedAndAppliedOnce) {
  std::vector<int32_t> counter(1);
  Arguments all = arguments();
  all.tensorAt(place(counter), {1}, DType::I32);
  auto kernel = kernelOf(count);
  for (int launch = 1; launch <= 3; ++launch) {
    kernel->launch(all.request({100, 1, 1}));
    EXPECT_EQ(contents<int32_t>(all.bits[0], 1)[0], 100 * launch);
  }
  EXPECT_EQ(kernel->tier(), "echo") << last(*kernel).text;
}

TEST_P(Echo, CodeThatIsWrongFromASizeOnIsFoundAtThatSize) {
  echoFlaws().after = [](MemorySpace &memory, const LaunchRequest &request) {
    if (static_cast<int32_t>(request.args[3]) >= 64)
      poke(memory, firstElement(request, 2), 17.0f);
  };
  Arguments all = vectorAdd();
  auto kernel = adder();
  for (int size = 1; size <= 200; ++size) {
    all.bits[3] = static_cast<uint32_t>(size);
    kernel->launch(all.request({1, 1, 1}));
    ASSERT_EQ(contents<float>(all.bits[2], 1)[0], x[0] + y[0]) << size;
    ASSERT_EQ(kernel->tier(), size < 64 ? "echo" : "interp") << size;
  }
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Withdrawn);
}

TEST_P(Echo, CodeThatGoesWrongInTimeIsFoundByTheWay) {
  With seen(OptionId::Check, "promote");
  bool wrong = false;
  echoFlaws().after = [&](MemorySpace &memory, const LaunchRequest &request) {
    std::this_thread::sleep_for(
        std::chrono::microseconds(300)); // the time that comparisons may take a part of
    if (wrong)
      poke(memory, firstElement(request, 2), 17.0f);
  };
  Arguments all = vectorAdd();
  auto kernel = adder();
  kernel->launch(all.request({1, 1, 1}));
  wrong = true;
  for (int launch = 0; launch < 20000 && kernel->tier() == "echo"; ++launch)
    kernel->launch(all.request({1, 1, 1}));
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Withdrawn) << last(*kernel).text;
}

TEST_P(Echo, AFaultOfCompiledCodeAloneIsADifference) {
  echoFlaws().after = [](MemorySpace &, const LaunchRequest &) {
    throw KernelFault({FaultKind::Assert, "vector_add", {}, {0, 0, 0}, "assert: no", {}, nullptr});
  };
  Arguments all = vectorAdd();
  auto kernel = adder();
  kernel->launch(all.request(grid));
  EXPECT_EQ(last(*kernel).kind, Event::Kind::Withdrawn);
  EXPECT_NE(last(*kernel).text.find("faults where tier 0 does not: assert: no"), std::string::npos)
      << last(*kernel).text;
  expectSum(all);
}

TEST_P(Echo, AFaultOfTheKernelIsRaisedByTier0AndBlamesNobody) {
  auto kernel = fromText(R"(
tt.func public @faulty(%o: !tt.ptr<i32>, %n: i32) {
  %id = tt.get_program_id x : i32
  %ok = arith.cmpi slt, %id, %n : i32
  tt.assert %ok, "too far" : i1
  tt.store %o, %n : !tt.ptr<i32>
  tt.return
})",
                         {{"tier", "echo"}});
  std::vector<int32_t> data(1);
  Arguments all = arguments();
  all.tensorAt(place(data), {1}, DType::I32);
  all.integer(2);
  EXPECT_THROW(kernel->launch(all.request({4, 1, 1})), KernelFault);
  EXPECT_EQ(last(*kernel).verdict->kind, VerdictKind::Inconclusive) << last(*kernel).text;
  kernel->launch(all.request({2, 1, 1}));
  EXPECT_EQ(kernel->tier(), "echo") << last(*kernel).text;
}

/// Moves the first element of the first argument by some numbers.
std::function<void(MemorySpace &, const LaunchRequest &)> offBy(int numbers) {
  return [numbers](MemorySpace &memory, const LaunchRequest &request) {
    auto bits = std::bit_cast<uint32_t>(peek<float>(memory, request.args[0]));
    poke(memory, request.args[0], bits + static_cast<uint32_t>(numbers));
  };
}

TEST_P(Echo, WhatLiesWithinItsBoundRuns) {
  echoFlaws().after = offBy(1);
  auto kernel = kernelOf(errorFunction);
  std::vector<float> data{1.0f};
  Arguments all = arguments();
  all.tensorAt(place(data), {1});
  kernel->launch(all.request({1, 1, 1}));
  EXPECT_EQ(last(*kernel).verdict->kind, VerdictKind::Within) << last(*kernel).text;
  EXPECT_NE(last(*kernel).text.find("within bound, 1 element not tier 0's, at most 1 ULP apart"),
            std::string::npos)
      << last(*kernel).text;
  EXPECT_EQ(kernel->tier(), "echo");
}

TEST_P(Echo, WhatNoRoundingExplainsIsDifferent) {
  echoFlaws().after = offBy(1000);
  auto kernel = kernelOf(errorFunction);
  std::vector<float> data{1.0f};
  Arguments all = arguments();
  all.tensorAt(place(data), {1});
  kernel->launch(all.request({1, 1, 1}));
  EXPECT_EQ(last(*kernel).verdict->kind, VerdictKind::Different) << last(*kernel).text;
  std::vector<float> right{1.0f};
  Arguments host;
  host.tensor(right, {1});
  fromText(errorFunction, {{"tier", "interp"}})->launch(host.request({1, 1, 1}));
  EXPECT_EQ(contents<float>(all.bits[0], 1), right);
}

TEST_P(Echo, WhatCannotBeJudgedGivesTier0sResult) {
  constexpr const char *decision = R"(
tt.func public @decision(%o: !tt.ptr<f32>, %x: f32, %c: f32) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_exp10f"} : (f32) -> f32
  %above = arith.cmpf oge, %y, %c : f32
  scf.if %above {
    tt.store %o, %one : !tt.ptr<f32>
  } else {
    tt.store %o, %two : !tt.ptr<f32>
  }
  tt.return
})";
  echoFlaws().after = offBy(12345);
  With always(OptionId::Check, "always");
  auto kernel = kernelOf(decision);
  std::vector<float> data{0.0f};
  Arguments all = arguments();
  all.tensorAt(place(data), {1});
  for (float scalar : {1.0f, 10.0f})
    all.bits.push_back(std::bit_cast<uint32_t>(scalar));
  for (int launch = 0; launch < 3; ++launch) {
    kernel->launch(all.request({1, 1, 1}));
    float result = contents<float>(all.bits[0], 1)[0];
    EXPECT_TRUE(result == 1.0f || result == 2.0f) << result;
    EXPECT_EQ(last(*kernel).verdict->kind, VerdictKind::Inconclusive) << last(*kernel).text;
    EXPECT_NE(last(*kernel).text.find("in doubt"), std::string::npos) << last(*kernel).text;
  }
}

TEST_P(Echo, ACompilerThatBreaksIsNoRefusal) {
  echoFlaws().inCompile = [] { throw EngineError("echo is broken"); };
  Arguments all = vectorAdd();
  auto kernel = adder();
  EXPECT_THROW(kernel->launch(all.request(grid)), EngineError);
  EXPECT_THROW(kernel->launch(all.request(grid)), EngineError);
  EXPECT_EQ(echoFlaws().compiles, 1) << "what could not be compiled is not tried again";
  EXPECT_NE(last(*kernel).text.find("the compiler failed: echo is broken"), std::string::npos);
}

TEST_P(Echo, ARefusalIsUnsupported) {
  echoFlaws().inCompile = [] { throw Unsupported("echo: tt.load is too hard"); };
  Arguments all = vectorAdd();
  auto kernel = adder();
  EXPECT_THROW(kernel->launch(all.request(grid)), Unsupported);
  EXPECT_EQ(last(*kernel).text, "vector_add stays in tier 0: echo: tt.load is too hard");
}

TEST_P(Echo, SecondThreadsWaitForTheFirstAndGetTheTier) {
  echoFlaws().inCompile = [] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); };
  auto kernel = kernelOf(increment);
  std::vector<std::vector<int32_t>> data(8, std::vector<int32_t>(4));
  std::vector<Arguments> all;
  for (auto &each : data) {
    all.push_back(arguments());
    all.back().tensorAt(place(each), {4}, DType::I32);
  }
  std::vector<std::thread> threads;
  for (const Arguments &each : all)
    threads.emplace_back([&] { kernel->launch(each.request({4, 1, 1})); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(echoFlaws().compiles, 1);
  EXPECT_GE(echoFlaws().launches, 8) << "each launch ran on the tier that was demanded";
  for (const Arguments &each : all)
    EXPECT_EQ(contents<int32_t>(each.bits[0], 4), std::vector<int32_t>(4, 1));
}

INSTANTIATE_TEST_SUITE_P(Memory, Echo, testing::Values(DeviceKind::Host, DeviceKind::Extension),
                         [](const auto &info) {
                           return std::string(info.param == DeviceKind::Host ? "OfTheHost" : "OfItsOwn");
                         });

} // namespace

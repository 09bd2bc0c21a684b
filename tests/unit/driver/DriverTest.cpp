//===- DriverTest.cpp - the driver library over a libcuda of the test -----------------------------------===//
#include "backends/cuda/driver/Api.h"
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/driver/Code.h"
#include "backends/cuda/driver/Device.h"
#include "backends/cuda/driver/Memory.h"
#include "core/support/Outcome.h"
#include "tests/unit/driver/FakeCuda.h"
#include "tests/unit/support/InChild.h"
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <thread>

using namespace trisect;
using namespace trisect::cuda::driver;

namespace {
// Before anything asks for the library.
[[maybe_unused]] const int pathIsSet = setenv("TRITON_LIBCUDA_PATH", TRISECT_FAKE_CUDA, 1);

fakecuda::Log take() {
  fakecuda::Log log;
  fakeTake(log);
  return log;
}

int count(const fakecuda::Log &log, const std::string &symbol) {
  return static_cast<int>(std::count(log.calls.begin(), log.calls.end(), symbol));
}

class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    fakeUsage(32, 0, 0, 1024);
    fakeCapture(false);
    take();
  }
  static void launch(const Code &code, uint64_t value, std::array<unsigned, 3> grid = {1, 1, 1}) {
    void *arguments[] = {&value};
    code.launch(grid, arguments, nullptr);
  }
};

TEST_F(DriverTest, FactsOfDevices) {
  EXPECT_EQ(deviceCount(), 3);
  EXPECT_EQ(facts(0).name, "Fake A");
  EXPECT_EQ(facts(1).name, "Fake B");
  EXPECT_EQ(facts(0).capability, 90);
  EXPECT_EQ(facts(0).multiprocessors, 132);
  EXPECT_THROW(facts(3), InvalidInput);
  EXPECT_THROW(facts(-1), InvalidInput);
}

// A real driver answers no child: what a host's launch needs to know is known before (a device's name is in
// keys).
TEST_F(DriverTest, AChildKnowsTheDevicesOfItsParent) {
  ASSERT_EQ(deviceCount(), 3);
  EXPECT_EQ(inChild([] { return facts(2).capability + static_cast<int>(facts(2).name == "Fake C"); }), 91);
}

// Device 2 is this test's alone: nobody has asked for its context before.
TEST_F(DriverTest, AForkWaitsWhileAnotherThreadRetainsAContext) {
  std::atomic<int> half{0};
  fakeRetain([&] {
    half = 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    half = 2;
  });
  std::thread other([] { primaryContext(2); });
  while (half == 0)
    std::this_thread::yield();
  int found = inChild([&] { return half.load(); });
  other.join();
  fakeRetain([] {});
  EXPECT_EQ(found, 2);
}

TEST_F(DriverTest, ACodeIsLaunchedOnItsDevice) {
  Code first(0, "image", "kernel", {}), second(1, "image", "kernel", {});
  launch(first, 7, {3, 2, 1});
  launch(second, 8);
  fakecuda::Log log = take();
  ASSERT_EQ(log.launches.size(), 2u);
  EXPECT_EQ(log.launches[0].device, 0);
  EXPECT_EQ(log.launches[1].device, 1);
  EXPECT_EQ(log.launches[0].first, 7u);
  EXPECT_EQ(log.launches[0].grid[0], 3u);
  EXPECT_EQ(log.launches[0].grid[1], 2u);
  EXPECT_EQ(log.launches[0].block[0], 128u);
}

TEST_F(DriverTest, WhatWasCurrentIsCurrentAgain) {
  std::thread([] {
    Context context = nullptr;
    {
      Current outer(1);
      Code code(0, "image", "kernel", {});
      launch(code, 1);
      EXPECT_EQ(currentDevice(), 1);
    }
    api().currentContext(&context);
    EXPECT_EQ(context, nullptr);
    EXPECT_EQ(currentDevice(), 0);
  }).join();
}

TEST_F(DriverTest, EachThreadHasItsContext) {
  Code codes[] = {Code(0, "image", "kernel", {}), Code(1, "image", "kernel", {})};
  take();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (uint64_t round = 0; round < 200; ++round)
        launch(codes[(i + round) % 2], (i + round) % 2);
    });
  for (std::thread &thread : threads)
    thread.join();
  fakecuda::Log log = take();
  ASSERT_EQ(log.launches.size(), 1600u);
  for (const fakecuda::Launch &one : log.launches)
    EXPECT_EQ(static_cast<uint64_t>(one.device), one.first);
}

TEST_F(DriverTest, WarmLaunchesSetNoContext) {
  Current current(0);
  Code code(0, "image", "kernel", {});
  take();
  launch(code, 1);
  EXPECT_EQ(take().calls, std::vector<std::string>{"cuLaunchKernelEx"});
}

TEST_F(DriverTest, ALaunchThatIsRefusedForTheContextSetsIt) {
  const std::vector<std::string> inContext = {"cuCtxSetCurrent", "cuLaunchKernelEx", "cuCtxSetCurrent"};
  std::vector<std::string> refused = inContext;
  refused.insert(refused.begin(), "cuLaunchKernelEx");
  Code code(0, "image", "kernel", {});
  {
    Current own(0);
    launch(code, 0);
  }
  Current other(1);
  take();
  launch(code, 1);
  EXPECT_EQ(take().calls, refused);
  launch(code, 2); // known by now
  fakecuda::Log log = take();
  EXPECT_EQ(log.calls, inContext);
  EXPECT_EQ(log.launches.at(0).device, 0);
  EXPECT_EQ(currentDevice(), 1);
  // A driver that launches in no context but a current one.
  std::thread([&] {
    Code another(0, "image", "kernel", {});
    {
      Current own(0);
      launch(another, 0);
    }
    take();
    fakeFail("cuLaunchKernelEx", 201);
    launch(another, 3);
    EXPECT_EQ(take().calls, refused);
  }).join();
  // A first launch looks before it is refused.
  Code first(0, "image", "kernel", {});
  take();
  launch(first, 5);
  EXPECT_EQ(take().calls, inContext);
  // What is no matter of contexts is an error.
  Code third(1, "image", "kernel", {});
  fakeFail("cuLaunchKernelEx", 1);
  EXPECT_THROW(launch(third, 4), EngineError);
}

TEST_F(DriverTest, SharedMemoryBeyondThePlainLimitIsAskedFor) {
  Code small(0, "image", "kernel", {.sharedBytes = 48 << 10});
  EXPECT_EQ(count(take(), "cuFuncSetAttribute"), 0);
  Code large(0, "image", "kernel", {.sharedBytes = 100 << 10});
  EXPECT_EQ(count(take(), "cuFuncSetAttribute"), 1);
  launch(large, 1);
  EXPECT_EQ(take().launches.at(0).shared, 100u << 10);
  fakeUsage(32, 0, 1024, 1024);
  Code both(0, "image", "kernel", {.sharedBytes = 48 << 10});
  EXPECT_EQ(count(take(), "cuFuncSetAttribute"), 1);
}

TEST_F(DriverTest, TooMuchIsRefusedWithItsNumbers) {
  try {
    Code code(0, "image", "kernel", {.sharedBytes = 300 << 10});
    FAIL();
  } catch (const OutOfResources &error) {
    EXPECT_EQ(error.required, 300 << 10);
    EXPECT_EQ(error.limit, 200 << 10);
    EXPECT_EQ(error.name, "shared memory");
  }
  fakeUsage(255, 0, 0, 256);
  try {
    Code code(0, "image", "kernel", {.threads = 512});
    FAIL();
  } catch (const OutOfResources &error) {
    EXPECT_EQ(error.required, 512);
    EXPECT_EQ(error.limit, 256);
    EXPECT_EQ(error.name, "threads");
  }
  EXPECT_EQ(count(take(), "cuModuleUnload"), 1);
}

TEST_F(DriverTest, LaunchAttributes) {
  Code plain(0, "image", "kernel", {});
  Code special(0, "image", "kernel", {.threads = 64, .cooperative = true, .dependent = true});
  launch(plain, 1);
  launch(special, 2);
  fakecuda::Log log = take();
  EXPECT_FALSE(log.launches[0].cooperative || log.launches[0].dependent);
  EXPECT_TRUE(log.launches[1].cooperative && log.launches[1].dependent);
  fakeFail("cuLaunchKernelEx", CooperativeLaunchTooLarge);
  EXPECT_THROW(launch(special, 1, {1000, 1, 1}), OutOfResources);
}

TEST_F(DriverTest, LoadingWhileAStreamIsCaptured) {
  fakeCapture(true);
  EXPECT_TRUE(isCapturing(0, nullptr));
  auto code = std::make_unique<Code>(0, "image", "kernel", LaunchShape{});
  launch(*code, 3);
  fakecuda::Log log = take();
  EXPECT_EQ(log.launches.size(), 1u);
  EXPECT_EQ(count(log, "cuStreamSynchronize"), 0);
  code.reset();
  EXPECT_EQ(count(take(), "cuModuleUnload"), 1);
  // The mode of the thread is what it was: a call that captures forbid is forbidden.
  EXPECT_THROW(synchronize(0, nullptr), EngineError);
}

TEST_F(DriverTest, RefusedCodeSaysWhy) {
  try {
    Code code(0, "bad ptx", "kernel", {});
    FAIL();
  } catch (const AssemblerError &error) {
    EXPECT_NE(std::string(error.what()).find("what is this?"), std::string::npos) << error.what();
  }
  fakeFail("cuModuleLoadDataEx", NoBinaryForGpu);
  try {
    Code code(1, "image", "kernel", {});
    FAIL();
  } catch (const EngineError &error) {
    EXPECT_NE(std::string(error.what()).find("Fake B"), std::string::npos) << error.what();
  }
  take();
  EXPECT_THROW(Code(0, "image", "missing", {}), EngineError);
  EXPECT_EQ(count(take(), "cuModuleUnload"), 1);
}

TEST_F(DriverTest, WhatAKernelDidIsAFaultOfTheKernel) {
  struct {
    Status status;
    FaultKind kind;
  } const rows[] = {{IllegalAddress, FaultKind::OutOfBounds},
                    {MisalignedAddress, FaultKind::Misaligned},
                    {LaunchTimeout, FaultKind::Deadlock},
                    {DeviceAssert, FaultKind::Assert},
                    {LaunchFailed, FaultKind::OutOfBounds}};
  for (auto [status, kind] : rows) {
    fakeFail("cuStreamSynchronize", status);
    try {
      synchronize(0, nullptr);
      FAIL();
    } catch (const KernelFault &fault) {
      EXPECT_EQ(fault.fault().kind, kind);
    }
  }
  fakeFail("cuMemAlloc_v2", OutOfMemory);
  EXPECT_THROW(Buffer(0, 16), Unsupported);
  Code code(0, "image", "kernel", {});
  EXPECT_THROW(launch(code, 1, {1, 70000, 1}), InvalidInput);
}

TEST_F(DriverTest, MemoryIsReadAndWritten) {
  Buffer buffer(1, 64);
  std::vector<char> out(64), in(64);
  std::iota(in.begin(), in.end(), 0);
  write(1, nullptr, buffer.address(), in.data(), 64);
  read(1, nullptr, buffer.address(), out.data(), 64);
  EXPECT_EQ(in, out);
}

TEST_F(DriverTest, AllocationOfAnAddress) {
  Buffer buffer(1, 64);
  // Also on a thread that never used the driver.
  std::thread([&] {
    std::optional<Allocation> found = allocationOf(buffer.address() + 17);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->base, buffer.address());
    EXPECT_EQ(found->bytes, 64);
    EXPECT_EQ(found->device, 1);
  }).join();
  int onHost = 0;
  EXPECT_FALSE(allocationOf(reinterpret_cast<Address>(&onHost)));
}
} // namespace

//===- EmulatedDeviceTest.cpp - a device that is a process in an emulator -------------------------------===//
//
// Launches are tested by the run tests (`./dev test arm`); here is what goes wrong before, and the memory.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emulated/EmulatedDevice.h"
#include "backends/cpu/emulated/Messages.h"
#include "backends/cpu/emulated/SharedMemory.h"
#include "core/support/Outcome.h"
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace trisect;
using namespace trisect::cpu;

namespace {
/// What is said where the worker is no worker.
std::string problemOf(const std::string &worker) {
  try {
    EmulatorCommands commands;
    commands.worker = worker;
    commands.limitSeconds = 5;
    emulatedDevice(commands);
  } catch (const InvalidInput &error) {
    return error.what();
  }
  return "none";
}

TEST(EmulatedDevice, AWorkerThatDoesNotStartIsNamed) {
  EXPECT_EQ(problemOf("/nowhere/emulator worker"),
            "cannot start '/nowhere/emulator': No such file or directory");
  EXPECT_EQ(problemOf(" "), "cannot start '': No such file or directory");
  EXPECT_EQ(problemOf("false"), "the worker 'false' did not start: exit status 1");
}

TEST(EmulatedDevice, MemoryIsGivenOncePerPlaceAndKnowsItsBounds) {
  SharedMemory memory;
  constexpr uint64_t there = uint64_t(1) << 40;
  memory.liesAt(there);
  uint64_t first = memory.allocate(100), second = memory.allocate(1);
  EXPECT_GE(second, first + 100);
  EXPECT_EQ(first % 64, 0U);
  uint32_t written = 7, found = 0;
  memory.write(first + 4, &written, sizeof written);
  memory.read(first + 4, &found, sizeof found);
  EXPECT_EQ(found, 7U);
  EXPECT_EQ(memory.allocationAt(first + 99)->address, first);
  EXPECT_FALSE(memory.allocationAt(first + 100));
  EXPECT_THROW(memory.read(there - 1, &found, sizeof found), InvalidInput);
  EXPECT_THROW(memory.allocate(size_t(1) << 40), Unsupported);
  EXPECT_THROW(memory.liesAt(there + 4096), EngineError);
  memory.release(first);
  memory.release(second);
  memory.liesAt(there + 4096);
  EXPECT_EQ(memory.allocate(1), first + 4096);
}

TEST(EmulatedDevice, MessagesKeepTheirFields) {
  LaunchOrder order{"a.so", "code", {2, 3, 4}, {1, uint64_t(-1)}, {5, 6}, 7, AtomicsForm::Plain};
  LaunchOrder same = unpackOrder(pack(order));
  EXPECT_EQ(same.library, "a.so");
  EXPECT_EQ(same.artifact, "code");
  EXPECT_EQ(same.grid.programs(), 24);
  EXPECT_EQ(same.arguments, order.arguments);
  EXPECT_EQ(same.programs.first + same.programs.count, 11);
  EXPECT_EQ(same.threads, 7U);
  EXPECT_EQ(same.atomics, AtomicsForm::Plain);
  LaunchAnswer answer{LaunchAnswer::Kind::Fault, FaultKind::Deadlock, {"k.py", 3, 4}, "stuck", 9};
  LaunchAnswer alike = unpackAnswer(pack(answer));
  EXPECT_EQ(alike.kind, LaunchAnswer::Kind::Fault);
  EXPECT_EQ(alike.fault, FaultKind::Deadlock);
  EXPECT_EQ(alike.position.str(), answer.position.str());
  EXPECT_EQ(alike.message, "stuck");
  EXPECT_EQ(alike.memory, 9U);
  EXPECT_THROW(unpackAnswer("short"), InvalidInput);
}

TEST(EmulatedDevice, AnEndThatIsGoneOrSilentGivesNothing) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  EXPECT_TRUE(sendMessage(ends[0], "hello"));
  EXPECT_EQ(receiveMessage(ends[1], 1000), "hello");
  EXPECT_FALSE(receiveMessage(ends[1], 10));
  close(ends[0]);
  EXPECT_FALSE(receiveMessage(ends[1], -1));
  EXPECT_FALSE(sendMessage(ends[1], "anybody"));
  close(ends[1]);
}
} // namespace

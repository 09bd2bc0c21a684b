//===- EmulatorTest.cpp - what the emulator finds -------------------------------------------------------===//
//
// What: small kernels in C++ that call the emulated machine as compiled code does, each with one defect, and
// the same without it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emulate/Emulator.h"
#include "backends/cuda/emulate/Functions.h"
#include "core/support/Outcome.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <vector>

using namespace trisect;
using namespace trisect::cuda;

namespace {

template <class F> F *machine(const char *name) { return reinterpret_cast<F *>(emulatorFunction(name)); }
uint32_t thread(void *context) { return machine<uint32_t(void *)>("threadId")(context); }
uint32_t block(void *context) { return machine<uint32_t(void *, uint32_t)>("blockId")(context, 0); }
void barrier(void *context, uint32_t site) { machine<void(void *, uint32_t)>("barrier")(context, site); }
void put(void *context, uint32_t address, uint32_t value) {
  machine<void(void *, uint32_t, uint32_t, uint32_t, void *)>("storeShared")(context, address, 4, 1, &value);
}
uint32_t get(void *context, uint32_t address) {
  uint32_t value = 0;
  machine<void(void *, uint32_t, uint32_t, uint32_t, void *)>("loadShared")(context, address, 4, 1, &value);
  return value;
}
uint32_t butterfly(void *context, uint32_t value, uint32_t distance) {
  constexpr uint32_t kind = 2;
  return machine<uint32_t(void *, uint32_t, uint32_t, uint32_t, uint32_t)>("shuffle")(context, 7, kind, value,
                                                                                      distance);
}

/// Runs one program of 64 threads under several orders; the text of the error, or nothing.
std::string errorOf(HostEntry entry, uint64_t seed = 0, std::vector<uint32_t> *out = nullptr,
                    int32_t grid = 1, GlobalMemory *memory = nullptr) {
  EmulatorOptions options;
  options.warps = 2;
  options.sharedBytes = 1024;
  options.seed = seed;
  options.memory = memory;
  uint64_t arguments[1] = {out ? reinterpret_cast<uint64_t>(out->data()) : 0};
  LaunchWords launch;
  launch.grid[0] = grid;
  try {
    Emulator(entry, options, arguments, launch).run();
  } catch (const EngineError &error) {
    return error.what();
  }
  return {};
}

/// With `out` as the only tensor.
std::string watchedError(HostEntry entry, uint64_t seed, std::vector<uint32_t> &out) {
  TensorView view{0, "out", reinterpret_cast<uint64_t>(out.data()), DType::I32, {int64_t(out.size())}, {1}};
  GlobalMemory memory({&view, 1});
  return errorOf(entry, seed, &out, 1, &memory);
}

std::string everyError(HostEntry entry, std::vector<uint32_t> *out = nullptr) {
  std::string all;
  for (uint64_t seed = 0; seed < 8; ++seed)
    all += errorOf(entry, seed, out);
  return all;
}

uint32_t *outOf(const uint64_t *arguments) { return reinterpret_cast<uint32_t *>(arguments[0]); }

void reverseThroughShared(void *context, const uint64_t *arguments, const LaunchWords *) {
  uint32_t id = thread(context);
  put(context, 4 * id, id);
  barrier(context, 1);
  outOf(arguments)[id] = get(context, 4 * (63 - id));
}

void reverseWithoutBarrier(void *context, const uint64_t *arguments, const LaunchWords *) {
  uint32_t id = thread(context);
  put(context, 4 * id, id);
  outOf(arguments)[id] = get(context, 4 * (63 - id));
}

TEST(Emulator, ThreadsMeetAtABarrier) {
  std::vector<uint32_t> out(64);
  EXPECT_EQ(everyError(reverseThroughShared, &out), "");
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], 63 - i);
}

TEST(Emulator, FindsAReadThatNoBarrierOrders) {
  std::vector<uint32_t> out(64);
  for (uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_NE(errorOf(reverseWithoutBarrier, seed, &out).find("race on byte"), std::string::npos) << seed;
}

void writeAfterRead(void *context, const uint64_t *arguments, const LaunchWords *) {
  uint32_t id = thread(context);
  put(context, 4 * id, id);
  barrier(context, 1);
  outOf(arguments)[id] = get(context, 4 * (63 - id));
  put(context, 4 * id, 0); // another thread has still to read it
}

TEST(Emulator, FindsAWriteOfWhatOthersHaveStillToRead) {
  std::vector<uint32_t> out(64);
  for (uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_NE(errorOf(writeAfterRead, seed, &out).find("race on byte"), std::string::npos) << seed;
}

TEST(Emulator, FindsABarrierThatOneThreadDoesNotMeet) {
  std::string error = errorOf([](void *context, const uint64_t *, const LaunchWords *) {
    if (thread(context) != 5)
      barrier(context, 1);
  });
  EXPECT_NE(error.find("barrier"), std::string::npos) << error;
}

TEST(Emulator, FindsDifferentBarriers) {
  std::string error = errorOf([](void *context, const uint64_t *, const LaunchWords *) {
    barrier(context, thread(context) < 32 ? 1 : 2);
  });
  EXPECT_NE(error.find("different barriers"), std::string::npos) << error;
}

TEST(Emulator, FindsAShuffleFromALaneThatIsNotThere) {
  std::string error = errorOf([](void *context, const uint64_t *, const LaunchWords *) {
    if (thread(context) % 32 != 3)
      butterfly(context, 1, 1);
  });
  EXPECT_NE(error.find("lane"), std::string::npos) << error;
}

TEST(Emulator, ShufflesWithinTheWarp) {
  std::vector<uint32_t> out(64);
  HostEntry entry = [](void *context, const uint64_t *arguments, const LaunchWords *) {
    uint32_t sum = thread(context);
    for (uint32_t distance = 1; distance < 32; distance *= 2)
      sum += butterfly(context, sum, distance);
    outOf(arguments)[thread(context)] = sum;
  };
  EXPECT_EQ(everyError(entry, &out), "");
  EXPECT_EQ(out[3], 31u * 32 / 2);
  EXPECT_EQ(out[40], 31u * 32 / 2 + 32 * 32);
}

TEST(Emulator, FindsAnAccessOutsideSharedMemory) {
  std::string error =
      errorOf([](void *context, const uint64_t *, const LaunchWords *) { put(context, 1024, 1); });
  EXPECT_NE(error.find("at byte 1024 of 1024"), std::string::npos) << error;
}

TEST(Emulator, FindsAMisalignedAccess) {
  std::string error =
      errorOf([](void *context, const uint64_t *, const LaunchWords *) { put(context, 2, 1); });
  EXPECT_NE(error.find("not aligned"), std::string::npos) << error;
}

// Program 1 waits for what program 0 writes last: both have to run side by side.
TEST(Emulator, ProgramsWaitForEachOther) {
  std::vector<uint32_t> out(4);
  HostEntry entry = [](void *context, const uint64_t *arguments, const LaunchWords *) {
    auto load = machine<uint64_t(void *, uint64_t, uint32_t, uint32_t)>("atomicLoad");
    auto store = machine<void(void *, uint64_t, uint32_t, uint64_t, uint32_t)>("atomicStore");
    uint64_t flag = arguments[0];
    if (block(context) == 1) {
      if (thread(context) == 0)
        store(context, flag, 4, 1, 1);
    } else {
      while (load(context, flag, 4, 1) != 1) {
      }
    }
  };
  for (uint64_t seed = 0; seed < 4; ++seed) {
    out[0] = 0;
    EXPECT_EQ(errorOf(entry, seed, &out, 2), "");
  }
}

enum class Leave : uint8_t { Nothing, BeforeRelease, AfterAcquire };

/// All threads store, the first one releases and acquires by a flag, all threads load.
template <Leave leave> void handOver(void *context, const uint64_t *arguments, const LaunchWords *) {
  auto next = machine<void(void *)>("nextOperation");
  auto order = machine<void(void *, uint32_t, uint32_t, uint32_t)>("order");
  auto store = machine<void(void *, uint64_t, uint32_t, uint32_t, const void *)>("storeGlobal");
  auto load = machine<void(void *, uint64_t, uint32_t, uint32_t, void *)>("loadGlobal");
  auto swap = machine<uint64_t(void *, uint64_t, uint32_t, uint64_t, uint64_t, uint32_t)>("atomicCas");
  uint32_t id = thread(context), value = id, first = id == 0;
  next(context);
  store(context, arguments[0] + 4 * id, 4, 1, &value);
  if (leave != Leave::BeforeRelease)
    barrier(context, 1);
  next(context);
  order(context, 1, 1, first);
  swap(context, arguments[0] + 4 * 64, 4, 0, 1, first);
  if (leave != Leave::AfterAcquire)
    barrier(context, 2);
  next(context);
  load(context, arguments[0] + 4 * id, 4, 1, &value);
}

TEST(Emulator, TheBlockMeetsAroundReleaseAndAcquire) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<uint32_t> out(65);
    EXPECT_EQ(watchedError(handOver<Leave::Nothing>, seed, out), "");
    for (HostEntry wrong : {handOver<Leave::BeforeRelease>, handOver<Leave::AfterAcquire>}) {
      std::string error = watchedError(wrong, seed, out);
      EXPECT_NE(error.find("no barrier"), std::string::npos) << error;
    }
  }
}

/// Stores one element a thread, and loads that of another thread in the next operation.
void throughGlobal(void *context, const uint64_t *arguments, bool meet) {
  auto next = machine<void(void *)>("nextOperation");
  auto store = machine<void(void *, uint64_t, uint32_t, uint32_t, const void *)>("storeGlobal");
  auto load = machine<void(void *, uint64_t, uint32_t, uint32_t, void *)>("loadGlobal");
  uint32_t id = thread(context), value = id;
  next(context);
  store(context, arguments[0] + 4 * id, 4, 1, &value);
  if (meet)
    barrier(context, 1);
  next(context);
  load(context, arguments[0] + 4 * (63 - id), 4, 1, &value);
}

TEST(GlobalMemory, OperationsOfAProgramAreOrderedByBarriers) {
  std::vector<uint32_t> out(64);
  HostEntry unordered = [](void *context, const uint64_t *arguments, const LaunchWords *) {
    throughGlobal(context, arguments, false);
  };
  HostEntry ordered = [](void *context, const uint64_t *arguments, const LaunchWords *) {
    throughGlobal(context, arguments, true);
  };
  for (uint64_t seed = 0; seed < 8; ++seed) {
    EXPECT_NE(watchedError(unordered, seed, out).find("race on byte"), std::string::npos) << seed;
    EXPECT_EQ(watchedError(ordered, seed, out), "");
  }
}

TEST(GlobalMemory, AccessesLieInTensors) {
  std::vector<uint32_t> out(64);
  HostEntry behind = [](void *context, const uint64_t *arguments, const LaunchWords *) {
    uint32_t value = 0;
    auto load = machine<void(void *, uint64_t, uint32_t, uint32_t, void *)>("loadGlobal");
    load(context, arguments[0] + 4 * (thread(context) + 1), 4, 1, &value);
  };
  EXPECT_NE(watchedError(behind, 0, out).find("outside of every tensor"), std::string::npos);
}

TEST(GlobalMemory, CountsWhatIsReadAndWritten) {
  std::vector<uint32_t> out(4);
  TensorView view{0, "out", reinterpret_cast<uint64_t>(out.data()), DType::I32, {4}, {1}};
  GlobalMemory memory({&view, 1});
  using Access = GlobalMemory::Access;
  EXPECT_EQ(memory.touch(Access::Read, view.address + 4, 4, {}), std::nullopt);
  EXPECT_EQ(memory.touch(Access::Write, view.address + 8, 8, {}), std::nullopt);
  EXPECT_EQ(memory.touch(Access::Atomic, view.address + 12, 4, {}), std::nullopt);
  memory.changed(view.address + 12, 4);
  const GlobalMemory::Piece &piece = memory.pieces().at(0);
  EXPECT_EQ(std::vector<int>({piece.read[0], piece.read[4], piece.read[12]}), std::vector<int>({0, 1, 1}));
  EXPECT_EQ(std::vector<int>({int(piece.written[4]), int(piece.written[8]), int(piece.written[12])}),
            std::vector<int>({0, 1, 2}));
}

TEST(NvvmFunctions, RoundInTheirDirection) {
  auto call = [](const char *name, float x, float y) {
    return reinterpret_cast<float (*)(float, float)>(nvvmFunction(name))(x, y);
  };
  float tiny = 0x1p-30f;
  EXPECT_EQ(call("llvm.nvvm.add.rn.f", 1, tiny), 1);
  EXPECT_EQ(call("llvm.nvvm.add.rz.f", 1, tiny), 1);
  EXPECT_EQ(call("llvm.nvvm.add.rp.f", 1, tiny), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(call("llvm.nvvm.add.rm.f", 1, -tiny), std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(call("llvm.nvvm.div.rp.f", 1, 3), std::nextafter(1.0f / 3 - 0x1p-26f, 1.0f));
}

TEST(NvvmFunctions, ConversionsSaturate) {
  auto convert = reinterpret_cast<int32_t (*)(float)>(nvvmFunction("llvm.nvvm.f2i.rz"));
  EXPECT_EQ(convert(2.9f), 2);
  EXPECT_EQ(convert(-2.9f), -2);
  EXPECT_EQ(convert(1e20f), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(convert(-1e20f), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(convert(std::nanf("")), 0);
  EXPECT_EQ(nvvmFunction("llvm.nvvm.no.such"), nullptr);
}

} // namespace

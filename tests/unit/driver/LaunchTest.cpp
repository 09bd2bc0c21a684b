//===- LaunchTest.cpp - compiled kernels on the device of the test --------------------------------------===//
#include "backends/cuda/driver/Device.h"
#include "backends/cuda/launch/CudaDevice.h"
#include "backends/cuda/launch/KernelInfo.h"
#include "backends/cuda/launch/Records.h"
#include "core/support/Outcome.h"
#include "core/support/PrintSink.h"
#include "tests/unit/driver/FakeCuda.h"
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

using namespace trisect;
using namespace trisect::cuda;

namespace {
std::string printed;

template <class T> T valueOf(const std::vector<char> &bytes) {
  T value;
  EXPECT_EQ(bytes.size(), sizeof(value));
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

HiddenParameter hiddenOf(const fakecuda::Launch &launch) {
  return valueOf<HiddenParameter>(launch.parameters.back());
}

RecordSite assertion(std::vector<int64_t> shape) {
  RecordSite site;
  site.text = "all is well";
  site.position = {"kernel.py", 12, 3};
  site.operands = {{DType::I1, false, shape, !shape.empty()}};
  return site;
}

RecordSite print(DType type, bool isSigned, std::vector<int64_t> shape) {
  RecordSite site;
  site.kind = RecordSite::Kind::Print;
  site.text = " x: ";
  site.operands = {{type, isSigned, shape, !shape.empty()}};
  return site;
}

/// What blocks write into the buffer of their launch.
void record(const fakecuda::Launch &launch, const std::vector<Record> &records, bool stop) {
  auto *header = reinterpret_cast<RecordBuffer *>(hiddenOf(launch).record);
  ASSERT_NE(header, nullptr);
  auto *words = reinterpret_cast<uint32_t *>(header + 1);
  for (const Record &one : records) {
    ASSERT_LE(header->used + recordWords, header->capacity);
    std::memcpy(words + header->used, &one, sizeof(one));
    header->used += recordWords;
  }
  header->stop |= stop;
}

class CudaLaunchTest : public testing::Test {
protected:
  void SetUp() override {
    fakeUsage(32, 0, 0, 1024);
    fakeCapture(false);
    fakeKernel({}, {});
    printed.clear();
    setPrintSink([](std::string_view text) { printed += text; });
    take();
  }
  void TearDown() override {
    setPrintSink(nullptr);
    fakeKernel({}, {});
  }
  static fakecuda::Log take() {
    fakecuda::Log log;
    fakeTake(log);
    return log;
  }
  static std::unique_ptr<Executable> load(const KernelInfo &info, int device = 0) {
    auto artifact = std::make_shared<Artifact>();
    artifact->target = "cuda";
    artifact->kernel = artifact->symbol = "kernel";
    artifact->abi = cudaAbi;
    artifact->code = "image";
    artifact->resources.warps = 2;
    artifact->info = pack(info);
    return cudaDevice(device)->load(artifact);
  }
  static KernelInfo plain(size_t arguments) {
    return {std::vector<int8_t>(arguments, -1), false, false, {}, {}};
  }
  static LaunchRequest request(std::vector<ArgBits> &args, Grid grid) {
    LaunchRequest made;
    made.args = args;
    made.grid = grid;
    return made;
  }
};

TEST_F(CudaLaunchTest, ArgumentsAreOnePieceWhereTheDriverSaysTheirPlaces) {
  fakeKernel({8, 4, 2, 1, 4, 8, 4, 40}, {});
  std::vector<ArgBits> args = {0x123456789a, 77, 0xbeef, 1, 0xfffffff7, 0x987654321, 0xabcdef01};
  auto kernel = load(plain(args.size()));
  kernel->launch(request(args, {5, 70000, 3})); // three boxes
  fakecuda::Log log = take();
  EXPECT_EQ(log.absentParameters, 0); // a checker of the machine would report it as an error
  std::vector<fakecuda::Launch> launches = log.launches;
  ASSERT_GT(launches.size(), 1u);
  for (const fakecuda::Launch &made : launches) {
    EXPECT_TRUE(made.packed);
    for (size_t n = 0; n < args.size(); ++n) {
      uint64_t value = 0;
      std::memcpy(&value, made.parameters[n].data(), made.parameters[n].size());
      EXPECT_EQ(value, args[n]) << n;
    }
    EXPECT_EQ(hiddenOf(made).grid[1], 70000);
  }
  EXPECT_EQ(hiddenOf(launches[1]).firstYz[0], 65535);

  KernelInfo cooperative = plain(args.size());
  cooperative.cooperative = true;
  load(cooperative)->launch(request(args, {1, 1, 1}));
  EXPECT_FALSE(take().launches.at(0).packed);
  // More arguments than the code has parameters, or one of another size: nothing is known.
  fakeKernel({8, 16, 40}, {});
  args.resize(2);
  load(plain(2))->launch(request(args, {1, 1, 1}));
  EXPECT_FALSE(take().launches.at(0).packed);
}

TEST_F(CudaLaunchTest, ArgumentsGridAndHiddenParameter) {
  auto kernel = load(plain(3), 1);
  fakeKernel({8, 4, 2, 40}, {});
  std::vector<ArgBits> args = {0x123456789a, 77, 0xbeef};
  LaunchRequest launch = request(args, {5, 4, 3});
  launch.stream = reinterpret_cast<void *>(0x55);
  kernel->launch(launch);
  fakecuda::Log log = take();
  ASSERT_EQ(log.launches.size(), 1u);
  const fakecuda::Launch &made = log.launches[0];
  EXPECT_EQ(made.device, 1);
  EXPECT_EQ(made.stream, launch.stream);
  EXPECT_EQ(made.block[0], 64u);
  EXPECT_EQ(std::vector<unsigned>(made.grid, made.grid + 3), (std::vector<unsigned>{5, 4, 3}));
  EXPECT_EQ(valueOf<uint64_t>(made.parameters[0]), 0x123456789au);
  EXPECT_EQ(valueOf<uint32_t>(made.parameters[1]), 77u);
  EXPECT_EQ(valueOf<uint16_t>(made.parameters[2]), 0xbeefu);
  HiddenParameter hidden = hiddenOf(made);
  EXPECT_EQ(hidden.grid[0] * 100 + hidden.grid[1] * 10 + hidden.grid[2], 543);
  EXPECT_EQ(hidden.firstX | hidden.firstYz[0] | hidden.firstYz[1], 0);
  EXPECT_EQ(hidden.record, 0u);
}

TEST_F(CudaLaunchTest, TheKernelIsToldWhetherItsPointersAreApart) {
  KernelInfo info = plain(2);
  info.questions = {{0, 1, 0, 4096, 4096, 30, true}};
  auto kernel = load(info);
  fakeKernel({8, 8, 40}, {});
  uint64_t x = 1 << 20;
  auto told = [&](uint64_t y) {
    std::vector<ArgBits> args = {x, y};
    kernel->launch(request(args, {1, 1, 1}));
    return hiddenOf(take().launches.at(0)).apart;
  };
  EXPECT_EQ(told(x + 4096), 1u);
  EXPECT_EQ(told(x + 4092), 0u);
  EXPECT_EQ(told(x - 4), 0u);
  EXPECT_EQ(told(x), 1u) << "element by element the same";
}

/// The programs that launches run, by their number in the grid, in order; each launch fits the hardware.
std::vector<int64_t> programsOf(const fakecuda::Log &log) {
  std::vector<int64_t> programs;
  for (const fakecuda::Launch &launch : log.launches) {
    HiddenParameter hidden = hiddenOf(launch);
    EXPECT_LE(launch.grid[1], 65535u);
    EXPECT_LE(launch.grid[2], 65535u);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_LE((axis ? hidden.firstYz[axis - 1] : hidden.firstX) + int64_t(launch.grid[axis]),
                hidden.grid[axis]);
    for (int64_t z = 0; z < launch.grid[2]; ++z)
      for (int64_t y = 0; y < launch.grid[1]; ++y)
        for (int64_t x = 0; x < launch.grid[0]; ++x)
          programs.push_back((((z + hidden.firstYz[1]) * hidden.grid[1]) + y + hidden.firstYz[0]) *
                                 hidden.grid[0] +
                             x + hidden.firstX);
  }
  return programs;
}

std::vector<int64_t> numbers(int64_t first, int64_t count) {
  std::vector<int64_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

TEST_F(CudaLaunchTest, PartsOfAGrid) {
  auto kernel = load(plain(1));
  fakeKernel({8, 40}, {});
  std::vector<ArgBits> args = {1};
  LaunchRequest launch = request(args, {5, 4, 3});
  for (int64_t first = 0; first < 60; ++first)
    for (int64_t count = 0; first + count <= 60; ++count) {
      launch.part = ProgramRange{first, count};
      kernel->launch(launch);
      fakecuda::Log log = take();
      EXPECT_EQ(programsOf(log), numbers(first, count));
      EXPECT_LE(log.launches.size(), 5u);
    }
}

TEST_F(CudaLaunchTest, GridsThatHardwareDoesNotHave) {
  auto kernel = load(plain(1));
  fakeKernel({8, 40}, {});
  std::vector<ArgBits> args = {1};
  kernel->launch(request(args, {0, 1, 1}));
  EXPECT_TRUE(take().launches.empty());
  for (Grid grid : {Grid{2, 70000, 2}, Grid{1, 3, 70000}, Grid{3, 200000, 1}}) {
    kernel->launch(request(args, grid));
    EXPECT_EQ(programsOf(take()), numbers(0, int64_t(grid.x) * grid.y * grid.z));
  }
}

TEST_F(CudaLaunchTest, DescriptorsArePassedByTheirFields) {
  KernelInfo info = plain(2);
  info.descriptorRanks[0] = 2;
  auto kernel = load(info);
  fakeKernel({8, 8, 8, 8, 8, 4, 4, 40}, {});
  DescriptorArg descriptor{0xabc0, 2, 2, {10, 20}, {64, 1}};
  std::vector<ArgBits> args = {reinterpret_cast<uint64_t>(&descriptor), 5};
  kernel->launch(request(args, {1, 1, 1}));
  fakecuda::Log log = take();
  std::vector<uint64_t> fields;
  for (int i = 0; i < 5; ++i)
    fields.push_back(valueOf<uint64_t>(log.launches.at(0).parameters[static_cast<size_t>(i)]));
  EXPECT_EQ(fields, (std::vector<uint64_t>{0xabc0, 10, 20, 64, 1}));
  EXPECT_EQ(valueOf<int32_t>(log.launches[0].parameters[5]), 1); // padded with NaN
  EXPECT_EQ(valueOf<int32_t>(log.launches[0].parameters[6]), 5);
}

TEST_F(CudaLaunchTest, ManyArguments) {
  driver::Current current(0);
  for (size_t count : {0, 1, 62, 63, 64, 65, 200}) {
    auto kernel = load(plain(count));
    std::vector<int> sizes(count, 8);
    sizes.push_back(sizeof(HiddenParameter));
    fakeKernel(sizes, {});
    take();
    std::vector<ArgBits> args(count);
    for (size_t i = 0; i < args.size(); ++i)
      args[i] = i * i;
    kernel->launch(request(args, {3, 1, 1}));
    fakecuda::Log log = take();
    EXPECT_EQ(log.calls, std::vector<std::string>{"cuLaunchKernelEx"});
    for (size_t i = 0; i < args.size(); ++i)
      EXPECT_EQ(valueOf<uint64_t>(log.launches.at(0).parameters[i]), i * i);
    EXPECT_EQ(hiddenOf(log.launches.at(0)).grid[0], 3);
    args.push_back(0);
    EXPECT_THROW(kernel->launch(request(args, {1, 1, 1})), InvalidInput);
  }
}

TEST_F(CudaLaunchTest, AFailedAssertionIsAFaultOfTheLowestProgram) {
  KernelInfo info = plain(1);
  info.sites = {assertion({4, 16})};
  auto kernel = load(info);
  std::vector<ArgBits> args = {1};
  bool fails = true;
  fakeKernel({8, 40}, [&](const fakecuda::Launch &launch) {
    if (fails)
      record(launch, {{0, {7, 1, 0}, 3, 0, 0, 0}, {0, {2, 1, 0}, 40, 0, 0, 0}, {0, {2, 1, 0}, 25, 0, 0, 0}},
             true);
  });
  try {
    kernel->launch(request(args, {8, 2, 1}));
    FAIL();
  } catch (const KernelFault &fault) {
    EXPECT_EQ(fault.fault().kind, FaultKind::Assert);
    EXPECT_EQ(fault.fault().programId, (std::array<int32_t, 3>{2, 1, 0}));
    EXPECT_EQ(fault.fault().position.line, 12);
    EXPECT_NE(std::string(fault.what()).find("all is well at element (1,  9)"), std::string::npos)
        << fault.what();
  }
  // The next launch begins with an empty buffer.
  fails = false;
  EXPECT_NO_THROW(kernel->launch(request(args, {8, 2, 1})));
}

TEST_F(CudaLaunchTest, WhatACapturedLaunchRecordsIsToldByTheNext) {
  KernelInfo info = plain(1);
  info.sites = {assertion({})};
  auto kernel = load(info);
  std::vector<ArgBits> args = {1};
  fakeCapture(true);
  EXPECT_NO_THROW(kernel->launch(request(args, {1, 1, 1})));
  fakecuda::Log log = take();
  ASSERT_EQ(log.launches.size(), 1u);
  fakeCapture(false);
  // A graph that is replayed writes into the same buffer.
  fakeKernel({8, 40}, {});
  auto *buffer = reinterpret_cast<RecordBuffer *>(0);
  fakeKernel({8, 40}, [&](const fakecuda::Launch &launch) {
    buffer = reinterpret_cast<RecordBuffer *>(hiddenOf(launch).record);
  });
  kernel->launch(request(args, {1, 1, 1}));
  ASSERT_NE(buffer, nullptr);
  Record late{0, {0, 0, 0}, 0, 0, 0, 0};
  std::memcpy(buffer + 1, &late, sizeof(late));
  buffer->used = recordWords;
  buffer->stop = 1;
  EXPECT_THROW(kernel->launch(request(args, {1, 1, 1})), KernelFault);
}

TEST_F(CudaLaunchTest, PrintedValues) {
  KernelInfo info = plain(1);
  info.sites = {print(DType::I32, true, {2, 16}), print(DType::BF16, true, {}), print(DType::I8, false, {})};
  info.sites[2].hex = true;
  auto kernel = load(info);
  fakeKernel({8, 40}, [&](const fakecuda::Launch &launch) {
    record(launch,
           {{1, {1, 0, 0}, 0, 0, 0x3fc0, 0},
            {0, {0, 0, 0}, 17, 0, 0xffffffff, 0xffffffff},
            {0, {0, 0, 0}, 2, 0, 5, 0},
            {2, {1, 0, 0}, 0, 0, 0xab, 0}},
           false);
  });
  std::vector<ArgBits> args = {1};
  kernel->launch(request(args, {2, 1, 1}));
  EXPECT_EQ(printed, "pid (0, 0, 0) idx (0,  2) x: 5\n"
                     "pid (0, 0, 0) idx (1,  1) x: -1\n"
                     "pid (1, 0, 0) x: 1.500000\n"
                     "pid (1, 0, 0) x: 0xab\n");
}

TEST_F(CudaLaunchTest, WhatWasLostIsCounted) {
  std::vector<RecordSite> sites = {print(DType::I32, true, {})};
  EXPECT_EQ(printedText({}, sites, 3 * recordWords),
            "(the kernel prints more than its buffer holds; 3 values are left out)\n");
}

TEST_F(CudaLaunchTest, InfoTravelsAsBytes) {
  KernelInfo info = plain(2);
  info.descriptorRanks[1] = 3;
  info.cooperative = true;
  info.sites = {assertion({8}), print(DType::F64, false, {2, 4})};
  info.sites[0].text = "5 7 and\nmore ";
  info.questions = {{0, 0, -12, 64, 4096, 30, true}};
  std::string bytes = pack(info);
  KernelInfo back = unpackKernelInfo(bytes);
  EXPECT_EQ(pack(back), bytes);
  EXPECT_EQ(back.descriptorRanks, info.descriptorRanks);
  EXPECT_EQ(back.sites[0].text, info.sites[0].text);
  EXPECT_EQ(back.questions, info.questions);
  EXPECT_EQ(back.sites[1].operands[0].shape, (std::vector<int64_t>{2, 4}));
  for (size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_THROW(unpackKernelInfo(bytes.substr(0, cut)), InvalidInput) << cut;
  EXPECT_THROW(unpackKernelInfo(bytes + " "), InvalidInput);
  info.questions[0].later = 2;
  EXPECT_THROW(unpackKernelInfo(pack(info)), InvalidInput) << "there is no third argument";
}

TEST_F(CudaLaunchTest, DevicesAndTheirMemory) {
  EXPECT_EQ(cudaDevice(3), nullptr);
  EXPECT_EQ(cudaDevice(1)->name(), "cuda:1");
  auto wrong = std::make_shared<Artifact>();
  wrong->target = "cpu";
  EXPECT_THROW(cudaDevice(0)->load(wrong), InvalidInput);
  char byte = 0;
  EXPECT_THROW(cudaDevice(0)->memory().read(0x1000, &byte, 1), InvalidInput);
}
} // namespace

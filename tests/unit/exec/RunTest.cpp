//===- RunTest.cpp - launches: arguments, faults, interruption, order -----------------------------------===//
#include "interp/observe/Trace.h"
#include "interp/tools/SampleKernels.h"
#include "tests/unit/exec/ExecTest.h"
#include <chrono>
#include <set>
#include <thread>

namespace trisect::interp {
namespace {

const char *assertBelow = R"(
tt.func public @k(%n: i32) {
  %pid = tt.get_program_id x : i32
  %ok = arith.cmpi slt, %pid, %n : i32
  tt.assert %ok, "too far" : i1 loc("kernel.py":3:5)
  tt.return
})";

TEST_F(ExecTest, TheLowestFaultWins) {
  for (int round = 0; round < 20; ++round) {
    RunOptions options;
    options.threads = 2;
    try {
      launch(assertBelow, {100, 1, 1}, {37}, options);
      FAIL() << "no fault";
    } catch (const KernelFault &fault) {
      EXPECT_EQ(fault.fault().kind, FaultKind::Assert);
      EXPECT_EQ(fault.fault().programId[0], 37);
      EXPECT_EQ(fault.fault().position.str(), "kernel.py:3:5");
      EXPECT_EQ(fault.fault().kernel, "k");
    }
  }
}

TEST_F(ExecTest, RunsOnlyTheProgramsAskedFor) {
  std::vector<float> x(4096, 1), y(4096, 2), out(4096, 0);
  std::vector<int64_t> ids = {3, 1};
  RunOptions options;
  options.programs = ids;
  launch(vectorAdd, {4, 1, 1}, {at(x), at(y), at(out), 4096}, options);
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], (i / 1024) % 2 ? 3.0f : 0.0f);
  ids = {4};
  options.programs = ids;
  EXPECT_THROW(launch(vectorAdd, {4, 1, 1}, {at(x), at(y), at(out), 4096}, options), InvalidInput);
}

TEST_F(ExecTest, CountsItsArguments) {
  EXPECT_THROW(launch(assertBelow, {1, 1, 1}, {1, 2}), InvalidInput);
  EXPECT_THROW(launch(assertBelow, {-1, 1, 1}, {1}), InvalidInput);
  launch(assertBelow, {0, 1, 1}, {0});
}

TEST_F(ExecTest, AnEndlessLoopCanBeInterrupted) {
  std::atomic<bool> stop{false};
  RunOptions options;
  options.interrupt = &stop;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  auto started = std::chrono::steady_clock::now();
  EXPECT_THROW(launch(R"(
tt.func public @k(%step: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %far = arith.constant 4611686018427387904 : i64
  %r = scf.for %i = %first to %far step %one iter_args(%s = %c0) -> (i32) : i64 {
    %t = arith.addi %s, %c1 : i32
    scf.yield %t : i32
  }
  %bad = arith.cmpi slt, %r, %c0 : i32
  tt.assert %bad, "" : i1
  tt.return
})",
                      {1, 1, 1}, {0}, options),
               Interrupted);
  later.join();
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(5));
}

TEST_F(ExecTest, DeadlocksNameTheProgramsAndTheirLine) {
  std::vector<int32_t> flag(1, 0);
  for (std::optional<uint64_t> seed : {std::optional<uint64_t>(), std::optional<uint64_t>(11)}) {
    RunOptions options;
    options.seed = seed;
    try {
      // Program 1 waits for what nobody writes; program 0 and 2 end.
      launch(R"(
tt.func public @k(%flag: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  scf.while : () -> () {
    %now = tt.atomic_rmw add, acquire, gpu, %flag, %c0 : (!tt.ptr<i32>, i32) -> i32 loc("kernel.py":4:9)
    %unset = arith.cmpi eq, %now, %c0 : i32
    %mine = arith.cmpi eq, %pid, %c1 : i32
    %wait = arith.andi %unset, %mine : i1
    scf.condition(%wait)
  } do {
    scf.yield
  }
  tt.return
})",
             {3, 1, 1}, {at(flag)}, options);
      FAIL() << "no fault";
    } catch (const KernelFault &fault) {
      EXPECT_EQ(fault.fault().kind, FaultKind::Deadlock);
      EXPECT_EQ(fault.fault().programId[0], 1);
      EXPECT_EQ(fault.fault().position.str(), "kernel.py:4:9");
    }
  }
}

TEST_F(ExecTest, SeedsGiveDifferentOrdersThatRepeat) {
  // Each program takes a ticket: the order in which programs ran.
  const char *tickets = R"(
tt.func public @k(%next: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %t = tt.atomic_rmw add, relaxed, gpu, %next, %c1 : (!tt.ptr<i32>, i32) -> i32
  %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %p, %t : !tt.ptr<i32>
  tt.return
})";
  std::set<std::vector<int32_t>> orders;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<int32_t> first;
    for (int round = 0; round < 2; ++round) {
      std::vector<int32_t> next(1, 0), out(32, -1);
      RunOptions options;
      options.seed = seed;
      launch(tickets, {32, 1, 1}, {at(next), at(out)}, options);
      if (round)
        EXPECT_EQ(out, first);
      first = out;
    }
    EXPECT_EQ(std::set<int32_t>(first.begin(), first.end()).size(), 32u);
    orders.insert(first);
  }
  EXPECT_EQ(orders.size(), 8u);
}

TEST_F(ExecTest, TracesOneProgram) {
  std::vector<float> x(2048, 1), y(2048, 2), out(2048, 0);
  std::vector<std::string> lines;
  Trace trace(1, [&](const std::string &line) { lines.push_back(line); });
  RunOptions options;
  options.observer = &trace;
  launch(vectorAdd, {2, 1, 1}, {at(x), at(y), at(out), 2000}, options);
  auto found = std::find_if(lines.begin(), lines.end(), [](const std::string &line) {
    return line.find("arith.cmpi") != std::string::npos;
  });
  ASSERT_NE(found, lines.end());
  EXPECT_NE(found->find("i1[1024] [ True  True  True ... False False False]"), std::string::npos) << *found;
}

TEST_F(ExecTest, ProbesEveryIntermediateBlock) {
  std::vector<float> x(1024, 1), y(1024, 2), out(1024, 0);
  std::vector<std::pair<OpId, ProbedBlock>> blocks;
  // The instruction lives as long as the program, which launch() makes.
  Probe probe(0, [&](ProbedBlock block) {
    OpId op = block.instr->op;
    blocks.emplace_back(op, std::move(block));
  });
  RunOptions options;
  options.observer = &probe;
  launch(vectorAdd, {1, 1, 1}, {at(x), at(y), at(out), 1024}, options);
  auto found = std::find_if(blocks.begin(), blocks.end(),
                            [](const auto &each) { return each.first == OpId::arith_addf; });
  ASSERT_NE(found, blocks.end());
  ASSERT_EQ(found->second.data.size(), 4096u);
  EXPECT_EQ(reinterpret_cast<const float *>(found->second.data.data())[1023], 3.0f);
}

TEST_F(ExecTest, OverlayAcrossPages) {
  std::vector<uint8_t> memory(3 * 4096, 7);
  uint64_t start = reinterpret_cast<uint64_t>(memory.data()) + 100;
  Overlay overlay;
  std::vector<uint8_t> written(8000, 9), seen(9000);
  overlay.write({}, start, written.data(), 8000);
  overlay.read({}, start - 50, seen.data(), 9000);
  for (int i = 0; i < 9000; ++i)
    ASSERT_EQ(seen[i], i >= 50 && i < 8050 ? 9 : 7) << i;
  EXPECT_EQ(overlay.bytesWritten(), 8000);
  EXPECT_EQ(memory, std::vector<uint8_t>(3 * 4096, 7));
  int64_t visited = 0;
  overlay.forEachWrite([&](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
    for (size_t at = 0; at < bytes.size(); ++at)
      if (mask[at]) {
        EXPECT_EQ(bytes[at], 9);
        EXPECT_EQ(address + at, start + uint64_t(visited));
        ++visited;
      }
  });
  EXPECT_EQ(visited, 8000);
}

TEST_F(ExecTest, OverlayAsksItsReaderOncePerPage) {
  int asked = 0;
  uint8_t pages[2][Overlay::pageBytes];
  Overlay overlay([&](uint64_t address) {
    ++asked;
    uint8_t *page = pages[address / Overlay::pageBytes - 1];
    for (int64_t i = 0; i < Overlay::pageBytes; ++i)
      page[i] = uint8_t(i + 1);
    return page;
  });
  uint8_t two[2];
  overlay.read({}, 0x10ff, two, 1);
  overlay.read({}, 0x1ffd, two, 2);
  EXPECT_EQ(two[1], 0xff);
  EXPECT_EQ(asked, 1);
  overlay.write({}, 0x1fff, "\x05", 1);
  overlay.read({}, 0x1fff, two, 2);
  EXPECT_EQ(two[0], 5);
  EXPECT_EQ(two[1], 1);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(pages[0][0xfff], 0) << "what was written stays in the overlay";
  overlay.forEachPage([&](const Overlay::Touched &page) {
    bool first = page.address == 0x1000;
    EXPECT_EQ(page.before, pages[first ? 0 : 1]);
    EXPECT_EQ(page.now == page.before, !first);
    EXPECT_EQ(page.written == nullptr, !first);
  });
}

} // namespace
} // namespace trisect::interp

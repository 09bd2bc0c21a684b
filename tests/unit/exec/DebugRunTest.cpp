//===- DebugRunTest.cpp - stopping, stepping, going back ------------------------------------------------===//
#include "interp/observe/DebugRun.h"
#include "interp/shadow/ShadowRun.h"
#include "tests/unit/exec/ExecTest.h"

namespace trisect::interp {
namespace {

using Motion = DebugRun::Motion;
using Reason = DebugRun::Reason;

/// Marks as the front end makes them: `line(name value)`.
std::string mark(const std::string &function, int line, const std::string &names = "",
                 const std::string &operands = "", const std::string &kind = "line") {
  return "tt.print \"" + function + "\" {hex = false, isSigned = array<i32" +
         (operands.empty() ? "" : ": 0") + ">, tt.statement = {kind = \"" + kind + "\", names = \"" + names +
         "\", types = \"" + (names.empty() ? "" : "int32") + "\"}}" +
         (operands.empty() ? "" : " : " + operands) + " loc(\"k.py\":" + std::to_string(line) + ":1)\n";
}

/// out[pid] = 3 * (pid + 1), by a helper.
std::string kernel() {
  return "tt.func public @k(%out: !tt.ptr<i32>) {\n"
         "  %three = arith.constant 3 : i32\n" +
         mark("k", 1) + "  %pid = tt.get_program_id x : i32\n" + mark("k", 2, "pid", "%pid : i32") +
         "  %x = tt.call @f(%pid) : (i32) -> i32 loc(\"k.py\":2:9)\n" + mark("k", 3, "x", "%x : i32") +
         "  %y = arith.muli %x, %three : i32\n"
         "  %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32\n" +
         mark("k", 4, "y", "%y : i32") +
         "  tt.store %to, %y : !tt.ptr<i32>\n"
         "  tt.return\n}\n"
         "tt.func private @f(%v: i32) -> i32 {\n"
         "  %one = arith.constant 1 : i32\n" +
         mark("f", 10, "v", "%v : i32") + "  %r = arith.addi %v, %one : i32\n" +
         mark("f", 11, "r", "%r : i32", "breakpoint") + "  tt.return %r : i32\n}\n";
}

class DebugRunTest : public ExecTest {
protected:
  void open(const std::string &text, Grid grid = {3, 1, 1}) {
    auto module = tt::parseModule(text, "test.ttir", context);
    args = {address ? address : at(out)};
    view.name = "out";
    view.address = args[0];
    view.type = DType::I32;
    view.shape = {static_cast<int64_t>(out.size())};
    view.strides = {1};
    LaunchRequest request;
    request.grid = grid;
    request.args = args;
    request.tensors = {&view, 1};
    launched.emplace(
        decodeForDebugger(*module, ""), request, Numerics::Ieee, shadowing(sanitize), std::nullopt,
        [this](std::string_view line) { printed.emplace_back(line); }, std::move(device));
    launched->setBreakpoints({}, false);
  }

  int line() const { return launched->code().locations[launched->location()].position.line; }
  int64_t pid() const { return launched->current()->linear; }
  int64_t variable(const std::string &name) const {
    for (const Variable &each : launched->code().statements[launched->statement()].variables)
      if (each.name == name)
        return static_cast<int64_t>(launched->current()->values[each.slot].base);
    ADD_FAILURE() << "no variable " << name;
    return -1;
  }
  uint32_t statementAt(int wanted) const {
    const Program &code = launched->code();
    for (uint32_t n = 0; n < code.statements.size(); ++n)
      if (code.locations[code.statements[n].location].position.line == wanted)
        return n;
    ADD_FAILURE() << "no statement at line " << wanted;
    return 0;
  }
  void go(Motion motion, int toLine, int64_t toProgram) {
    EXPECT_EQ(launched->start(motion).reason, Reason::Statement);
    EXPECT_EQ(line(), toLine);
    EXPECT_EQ(pid(), toProgram);
  }

  SanitizeOptions sanitize;
  std::vector<int32_t> out = {0, 0, 0};
  uint64_t address = 0; ///< of the tensor; 0: of `out`
  DeviceMemory device;
  std::vector<ArgBits> args;
  TensorView view;
  std::vector<std::string> printed;
  std::optional<DebugRun> launched;
};

TEST_F(DebugRunTest, StepsIntoOverAndOut) {
  open(kernel());
  go(Motion::Into, 1, 0);
  go(Motion::Over, 2, 0);
  go(Motion::Into, 10, 0);
  EXPECT_EQ(launched->code().statements[launched->statement()].caller, statementAt(2));
  go(Motion::Over, 11, 0);
  EXPECT_EQ(variable("r"), 1);
  go(Motion::Out, 3, 0);
  go(Motion::Out, 1, 1);
  go(Motion::Over, 2, 1);
  go(Motion::Over, 3, 1);
  EXPECT_EQ(variable("x"), 2);
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Finished);
  EXPECT_EQ(out, std::vector<int32_t>({0, 0, 0}));
  launched->commit();
  EXPECT_EQ(out, std::vector<int32_t>({3, 6, 9}));
}

TEST_F(DebugRunTest, BreakpointsHaveProgramsAndCallsOfBreakpointCount) {
  open(kernel());
  launched->setBreakpoints({{7, statementAt(4), 1}, {8, noStatement, 2}}, true);
  auto event = launched->start(Motion::Continue);
  EXPECT_EQ(event.reason, Reason::Breakpoint);
  EXPECT_EQ(event.breakpoints, std::vector<int>{0});
  EXPECT_EQ(line(), 11);
  launched->setBreakpoints({{7, statementAt(4), 1}, {8, noStatement, 2}}, false);
  EXPECT_EQ(launched->start(Motion::Continue).breakpoints, std::vector<int>{7});
  EXPECT_EQ(pid(), 1);
  EXPECT_EQ(launched->start(Motion::Continue).breakpoints, std::vector<int>{8});
  EXPECT_EQ(line(), 1);
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Finished);
}

TEST_F(DebugRunTest, GoesBackToEveryStatement) {
  open(kernel());
  std::vector<std::pair<int, int64_t>> forward;
  while (launched->start(Motion::Into).reason == Reason::Statement)
    forward.emplace_back(line(), pid());
  ASSERT_EQ(forward.size(), 18u);
  uint64_t target = launched->before(Motion::Into);
  for (size_t n = forward.size(); n > 0; --n) {
    ASSERT_EQ(target, n);
    EXPECT_EQ(launched->startAgain(target, false).reason, Reason::Statement);
    EXPECT_EQ(std::make_pair(line(), pid()), forward[n - 1]);
    target = launched->before(Motion::Into);
  }
  EXPECT_EQ(target, 0u);
}

TEST_F(DebugRunTest, GoesBackOverAndOutOfCalls) {
  open(kernel());
  for (int n = 0; n < 5; ++n)
    launched->start(Motion::Into);
  EXPECT_EQ(line(), 3);
  EXPECT_EQ(launched->before(Motion::Over), 2u);
  EXPECT_EQ(launched->before(Motion::Into), 4u);
  launched->startAgain(4, false);
  EXPECT_EQ(line(), 11);
  EXPECT_EQ(launched->before(Motion::Out), 2u);
  EXPECT_EQ(launched->lastOf(0, statementAt(1)), 1u);
}

TEST_F(DebugRunTest, WatchedWritesStopWithinTheStatement) {
  open(kernel());
  launched->setWatches({{5, args[0] + 4, 4}});
  auto event = launched->start(Motion::Continue);
  ASSERT_EQ(event.reason, Reason::Watch);
  EXPECT_EQ(event.watch->id, 5);
  EXPECT_EQ(event.watch->before, 0u);
  EXPECT_EQ(event.watch->after, 6u);
  EXPECT_TRUE(launched->within());
  EXPECT_EQ(pid(), 1);
  launched->startAgain(launched->before(Motion::Into), false);
  EXPECT_FALSE(launched->within());
  EXPECT_EQ(line(), 4);
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Watch);
}

TEST_F(DebugRunTest, ProgramsCanBeChosenAndTheChoiceIsRepeated) {
  open(kernel());
  go(Motion::Into, 1, 0);
  ASSERT_TRUE(launched->choose(2));
  go(Motion::Into, 1, 2);
  go(Motion::Over, 2, 2);
  uint64_t there = launched->clock();
  ASSERT_TRUE(launched->choose(0));
  go(Motion::Over, 2, 0);
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Finished);
  EXPECT_FALSE(launched->choose(1));
  launched->startAgain(there, false);
  EXPECT_EQ(pid(), 2);
  EXPECT_EQ(line(), 2);
  launched->startAgain(there + 1, false);
  EXPECT_EQ(pid(), 0);
  EXPECT_EQ(line(), 2);
}

TEST_F(DebugRunTest, AnAccessOutsideAllTensorsIsAFault) {
  open(kernel(), {5, 1, 1});
  ASSERT_EQ(launched->start(Motion::Continue).reason, Reason::Fault);
  EXPECT_EQ(pid(), 3);
  EXPECT_EQ(launched->statement(), statementAt(4));
  try {
    std::rethrow_exception(launched->fault());
  } catch (const KernelFault &fault) {
    EXPECT_EQ(fault.fault().kind, FaultKind::OutOfBounds);
    EXPECT_NE(fault.fault().message.find("element [3]"), std::string::npos) << fault.fault().message;
  }
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Fault);
  launched->commit();
  EXPECT_EQ(out, std::vector<int32_t>({3, 6, 9}));
}

TEST_F(DebugRunTest, MemoryOfADeviceIsReadAndWrittenAsTheCallerSays) {
  address = uint64_t(1) << 60; // nothing of the process lies there
  int writes = 0;
  uint8_t page[Overlay::pageBytes] = {};
  auto read = [&](uint64_t from) {
    EXPECT_EQ(from, address);
    std::memcpy(page, out.data(), out.size() * sizeof(int32_t));
    return page;
  };
  auto mapped = [&](uint64_t from, int64_t bytes) {
    return from >= address && from + static_cast<uint64_t>(bytes) <= address + 12;
  };
  device = {std::make_unique<Overlay>(read, mapped), [&](const Overlay &overlay) {
              overlay.forEachWrite([&](uint64_t to, std::span<const uint8_t> bytes, auto mask) {
                ASSERT_EQ(to, address);
                for (size_t n = 0; n < bytes.size(); ++n)
                  if (mask[n])
                    reinterpret_cast<uint8_t *>(out.data())[n] = bytes[n];
                ++writes;
              });
            }};
  out = {7, 8, 9};
  open(kernel(), {2, 1, 1});
  launched->setBreakpoints({{1, statementAt(4), 1}}, false);
  ASSERT_EQ(launched->start(Motion::Continue).reason, Reason::Breakpoint);
  int32_t seen[3];
  launched->launchMemory().look(address, seen, sizeof(seen));
  EXPECT_EQ(std::vector<int32_t>(seen, seen + 3), std::vector<int32_t>({3, 8, 9}));
  EXPECT_EQ(out[0], 7) << "until the launch is over";
  launched->startAgain(launched->before(Motion::Continue), false);
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Breakpoint);
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Finished);
  launched->commit();
  EXPECT_EQ(writes, 1);
  EXPECT_EQ(out, std::vector<int32_t>({3, 6, 9}));
}

TEST_F(DebugRunTest, SanitizersStopAtTheirFindings) {
  sanitize.add(FaultKind::OutOfBounds);
  view.shape = {2}; // the third element is mapped, but not of the view
  out = {0, 0};
  out.reserve(4);
  open(kernel());
  ASSERT_EQ(launched->start(Motion::Continue).reason, Reason::Fault);
  EXPECT_EQ(pid(), 2);
  EXPECT_EQ(launched->statement(), statementAt(4));
  EXPECT_EQ(variable("y"), 9);
  launched->startAgain(launched->before(Motion::Into), false);
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Fault);
}

TEST_F(DebugRunTest, PauseStopsAnEndlessLoop) {
  open("tt.func public @k(%out: !tt.ptr<i32>) {\n  %one = arith.constant 1 : i64\n"
       "  cf.br ^loop(%one : i64)\n^loop(%i: i64):\n" +
       mark("k", 1) + "  %next = arith.addi %i, %one : i64\n  cf.br ^loop(%next : i64)\n}\n");
  EXPECT_EQ(launched->start(Motion::Continue).reason, Reason::Slice);
  launched->pause();
  EXPECT_EQ(launched->proceed().reason, Reason::Pause);
}

} // namespace
} // namespace trisect::interp

//===- TestPartTest.cpp - what a run test says of refusals ----------------------------------------------===//
#include "core/support/Outcome.h"
#include "interp/tools/RunTest.h"
#include "gtest/gtest.h"

using namespace trisect;
using namespace trisect::tools;

namespace {

TestPart part() {
  TestPart part;
  part.body = "tt.func public @k() { tt.return }";
  part.tiers = {"device"};
  part.runs.emplace_back();
  return part;
}

/// A tier whose assembler says `text` of every kernel; of none, if it is empty.
TestedTier assembler(const std::string &text) {
  TestedTier tier = interpreterTier();
  auto load = tier.load;
  tier.name = "device";
  tier.ways = {""};
  tier.mayRefuse = true;
  tier.load = [text, load](const TestLaunch &test) {
    if (!text.empty())
      throw AssemblerError("ptxas: " + text);
    return load(test);
  };
  return tier;
}

TEST(TestPart, AnAssemblerMayLackOnlyWhatThePartNames) {
  TestPart plain = part(), named = part();
  named.unassembled["device"] = "no such instruction";
  EXPECT_EQ(runTestPart(plain, assembler(""), 10).verdict, Verdict::Passed);
  EXPECT_EQ(runTestPart(plain, assembler("no such instruction"), 10).verdict, Verdict::Failed);
  CaseResult skipped = runTestPart(named, assembler("line 3: no such instruction here"), 10);
  EXPECT_EQ(skipped.verdict, Verdict::Skipped);
  EXPECT_EQ(skipped.message, "the assembler says: no such instruction");
  EXPECT_EQ(runTestPart(named, assembler("a syntax error"), 10).verdict, Verdict::Failed);
  // A device that has the instruction runs the part.
  EXPECT_EQ(runTestPart(named, assembler(""), 10).verdict, Verdict::Passed);
}

} // namespace

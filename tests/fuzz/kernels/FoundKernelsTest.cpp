//===- FoundKernelsTest.cpp - kernels that the fuzzer found --------------------------------------------===//
//
// What: each kernel of tests/fuzz/found-kernels on every machine level and in both forms, and in the emulator
// of tier 2. A comment atop each says what was wrong with it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/Targets.h"
#include "backends/target/Target.h"
#include "tests/fuzz/kernels/Session.h"
#include "tests/unit/Sanitizers.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using namespace trisect;

TEST(FoundKernelsTest, AreRight) {
  registerTargets();
  Target *cpu = TargetRegistry::find("cpu");
  ASSERT_TRUE(cpu);
  fuzz::Session session(*cpu, /*emulated=*/underTsan ? 0 : 100); // the emulator's fibres: Sanitizers.h
  int count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TRISECT_FUZZ_FOLDER "/found-kernels")) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    fuzz::Judgement judgement = session.runAll(fuzz::Case::read(text.str()));
    EXPECT_TRUE(judgement.ruling == fuzz::Ruling::Equal || judgement.ruling == fuzz::Ruling::Within)
        << entry.path() << ": " << fuzz::rulingName(judgement.ruling) << ": " << judgement.text;
    ++count;
  }
  EXPECT_GT(count, 0);
}

} // namespace

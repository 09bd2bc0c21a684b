//===- OptionsTest.cpp - the option table and its readers -----------------------------------------------===//
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

using namespace trisect;

namespace {
/// An environment variable for one test.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name); }

private:
  const char *name;
};

/// Removes what a test set in the process.
class OptionsTest : public testing::Test {
protected:
  void TearDown() override {
    for (const OptionInfo &row : optionTable())
      setOption(row.id, std::nullopt);
  }
};

std::string refusal(OptionId id, std::string_view text) {
  try {
    checkOption(id, text);
  } catch (const InvalidInput &error) {
    return error.what();
  }
  return "accepted";
}

TEST_F(OptionsTest, WhatHasNoEffectSaysSoOnce) {
  Variable asked("AMDGCN_ENABLE_DUMP", "1"), off("TRITON_ENABLE_LLVM_DEBUG", "0");
  testing::internal::CaptureStderr();
  checkEnvironment();
  checkEnvironment();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "trisect: AMDGCN_ENABLE_DUMP has no effect: there is no AMD target\n");
  Variable bad("TRITON_ENABLE_ASAN", "maybe");
  EXPECT_THROW(checkEnvironment(), InvalidInput);
}

TEST_F(OptionsTest, SpaceAroundAValueDoesNotCount) {
  Variable tier("TRISECT_TIER", " cpu\t"), threads("TRISECT_THREADS", "  ");
  EXPECT_EQ(optionText(OptionId::Tier), "cpu");
  EXPECT_EQ(optionInteger(OptionId::Threads), std::nullopt);
}

TEST_F(OptionsTest, AMachineIsACpuOrAGpu) {
  for (const char *good : {"sm90", "sm_90", "sm_90a", "sm120", "host", "znver4", "avx2"})
    EXPECT_EQ(refusal(OptionId::OverrideArch, good), "accepted") << good;
  for (const char *bad : {"foo", "sm", "sm_", "sma", "90", "gfx942"})
    EXPECT_EQ(refusal(OptionId::OverrideArch, bad).substr(0, 20), "TRITON_OVERRIDE_ARCH") << bad;
}

TEST_F(OptionsTest, EveryRowHasItsOwnNameAndAGoodDefault) {
  std::set<std::string_view> names;
  for (const OptionInfo &row : optionTable()) {
    EXPECT_TRUE(names.insert(row.variable).second) << row.variable << " twice";
    EXPECT_NO_THROW(checkOption(row.id, row.defaultText)) << row.variable;
    EXPECT_FALSE(row.help.empty()) << row.variable;
    EXPECT_EQ(optionFromVariable(row.variable), row.id);
  }
  EXPECT_EQ(optionFromVariable("TRISECT_TEIR"), std::nullopt);
}

TEST_F(OptionsTest, WhileOptionsAreHeldNoEpochEnds) {
  unsetenv("TRISECT_TIER");
  uint64_t before = optionEpoch(), changed = 0;
  {
    OptionsHeld held;
    EXPECT_EQ(optionEpoch(), before);
    Variable tier("TRISECT_TIER", "cpu");
    setOption(OptionId::Timeout, "5");
    EXPECT_EQ(optionEpoch(), before);
    {
      OptionsHeld inner;
      changed = optionEpoch();
      EXPECT_NE(changed, before);
    }
    EXPECT_EQ(optionEpoch(), changed);
    setOption(OptionId::Timeout, std::nullopt);
    EXPECT_EQ(optionEpoch(), changed);
  }
  EXPECT_NE(optionEpoch(), changed);
}

TEST_F(OptionsTest, TheEpochEndsWithEveryChange) {
  unsetenv("TRISECT_TIER");
  std::set<uint64_t> epochs;
  auto isNew = [&] { return epochs.insert(optionEpoch()).second && !epochs.insert(optionEpoch()).second; };
  EXPECT_TRUE(isNew());
  {
    Variable tier("TRISECT_TIER", "cpu");
    EXPECT_TRUE(isNew());
    setenv("TRISECT_TIER", "interp", 1);
    EXPECT_TRUE(isNew());
    Variable other("TRITON_INTERPRET", "1");
    EXPECT_TRUE(isNew());
  }
  EXPECT_TRUE(isNew());
  Variable unrelated("OTHER_TIER", "cpu");
  EXPECT_FALSE(isNew());
  setOption(OptionId::Tier, "interp");
  EXPECT_TRUE(isNew());
  setOption(OptionId::Tier, std::nullopt);
  EXPECT_TRUE(isNew());
  // The text of putenv is the caller's, who may write into it.
  static char own[] = "TRISECT_TIER=cpu";
  putenv(own);
  EXPECT_TRUE(isNew());
  own[sizeof(own) - 2] = 'U';
  EXPECT_TRUE(isNew());
  unsetenv("TRISECT_TIER");
  EXPECT_TRUE(isNew());
}

TEST_F(OptionsTest, TheEpochEndsWithEveryChangeOfALongEnvironment) {
  // Wherever the one that counts lies, at every place of a line, and however long the environment is.
  char **before = environ;
  constexpr size_t most = 40;
  alignas(64) std::array<char *, most + 8 + 2> array{};
  std::vector<std::string> texts;
  for (size_t n = 0; n < most; ++n)
    texts.push_back("OTHER_" + std::to_string(n) + "=1");
  std::string tier = "TRISECT_TIER=cpu", same = "OTHER_0=2";
  for (size_t begin = 0; begin < 8; ++begin)
    for (size_t count : {1, 7, 8, 9, 33, 40}) {
      environ = &array[begin];
      for (size_t n = 0; n < count; ++n)
        environ[n] = texts[n].data();
      environ[count] = nullptr;
      for (size_t at = 0; at < count; ++at) {
        uint64_t plain = optionEpoch();
        EXPECT_EQ(optionEpoch(), plain);
        environ[at] = same.data();
        EXPECT_EQ(optionEpoch(), plain);
        environ[at] = tier.data();
        uint64_t with = optionEpoch();
        EXPECT_NE(with, plain) << begin << ' ' << count << ' ' << at;
        EXPECT_EQ(optionEpoch(), with);
        environ[at] = texts[at].data();
        EXPECT_NE(optionEpoch(), with) << begin << ' ' << count << ' ' << at;
      }
      // One more at the end, and one that ends sooner.
      uint64_t plain = optionEpoch();
      environ[count] = tier.data();
      environ[count + 1] = nullptr;
      EXPECT_NE(optionEpoch(), plain) << begin << ' ' << count;
      environ[count] = nullptr;
      EXPECT_NE(optionEpoch(), plain) << begin << ' ' << count;
    }
  environ = before;
}

TEST_F(OptionsTest, DefaultsAndEnvironmentAndOverride) {
  unsetenv("TRISECT_TIER");
  EXPECT_EQ(optionText(OptionId::Tier), "auto");
  Variable tier("TRISECT_TIER", "cpu");
  EXPECT_EQ(optionText(OptionId::Tier), "cpu");
  setOption(OptionId::Tier, "interp");
  EXPECT_EQ(optionText(OptionId::Tier), "interp");
  setOption(OptionId::Tier, std::nullopt);
  EXPECT_EQ(optionText(OptionId::Tier), "cpu");
}

TEST_F(OptionsTest, EmptyMeansUnset) {
  Variable tier("TRISECT_TIER", "");
  EXPECT_EQ(optionText(OptionId::Tier), "auto");
  EXPECT_EQ(optionInteger(OptionId::Seed), std::nullopt);
}

TEST_F(OptionsTest, FlagsInAllSpellings) {
  for (const char *yes : {"1", "true", "YES", "On", "y"}) {
    Variable flag("TRITON_INTERPRET", yes);
    EXPECT_TRUE(optionFlag(OptionId::Interpret)) << yes;
  }
  for (const char *no : {"0", "False", "no", "OFF", "n", ""}) {
    Variable flag("TRITON_INTERPRET", no);
    EXPECT_FALSE(optionFlag(OptionId::Interpret)) << no;
  }
  EXPECT_TRUE(optionFlag(OptionId::DefaultFpFusion));
}

TEST_F(OptionsTest, RefusalsListTheGoodValues) {
  EXPECT_EQ(refusal(OptionId::Tier, "gpu"),
            "TRISECT_TIER='gpu' makes no sense: expected one of auto, interp, cpu, cuda");
  EXPECT_EQ(refusal(OptionId::Threads, "0"),
            "TRISECT_THREADS='0' makes no sense: expected a whole number from 1 to 4096");
  EXPECT_EQ(refusal(OptionId::Interpret, "maybe"),
            "TRITON_INTERPRET='maybe' makes no sense: expected 1, true, yes, on or 0, false, no, off");
  EXPECT_EQ(refusal(OptionId::MlirDiagnostics, "warnings,notes"),
            "MLIR_ENABLE_DIAGNOSTICS='warnings,notes' makes no sense: expected any of warnings, remarks, "
            "stacktraces, operations, joined by commas");
  for (const char *bad : {"7x", "-1", "9223372036854775808", "1.5", " 1"})
    EXPECT_NE(refusal(OptionId::Seed, bad), "accepted") << bad;
}

TEST_F(OptionsTest, ChoiceWithANumber) {
  Variable check("TRISECT_CHECK", "sample:12");
  EXPECT_EQ(optionChoice(OptionId::Check).word, "sample");
  EXPECT_EQ(optionChoice(OptionId::Check).number, 12);
  setOption(OptionId::Check, "always");
  EXPECT_EQ(optionChoice(OptionId::Check).word, "always");
  for (const char *bad : {"sample", "sample:", "sample:0", "sample:N", "always:2"})
    EXPECT_NE(refusal(OptionId::Check, bad), "accepted") << bad;
}

TEST_F(OptionsTest, ListsAreOneWordOrMembers) {
  Variable sanitize("TRISECT_SANITIZE", "race,out-of-bounds");
  EXPECT_EQ(optionList(OptionId::Sanitize), (std::vector<std::string>{"race", "out-of-bounds"}));
  setOption(OptionId::Sanitize, "all");
  EXPECT_EQ(optionList(OptionId::Sanitize), std::vector<std::string>{"all"});
  for (const char *bad : {"all,race", "races", "race,,assert", "race;assert"})
    EXPECT_NE(refusal(OptionId::Sanitize, bad), "accepted") << bad;
}

TEST_F(OptionsTest, SanitizersAreTheFaultKinds) {
  for (int kind = 0; kind <= static_cast<int>(FaultKind::NanOrigin); ++kind)
    EXPECT_EQ(refusal(OptionId::Sanitize, faultKindName(static_cast<FaultKind>(kind))), "accepted");
}

TEST_F(OptionsTest, CheckEnvironmentFindsABadValue) {
  EXPECT_NO_THROW(checkEnvironment());
  Variable threads("TRISECT_THREADS", "many");
  EXPECT_THROW(checkEnvironment(), InvalidInput);
  EXPECT_THROW(optionInteger(OptionId::Threads), InvalidInput);
  EXPECT_THROW(setOption(OptionId::Threads, "few"), InvalidInput);
}
} // namespace

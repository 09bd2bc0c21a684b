//===- LaunchOptionsTest.cpp - launch options, read and checked -----------------------------------------===//
#include "backends/cpu/CpuOptions.h"
#include "backends/cpu/dot/Tile.h"
#include "backends/cpu/orc/Machine.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace trisect;
using cpu::CpuOptions;

namespace {

std::string refusal(const OptionTexts &texts) {
  try {
    CpuOptions::read(texts);
  } catch (const InvalidInput &error) {
    return error.what();
  }
  return "";
}

TEST(LaunchOptions, HaveTheirDefaults) {
  CpuOptions options = CpuOptions::read({});
  EXPECT_EQ(options.num_warps, 4);
  EXPECT_EQ(options.maxnreg, std::nullopt);
  EXPECT_EQ(options.cluster_dims, (std::vector<int64_t>{1, 1, 1}));
  EXPECT_EQ(options.supported_fp8_dtypes.size(), 5u);
  EXPECT_EQ(options.threads(), 0u);
  EXPECT_TRUE(options.enable_fp_fusion);
  EXPECT_TRUE(options.tier.empty());
}

TEST(LaunchOptions, AreReadByType) {
  CpuOptions options = CpuOptions::read({{"num_warps", "8"},
                                         {"maxnreg", "64"},
                                         {"debug", "1"},
                                         {"extern_libs", "m=/lib/m.bc,n=/lib/n.bc"},
                                         {"vec_lib", "sleef"},
                                         {"num_threads", "3"},
                                         {"of another target", "x"}});
  EXPECT_EQ(options.num_warps, 8);
  EXPECT_EQ(options.maxnreg, 64);
  EXPECT_TRUE(options.debug);
  EXPECT_EQ(options.extern_libs[1], (std::pair<std::string, std::string>("n", "/lib/n.bc")));
  EXPECT_EQ(options.vec_lib, "sleef");
  EXPECT_EQ(options.threads(), 3u);
  EXPECT_EQ(CpuOptions::read({{"num_threads", "3"}, {"num_cpu_threads", "2"}}).threads(), 2u);
}

TEST(LaunchOptions, AWrongValueIsNamed) {
  EXPECT_EQ(refusal({{"num_warps", "3"}}), "num_warps must be a power of 2 from 1 to 1024, not '3'");
  EXPECT_EQ(refusal({{"num_warps", "0"}}), "num_warps must be a power of 2 from 1 to 1024, not '0'");
  EXPECT_EQ(refusal({{"num_stages", "-1"}}), "num_stages must be a whole number from 0 to 1024, not '-1'");
  EXPECT_EQ(refusal({{"num_threads", "two"}}),
            "num_threads must be a whole number from 0 to 4096, not 'two'");
  EXPECT_EQ(refusal({{"maxnreg", "0"}}), "maxnreg must be a whole number from 1 to 65536, not '0'");
  EXPECT_EQ(refusal({{"debug", "yes"}}), "debug must be 1 or 0, not 'yes'");
  EXPECT_EQ(refusal({{"extern_libs", "m"}}), "extern_libs must be pairs name=value, not 'm'");
  EXPECT_EQ(refusal({{"num_stages", "99999999999999999999"}}).substr(0, 10), "num_stages");
}

/// Gives each part of `a|b|c` to `use`.
template <class Use> void forEach(std::string_view values, Use use) {
  while (!values.empty()) {
    size_t end = std::min(values.find('|'), values.size());
    use(std::string(values.substr(0, end)));
    values.remove_prefix(std::min(end + 1, values.size()));
  }
}

TEST(LaunchOptions, TheMachinesThatAreListedAreThoseThatThereAre) {
  std::string_view listed;
  for (const OptionRow &row : CpuOptions::rows())
    if (row.name == "arch")
      listed = row.values;
  EXPECT_EQ(listed, info(OptionId::CpuIsa).values);
  EXPECT_EQ(listed, info(OptionId::OverrideArch).values);
  forEach(listed, [](const std::string &name) { EXPECT_NO_THROW(cpu::machineNamed(name)) << name; });
  EXPECT_THROW(cpu::machineNamed("pentium"), InvalidInput);
  EXPECT_NE(refusal({{"arch", "pentium"}}).find("znver4"), std::string::npos);
}

TEST(LaunchOptions, AMachineOfArmHasItsOwnTripleAndRegisters) {
  for (const char *name : {"aarch64", "neon"}) {
    cpu::Machine machine = cpu::machineNamed(name);
    EXPECT_TRUE(machine.triple.starts_with("aarch64-")) << machine.triple;
    EXPECT_EQ(machine.vectorBytes, 16U);
    EXPECT_TRUE(machine.hasManyRegisters());
#ifdef __x86_64__
    EXPECT_FALSE(cpu::runsHere(machine.describe()));
#endif
  }
  cpu::Tile tile = cpu::tileOf(cpu::machineNamed("aarch64"), 4, 64, 64);
  EXPECT_EQ(tile.rows * tile.vectors, 16); // of 32 registers, beside four of a row and one of a column
  EXPECT_TRUE(cpu::machineNamed("x86-64-v4").hasManyRegisters());
  EXPECT_FALSE(cpu::machineNamed("x86-64-v3").hasManyRegisters());
}

TEST(LaunchOptions, TheEnvironmentNamesTheMachine) {
  setOption(OptionId::OverrideArch, "avx2");
  EXPECT_EQ(cpu::machineNamed("").processor, "x86-64-v3");
  setOption(OptionId::CpuIsa, "v2");
  EXPECT_EQ(cpu::machineNamed("").processor, "x86-64-v2");
  EXPECT_EQ(cpu::machineNamed("avx512").processor, "x86-64-v4");
  setOption(OptionId::CpuIsa, std::nullopt);
  setOption(OptionId::OverrideArch, "sm90");
  EXPECT_EQ(cpu::machineNamed("").processor, cpu::hostMachine().processor);
  setOption(OptionId::OverrideArch, std::nullopt);
}

TEST(LaunchOptions, EveryDefaultIsAValueOfItsRow) {
  for (auto rows : {TargetOptions::rows(), CpuOptions::rows()})
    for (const OptionRow &row : rows) {
      if (!row.defaultText.starts_with("$"))
        EXPECT_EQ(refusal({{std::string(row.name), std::string(row.defaultText)}}), "") << row.name;
      EXPECT_FALSE(row.help.empty()) << row.name;
    }
}

} // namespace

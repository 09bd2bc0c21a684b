//===- CacheTest.cpp - kernels that were compiled in an earlier process ---------------------------------===//
//
// What: a second TieredKernel on the shelf of a first stands for a later process.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/Targets.h"
#include "core/support/Outcome.h"
#include "jit/cache/FolderShelf.h"
#include "tests/unit/jit/Arguments.h"
#include "tests/unit/jit/EchoTarget.h"
#include "tests/unit/jit/Folder.h"
#include <gtest/gtest.h>

using namespace trisect;
using namespace trisect::jit;

namespace {

constexpr int n = 1000;
constexpr Grid grid{4, 1, 1};

std::string textOf(const std::string &file) {
  std::ifstream stream(std::string(KERNELS) + "/" + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Cache : public testing::Test {
protected:
  Cache() {
    echoFlaws().after = nullptr;
    echoFlaws().inCompile = [] {};
    echoFlaws().compiles = echoFlaws().launches = 0;
    for (std::vector<float> *data : {&x, &y, &out})
      arguments.tensor(*data, {n});
    arguments.integer(n);
  }
  ~Cache() override { echoFlaws().after = nullptr; }

  std::shared_ptr<TieredKernel> open(const std::string &tier = "cpu", const std::string &source = "") {
    KernelOptions options;
    if (tier != "cpu")
      options["tier"] = tier;
    return TieredKernel::open(source.empty() ? text : source, text, "vector_add", options, tier,
                              std::make_shared<FolderShelf>(folder.path / "cache" / "kernel"));
  }
  static size_t count(const TieredKernel &kernel, Event::Kind kind) {
    std::vector<Event> events = kernel.events();
    return static_cast<size_t>(
        std::count_if(events.begin(), events.end(), [&](const Event &event) { return event.kind == kind; }));
  }
  void expectSum() {
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(out[i], x[i] + y[i]) << i;
    std::fill(out.begin(), out.end(), 0.0f);
  }
  std::vector<std::filesystem::path> forms() const {
    std::vector<std::filesystem::path> all;
    for (const auto &each : std::filesystem::directory_iterator(folder.path / "cache" / "kernel"))
      all.push_back(each.path());
    return all;
  }

  Folder folder;
  std::string text = textOf("vector_add.ttir");
  std::vector<float> x = ramp(n, 0.25f), y = ramp(n, 0.5f), out = std::vector<float>(n);
  Arguments arguments;
};

TEST_F(Cache, ALaterProcessNeitherCompilesNorComparesNorReadsTheModule) {
  auto first = open();
  launchUntilPromoted(*first, arguments.request(grid));
  expectSum();
  EXPECT_EQ(count(*first, Event::Kind::Compiled), 1u);
  auto later = open("cpu", "what nobody can read");
  later->launch(arguments.request(grid));
  expectSum();
  EXPECT_EQ(later->tier(), "cpu");
  ASSERT_EQ(later->events().size(), 1u) << later->events().back().text;
  EXPECT_EQ(later->events()[0].kind, Event::Kind::Loaded);
}

TEST_F(Cache, ALaunchOutsideOfWhatWasComparedIsComparedAndKeptToo) {
  launchUntilPromoted(*open(), arguments.request(grid));
  expectSum();
  Arguments few = arguments;
  few.bits[3] = 3;
  for (size_t compared : {1u, 0u}) {
    auto later = open();
    later->launch(few.request({1, 1, 1}));
    EXPECT_EQ(later->tier(), "cpu");
    EXPECT_EQ(count(*later, Event::Kind::Checked), compared);
    EXPECT_EQ(out[2], x[2] + y[2]);
    EXPECT_EQ(out[3], 0);
    std::fill(out.begin(), out.end(), 0.0f);
  }
}

TEST_F(Cache, WhatWasWithdrawnStaysSo) {
  echoFlaws().after = [](MemorySpace &memory, const LaunchRequest &request) {
    float wrong = 77;
    ProgramRange run = request.programs();
    if (run.first <= 1 && 1 < run.first + run.count)
      memory.write(request.args[2] + 4 * 300, &wrong, sizeof(wrong));
  };
  auto first = open("echo");
  first->launch(arguments.request(grid));
  expectSum();
  EXPECT_EQ(count(*first, Event::Kind::Withdrawn), 1u);
  echoFlaws().after = nullptr;
  echoFlaws().compiles = 0;
  auto later = open("echo");
  later->launch(arguments.request(grid));
  expectSum();
  EXPECT_EQ(later->tier(), "interp");
  EXPECT_EQ(echoFlaws().compiles, 0);
  EXPECT_NE(later->events().back().text.find("another process withdrew"), std::string::npos);
  With anew(OptionId::AlwaysCompile, "1");
  auto again = open("echo");
  again->launch(arguments.request(grid));
  EXPECT_EQ(echoFlaws().compiles, 1);
  EXPECT_EQ(again->tier(), "interp") << "the same code is as wrong as before";
}

TEST_F(Cache, WhatIsDamagedIsCompiledAnew) {
  launchUntilPromoted(*open(), arguments.request(grid));
  expectSum();
  ASSERT_EQ(forms().size(), 1u);
  std::filesystem::path form = forms()[0];
  uintmax_t whole = std::filesystem::file_size(form);
  for (int kind = 0; kind < 4; ++kind) {
    if (kind < 2)
      std::filesystem::resize_file(form, kind ? whole / 2 : 0);
    else if (kind == 2)
      std::ofstream(form) << "not ours";
    else {
      std::fstream file(form, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(whole / 3));
      file.put('\x55').put('\x55').put('\x55');
    }
    auto kernel = open();
    launchUntilPromoted(*kernel, arguments.request(grid));
    expectSum();
    EXPECT_EQ(count(*kernel, Event::Kind::Compiled), 1u) << kind;
    auto later = open();
    later->launch(arguments.request(grid));
    EXPECT_EQ(count(*later, Event::Kind::Loaded), 1u) << kind;
  }
}

TEST_F(Cache, OneWhoWantsToSeeTheCompilerSeesIt) {
  launchUntilPromoted(*open(), arguments.request(grid));
  With anew(OptionId::AlwaysCompile, "1");
  auto kernel = open();
  launchUntilPromoted(*kernel, arguments.request(grid));
  EXPECT_EQ(count(*kernel, Event::Kind::Compiled), 1u);
  EXPECT_EQ(count(*kernel, Event::Kind::Loaded), 0u);
}

/// The name under which a form of a kernel is kept.
struct Named {
  std::string text = "tt.func public @k() { tt.return }", kernel = "k", tier = "cpu", build = compilerBuild();
  KernelOptions options;
  Form form = Form::Any;
  std::string name() const {
    registerTargets();
    echoFlaws();
    return FormCache(nullptr, text, kernel, options, build).fileName(*TargetRegistry::find(tier), form);
  }
};

TEST(CacheKey, IsTheSameForTheSame) {
  EXPECT_EQ(Named().name(), Named().name());
  Named threads;
  threads.options["num_cpu_threads"] = "3";
  EXPECT_EQ(threads.name(), Named().name()) << "the code does not depend on it";
}
TEST(CacheKey, ChangesWithTheModule) {
  Named other;
  other.text += " ";
  EXPECT_NE(other.name(), Named().name());
}
TEST(CacheKey, ChangesWithTheMachine) {
  Named other;
  other.options["arch"] = "x86-64-v2";
  EXPECT_NE(other.name(), Named().name());
}
TEST(CacheKey, ChangesWithTheTier) {
  Named other;
  other.tier = "echo";
  EXPECT_NE(other.name(), Named().name());
}
TEST(CacheKey, ChangesWithTheForm) {
  Named other;
  other.form = Form::Disjoint;
  EXPECT_NE(other.name(), Named().name());
}
TEST(CacheKey, ChangesWithTheCompiler) {
  Named other;
  other.build = "another build";
  EXPECT_NE(other.name(), Named().name());
  EXPECT_FALSE(compilerBuild().empty());
}
TEST(CacheKey, ChangesWithCodeThatWasMadeBefore) {
  Named other;
  other.options["artifact"] = "some code";
  EXPECT_NE(other.name(), Named().name());
}
TEST(CacheKey, ChangesWithAnOption) {
  registerTargets();
  if (!TargetRegistry::find("cuda"))
    GTEST_SKIP() << "the options of the cpu target that change code are its machine";
  Named four, eight;
  four.tier = eight.tier = "cuda";
  four.options["num_warps"] = "4";
  eight.options["num_warps"] = "8";
  EXPECT_NE(four.name(), eight.name());
}

} // namespace

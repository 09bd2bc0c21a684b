//===- FolderShelfTest.cpp - files of forms, and what may befall them -----------------------------------===//
#include "jit/cache/FolderShelf.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "jit/cache/StoredForm.h"
#include "tests/unit/jit/Folder.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace trisect;
using namespace trisect::jit;

namespace {

StoredForm example() {
  StoredForm form;
  form.key = "key";
  form.form = Form::Disjoint;
  form.facts = {"add",
                {{"x", DType::Ptr, DType::F32, "!tt.ptr<f32>", false}},
                {false, true, true, true, false, true, {1}}};
  form.artifact.kernel = "add";
  form.artifact.code = "code";
  form.artifact.paths = {{"all lanes on", {"kernel.py", 14, 0}}};
  return form;
}

TrustRecord record(bool withdrawn, int16_t low) {
  return {objectName(example().artifact), withdrawn, {{low, 5}}, {0, 3}, "equal"};
}

TEST(StoredForm, ComesBackWithTheRecordsOfItsCode) {
  StoredForm form = example();
  form.records = {record(false, 1)};
  TrustRecord other = record(true, 1);
  other.object = "other code";
  StoredForm back = StoredForm::from(form.packed() + record(false, 2).packed() + other.packed());
  EXPECT_EQ(back.key, "key");
  EXPECT_EQ(back.form, Form::Disjoint);
  EXPECT_EQ(back.artifact, form.artifact);
  EXPECT_EQ(back.facts.name, "add");
  ASSERT_EQ(back.facts.parameters.size(), 1u);
  EXPECT_EQ(back.facts.parameters[0].spelling, "!tt.ptr<f32>");
  EXPECT_TRUE(back.facts.traits.addressesShow);
  EXPECT_TRUE(back.facts.traits.prints);
  EXPECT_TRUE(back.facts.traits.repeatable);
  EXPECT_TRUE(back.facts.traits.atomicLanes);
  EXPECT_EQ(back.facts.traits.onlyWritten, std::vector<uint32_t>{1});
  EXPECT_EQ(back.records, (std::vector{record(false, 1), record(false, 2)}));
}

TEST(StoredForm, AnyChangedOrMissingByteIsNoticed) {
  std::string bytes = example().packed();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] ^= 1;
    EXPECT_THROW(StoredForm::from(damaged), InvalidInput) << at;
    EXPECT_THROW(StoredForm::from(std::string_view(bytes).substr(0, at)), InvalidInput) << at;
  }
}

TEST(TrustRecord, AHalfWrittenOneHidesNoOther) {
  std::string first = record(false, 1).packed(), second = record(true, 2).packed();
  for (size_t cut = 0; cut < first.size(); ++cut)
    EXPECT_EQ(recordsIn(first.substr(0, cut) + second), std::vector{record(true, 2)}) << cut;
  for (size_t at = 0; at < first.size(); ++at) {
    std::string damaged = first;
    damaged[at] ^= 1;
    EXPECT_EQ(recordsIn(damaged + second), std::vector{record(true, 2)}) << at;
  }
}

TEST(FolderShelf, KeepsTheFirstUnlessItIsToBeReplaced) {
  Folder folder;
  FolderShelf shelf(folder.path / "deep" / "kernel");
  EXPECT_EQ(shelf.get("a.form"), std::nullopt);
  EXPECT_TRUE(shelf.put("a.form", "one", false));
  EXPECT_FALSE(shelf.put("a.form", "two", false));
  EXPECT_EQ(shelf.get("a.form"), "one");
  shelf.append("a.form", " more");
  EXPECT_EQ(shelf.get("a.form"), "one more");
  EXPECT_TRUE(shelf.put("a.form", "two", true));
  EXPECT_EQ(shelf.get("a.form"), "two");
  shelf.append("b.form", "nothing to add to");
  EXPECT_EQ(shelf.get("b.form"), std::nullopt);
}

TEST(FolderShelf, LeavesNothingElseBehind) {
  Folder folder;
  FolderShelf shelf(folder.path / "kernel");
  shelf.put("a.form", "one", false);
  shelf.put("a.form", "two", false);
  shelf.put("a.form", "three", true);
  int files = 0;
  for (const auto &each : std::filesystem::directory_iterator(folder.path / "kernel"))
    files += each.exists();
  EXPECT_EQ(files, 1);
}

TEST(FolderShelf, AFolderThatVanishesComesBack) {
  Folder folder;
  FolderShelf shelf(folder.path / "cache" / "kernel");
  shelf.put("a.form", "one", false);
  std::filesystem::remove_all(folder.path / "cache");
  EXPECT_EQ(shelf.get("a.form"), std::nullopt);
  shelf.append("a.form", "more");
  EXPECT_TRUE(shelf.put("a.form", "one", false));
  EXPECT_EQ(shelf.get("a.form"), "one");
}

TEST(FolderShelf, AFolderThatOthersRemoveAllTheTimeIsNotToldOf) {
  Folder folder;
  std::filesystem::path cache = folder.path / "cache";
  std::atomic<bool> over{false};
  std::thread other([&] {
    std::error_code ignored;
    while (!over)
      std::filesystem::remove_all(cache, ignored);
  });
  testing::internal::CaptureStderr();
  constexpr int rounds = 1000;
  for (int n = 0; n < rounds; ++n) {
    FolderShelf shelf(cache / std::to_string(n % 3));
    shelf.put("a.form", "one", n % 2);
    shelf.append("a.form", " more");
  }
  over = true;
  other.join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(FolderShelf, APlaceThatCannotBeMadeIsToldOfOnce) {
  Folder folder;
  std::filesystem::create_symlink(folder.path / "nowhere", folder.path / "cache");
  testing::internal::CaptureStderr();
  FolderShelf shelf(folder.path / "cache" / "kernel");
  shelf.put("a.form", "one", false);
  shelf.put("a.form", "one", true);
  std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("are not kept in"), std::string::npos) << told;
  EXPECT_EQ(std::ranges::count(told, '\n'), 1) << told;
}

TEST(FolderShelf, WhatDoesNotFitOnTheDiskReplacesNothing) {
  Folder folder;
  FolderShelf shelf(folder.path / "kernel");
  shelf.put("a.form", "one", false);
  auto before = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit had{};
  getrlimit(RLIMIT_FSIZE, &had);
  struct rlimit few = had;
  few.rlim_cur = 4;
  setrlimit(RLIMIT_FSIZE, &few);
  shelf.put("a.form", "a longer one", true);
  setrlimit(RLIMIT_FSIZE, &had);
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(shelf.get("a.form"), "one");
}

TEST(FolderShelf, ReadsNothingThatOthersCouldHaveWritten) {
  Folder folder;
  std::filesystem::path place = folder.path / "kernel";
  FolderShelf shelf(place);
  shelf.put("a.form", "one", false);
  chmod((place / "a.form").c_str(), 0666);
  EXPECT_EQ(shelf.get("a.form"), std::nullopt);
  chmod((place / "a.form").c_str(), 0644);
  EXPECT_EQ(shelf.get("a.form"), "one");
  chmod(place.c_str(), 0777);
  EXPECT_EQ(shelf.get("a.form"), std::nullopt);
  chmod(place.c_str(), 0755);
  chmod(folder.path.c_str(), 0777);
  EXPECT_EQ(shelf.get("a.form"), std::nullopt) << "the folder could be replaced";
  chmod(folder.path.c_str(), 01777);
  EXPECT_EQ(shelf.get("a.form"), "one");
  chmod(folder.path.c_str(), 0755);
  std::filesystem::rename(place / "a.form", place / "other");
  std::filesystem::create_symlink(place / "other", place / "a.form");
  EXPECT_EQ(shelf.get("a.form"), std::nullopt);
  std::filesystem::remove(place / "a.form");
  ASSERT_EQ(mkfifo((place / "a.form").c_str(), 0600), 0);
  EXPECT_EQ(shelf.get("a.form"), std::nullopt);
}

TEST(FolderShelf, ReadsNothingOfAStranger) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a folder away";
  Folder folder;
  FolderShelf shelf(folder.path / "kernel");
  shelf.put("a.form", "one", false);
  ASSERT_EQ(chown((folder.path / "kernel" / "a.form").c_str(), 12345, 12345), 0);
  EXPECT_EQ(shelf.get("a.form"), std::nullopt);
}

/// Bytes of the forms below a folder.
uintmax_t formsBelow(const std::filesystem::path &folder) {
  uintmax_t sum = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".form")
      sum += entry.file_size();
  return sum;
}

TEST(FolderShelf, TheLimitHoldsAfterEachForm) {
  Folder folder;
  setOption(OptionId::CacheMib, "1");
  for (int n = 0; n < 6; ++n) {
    FolderShelf(folder.path / ("kernel" + std::to_string(n))).put("a.form", std::string(400'000, 'x'), false);
    EXPECT_LE(formsBelow(folder.path), 1u << 20) << n;
  }
  EXPECT_EQ(formsBelow(folder.path), 800'000u);
  setOption(OptionId::CacheMib, "0");
  FolderShelf shelf(folder.path / "kernel");
  for (int n = 0; n < 3; ++n) {
    EXPECT_TRUE(shelf.put(std::to_string(n) + ".form", "form", false));
    EXPECT_EQ(formsBelow(folder.path), 0u) << n;
  }
  setOption(OptionId::CacheMib, std::nullopt);
}

TEST(FolderShelf, WhatManyThreadsAddIsAllThere) {
  Folder folder;
  FolderShelf shelf(folder.path / "kernel");
  constexpr int threads = 8, each = 25;
  shelf.put("a.form", "", false);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      for (int n = 0; n < each; ++n)
        shelf.append("a.form", record(t == 3 && n == 7, static_cast<int16_t>(t * each + n)).packed());
    });
  for (std::thread &thread : all)
    thread.join();
  std::vector<TrustRecord> records = recordsIn(shelf.get("a.form").value_or(""));
  EXPECT_EQ(records.size(), size_t(threads * each));
  EXPECT_EQ(std::count_if(records.begin(), records.end(), [](const auto &r) { return r.withdrawn; }), 1);
}

} // namespace

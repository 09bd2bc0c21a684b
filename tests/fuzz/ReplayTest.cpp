//===- ReplayTest.cpp - seeds, finds and past failures of the fuzzer ------------------------------------===//
#include "tests/fuzz/CheckTtir.h"
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace {
std::set<std::filesystem::path> inputs(const char *folder) {
  std::set<std::filesystem::path> files;
  for (const auto &entry :
       std::filesystem::directory_iterator(std::filesystem::path(TRISECT_FUZZ_FOLDER) / folder))
    files.insert(entry.path());
  return files;
}

void replay(const char *folder) {
  std::set<std::filesystem::path> files = inputs(folder);
  EXPECT_FALSE(files.empty()) << "no input in " << folder;
  for (const auto &file : files) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    auto started = std::chrono::steady_clock::now();
    auto problem = trisect::fuzz::checkTtir(text.str());
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    EXPECT_FALSE(problem) << file << ": " << *problem;
    EXPECT_LT(seconds.count(), 1.0) << file;
  }
}

TEST(FuzzReplayTest, Seeds) { replay("seeds"); }
TEST(FuzzReplayTest, PastFailures) { replay("corpus"); }
TEST(FuzzReplayTest, Found) { replay("found"); }
} // namespace

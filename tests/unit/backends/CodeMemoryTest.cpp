//===- CodeMemoryTest.cpp - memory of loaded kernels ----------------------------------------------------===//
#include "backends/cpu/orc/CodeMemory.h"
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

namespace trisect::cpu {
namespace {

int64_t distance(const void *a, const void *b) {
  return std::abs(reinterpret_cast<int64_t>(a) - reinterpret_cast<int64_t>(b));
}

// What a process maps between two kernels drives the next mapping away from the code that was mapped first.
TEST(CodeMemory, DataLiesWhereItsCodeReachesIt) {
  constexpr size_t page = 4096;
  char *code = codememory::take(page);
  ASSERT_NE(code, nullptr);
  // All gaps near the code are filled, the large ones first.
  std::vector<std::pair<void *, size_t>> mapped;
  bool isFar = false;
  for (size_t bytes = size_t(256) << 20; bytes >= 4 * page; bytes /= 4) {
    isFar = false;
    for (int n = 0; !isFar && n < 400; ++n) {
      void *made = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      ASSERT_NE(made, MAP_FAILED);
      mapped.emplace_back(made, bytes);
      isFar = distance(made, code) > INT64_C(0x7fffffff);
    }
  }
  EXPECT_TRUE(isFar);
  char *data = codememory::takeData(code, 3 * page);
  ASSERT_NE(data, nullptr);
  EXPECT_LT(distance(data, code), INT64_C(1) << 30);
  data[0] = data[3 * page - 1] = 1;
  munmap(data, 3 * page);
  for (auto [address, bytes] : mapped)
    munmap(address, bytes);
  codememory::give(code, page);
}

} // namespace
} // namespace trisect::cpu

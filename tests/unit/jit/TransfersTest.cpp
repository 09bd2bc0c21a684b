//===- TransfersTest.cpp - few copies from and to a device ----------------------------------------------===//
#include "jit/reference/Transfers.h"
#include "interp/memory/Overlay.h"
#include "jit/reference/PageReader.h"
#include "tests/unit/jit/EchoTarget.h"
#include <gtest/gtest.h>
#include <numeric>

namespace trisect::jit {

namespace {
constexpr uint64_t page = interp::Overlay::pageBytes;

/// Memory of a device that has no other allocation, from the first whole page in it on.
struct Transfers : ::testing::Test {
  EchoMemory memory;
  std::vector<uint8_t> host = std::vector<uint8_t>(40 * page);
  uint64_t begin = 0, first = 0;

  void SetUp() override {
    std::iota(host.begin(), host.end(), uint8_t(1));
    begin = memory.allocateCopy(host.data(), host.size());
    first = (begin + page - 1) / page * page;
    memory.copies = 0;
  }
  uint8_t expected(uint64_t address) const { return host[address - begin]; }
};
} // namespace

TEST_F(Transfers, NeighbouringPagesAreReadTogether) {
  std::vector<uint64_t> pages = {first, first + page, first + 2 * page, first + 5 * page, first + 6 * page};
  std::vector<size_t> seen;
  readEach(memory, pages, [&](size_t n, const uint8_t *bytes) {
    seen.push_back(n);
    EXPECT_EQ(bytes[0], expected(pages[n]));
    EXPECT_EQ(bytes[page - 1], expected(pages[n] + page - 1));
  });
  EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(memory.copies, 2);
}

TEST_F(Transfers, NeighbouringBytesAreWrittenTogether) {
  std::vector<uint8_t> bytes(100, 7);
  Writer writer(memory);
  for (uint64_t at : {0, 100, 200, 1000})
    writer.write(first + at, bytes.data(), bytes.size());
  writer.finish();
  EXPECT_EQ(memory.copies, 2);
  std::vector<uint8_t> found(1100);
  memory.read(first, found.data(), found.size());
  EXPECT_EQ(std::count(found.begin(), found.begin() + 300, 7), 300);
  EXPECT_EQ(found[300], expected(first + 300));
  EXPECT_EQ(found[1099], 7);
}

TEST_F(Transfers, AnOverlayReadsPiecesLargerThanAPage) {
  interp::Overlay overlay = overlayOver(memory);
  interp::AccessSite nobody;
  for (uint64_t at = 0; at < 30 * page; at += page) {
    uint8_t byte = 0;
    overlay.read(nobody, first + at, &byte, 1);
    EXPECT_EQ(byte, expected(first + at));
  }
  EXPECT_LE(memory.copies, 3);
}

} // namespace trisect::jit

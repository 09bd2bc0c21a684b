//===- UnwrittenTest.cpp - memory that nobody has written -----------------------------------------------===//
#include "interp/memory/Unwritten.h"
#include <gtest/gtest.h>

namespace trisect::interp {
namespace {

template <typename T> TensorView viewOf(std::vector<T> &data) {
  TensorView view;
  view.address = reinterpret_cast<uint64_t>(data.data());
  view.type = sizeof(T) == 1 ? DType::I8 : DType::F32;
  view.shape = {static_cast<int64_t>(data.size())};
  view.strides = {1};
  return view;
}

TEST(UnwrittenTest, RemembersWhatKernelsWrote) {
  std::vector<uint8_t> data(64, 0);
  TensorView view = viewOf(data);
  markUninitialized(view);
  auto known = unwrittenIn(view.address, view.address + 64);
  ASSERT_EQ(known.size(), 1u);
  EXPECT_TRUE(known[0]->any(view.address, 64, nullptr));
  known[0]->setWritten(view.address + 8, 1);
  EXPECT_FALSE(known[0]->any(view.address + 8, 1, nullptr));
  EXPECT_TRUE(known[0]->any(view.address + 9, 1, nullptr));
  forgetUninitialized(view.address, 1);
  EXPECT_TRUE(unwrittenIn(view.address, view.address + 64).empty());
}

TEST(UnwrittenTest, AWriteOfTheHostCounts) {
  std::vector<float> data(64, 0);
  TensorView view = viewOf(data);
  markUninitialized(view);
  auto known = unwrittenIn(view.address, view.address + 1);
  ASSERT_EQ(known.size(), 1u);
  for (float &each : data)
    each = 1;
  EXPECT_FALSE(known[0]->any(view.address, 256, nullptr));
  forgetUninitialized(view.address, 256);
}

TEST(UnwrittenTest, OverlappingMarksShareTheirMemory) {
  std::vector<float> data(64, 0);
  TensorView all = viewOf(data), part = all;
  part.shape = {16};
  markUninitialized(part);
  unwrittenIn(part.address, part.address + 4)[0]->setWritten(part.address, 4);
  TensorView tail = all;
  tail.address += 4 * 8;
  tail.shape = {56};
  markUninitialized(tail);
  auto known = unwrittenIn(all.address, all.address + 256);
  ASSERT_EQ(known.size(), 1u);
  EXPECT_FALSE(known[0]->any(all.address, 4, nullptr));
  EXPECT_TRUE(known[0]->any(all.address + 4, 4, nullptr));
  EXPECT_TRUE(known[0]->any(all.address + 252, 4, nullptr));
  forgetUninitialized(all.address, 256);
}

} // namespace
} // namespace trisect::interp

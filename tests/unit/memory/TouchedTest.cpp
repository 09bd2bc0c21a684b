//===- TouchedTest.cpp - elements that were read and written --------------------------------------------===//
#include "interp/memory/Touched.h"
#include <gtest/gtest.h>

namespace trisect::interp {
namespace {

Views viewsOf(std::vector<int64_t> shape, std::vector<int64_t> strides) {
  TensorView made;
  made.address = 4096;
  made.shape = std::move(shape);
  made.strides = std::move(strides);
  std::vector<TensorView> all = {made};
  return Views(all, false);
}

using Marks = std::vector<uint8_t>;

TEST(TouchedTest, RowsOfADenseTensor) {
  Views views = viewsOf({2, 4}, {4, 1});
  Touched touched(views);
  ASSERT_TRUE(touched.watches(0));
  EXPECT_EQ(touched.of(0), Marks(8, 0));
  touched.mark(0, 4096 + 4, 4, 4, 4, Touched::Read);
  touched.mark(0, 4096 + 16, 4, 4, 9, Touched::Written); // its end lies behind the tensor
  touched.mark(0, 4096 - 8, 4, 4, 2, Touched::Written);  // all of it lies before
  EXPECT_EQ(touched.of(0), (Marks{0, 1, 1, 1, 3, 2, 2, 2}));
}

TEST(TouchedTest, StepsAndPartsOfElements) {
  Views views = viewsOf({8}, {1});
  Touched touched(views);
  touched.mark(0, 4096, 8, 4, 3, Touched::Read);         // every other element
  touched.mark(0, 4096 + 13, 0, 1, 5, Touched::Read);    // one byte that all lanes read
  touched.mark(0, 4096 + 20, 8, 8, 1, Touched::Written); // twice as wide as an element
  EXPECT_EQ(touched.of(0), (Marks{1, 0, 1, 1, 1, 2, 2, 0}));
}

TEST(TouchedTest, ATransposedViewIsToldInItsOwnOrder) {
  Views views = viewsOf({3, 2}, {1, 4});
  Touched touched(views);
  touched.mark(0, 4096, 4, 4, 3, Touched::Read);
  touched.mark(0, 4096 + 20, 4, 4, 1, Touched::Written);
  EXPECT_EQ(touched.of(0), (Marks{1, 0, 1, 2, 1, 0}));
}

TEST(TouchedTest, LargeTensorsAreLeftOut) {
  Views large = viewsOf({65537}, {1}), far = viewsOf({2, 2}, {1 << 20, 1}), empty = viewsOf({0}, {1});
  for (const Views *views : {&large, &far, &empty}) {
    Touched touched(*views);
    EXPECT_FALSE(touched.watches(0));
    EXPECT_TRUE(touched.of(0).empty());
  }
}

} // namespace
} // namespace trisect::interp

//===- FormulaTest.cpp - numbers that follow from a launch ----------------------------------------------===//
#include "backends/target/Formula.h"
#include <gtest/gtest.h>
#include <limits>

namespace trisect {
namespace {

using Kind = FormulaStep::Kind;

constexpr ArgBits arguments[] = {0xdead0000beef, 1000, 0xfffffff6};

int64_t of(const Formula &formula) {
  LaunchRequest launch;
  launch.grid = {7, 5, 3};
  launch.args = arguments;
  return valueOf(formula, launch);
}

Formula pair(Kind kind, int64_t a, int64_t b) {
  return {{Kind::Constant, a}, {Kind::Constant, b}, {kind, 0}};
}

TEST(FormulaTest, LeavesAreConstantsArgumentsAndTheGrid) {
  EXPECT_EQ(of({{Kind::Constant, -4}}), -4);
  EXPECT_EQ(of({{Kind::Argument, 1}}), 1000);
  EXPECT_EQ(of({{Kind::Programs, 0}}), 7);
  EXPECT_EQ(of({{Kind::Programs, 1}}), 5);
  EXPECT_EQ(of({{Kind::Programs, 2}}), 3);
}

TEST(FormulaTest, NarrowArgumentsKeepTheirSign) {
  EXPECT_EQ(of({{Kind::Argument, 2}, {Kind::Extend, 32}}), -10);
  EXPECT_EQ(of({{Kind::Argument, 2}, {Kind::Extend, 64}}), 0xfffffff6);
}

TEST(FormulaTest, Arithmetic) {
  EXPECT_EQ(of(pair(Kind::Add, 7, -9)), -2);
  EXPECT_EQ(of(pair(Kind::Subtract, 7, 9)), -2);
  EXPECT_EQ(of(pair(Kind::Multiply, -7, 9)), -63);
  EXPECT_EQ(of(pair(Kind::Divide, -7, 2)), -3);
  EXPECT_EQ(of(pair(Kind::Least, -7, 2)), -7);
  EXPECT_EQ(of(pair(Kind::Greatest, -7, 2)), 2);
}

TEST(FormulaTest, NothingTraps) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(of(pair(Kind::Divide, 7, 0)), 0);
  EXPECT_EQ(of(pair(Kind::Divide, least, -1)), least);
  EXPECT_EQ(of(pair(Kind::Add, most, 1)), least);
  EXPECT_EQ(of(pair(Kind::Multiply, most, 2)), -2);
}

TEST(FormulaTest, WhatIsNoFormulaIsZero) {
  EXPECT_EQ(of({}), 0);
  EXPECT_EQ(of({{Kind::Add, 0}}), 0);
  EXPECT_EQ(of({{Kind::Constant, 1}, {Kind::Add, 0}}), 0);
  EXPECT_EQ(of({{Kind::Constant, 1}, {Kind::Constant, 1}}), 0);
  EXPECT_EQ(of({{Kind::Extend, 32}}), 0);
  EXPECT_EQ(of({{Kind::Argument, 3}}), 0);
  EXPECT_EQ(of({{Kind::Argument, -1}}), 0);
}

TEST(FormulaTest, TheStackIsAsDeepAsItSays) {
  for (size_t depth : {deepestFormula, deepestFormula + 1}) {
    Formula formula(depth, FormulaStep{Kind::Constant, 1});
    formula.insert(formula.end(), depth - 1, FormulaStep{Kind::Add, 0});
    EXPECT_EQ(of(formula), depth == deepestFormula ? int64_t(depth) : 0);
  }
}

} // namespace
} // namespace trisect

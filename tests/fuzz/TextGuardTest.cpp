//===- TextGuardTest.cpp - bounds on text before MLIR reads it ------------------------------------------===//
#include "core/ir/TextGuard.h"
#include "core/support/Outcome.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {
/// The first line of the refusal, or "accepted".
std::string verdict(std::string_view text) {
  try {
    tt::guardText({"m", text});
  } catch (const InvalidInput &error) {
    return std::string(error.what()).substr(0, std::string_view(error.what()).find('\n'));
  }
  return "accepted";
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i)
    text += part;
  return text;
}

TEST(TextGuardTest, OrdinaryTextPasses) {
  for (std::string_view text :
       {"", "%r:2 = \"tt.reduce\"(%x#1) : (tensor<16x32xbf16>) -> tensor<16xi64>", "llvm.intr.assume %c : i1",
        "%u = llvm.mlir.undef : i32", "\"gpu.barrier\"() : () -> ()",
        "{llvm.loop_annotation = #llvm.loop_annotation<licm = #llvm.loop_licm<disable = true>>}",
        "tt.elementwise_inline_asm \"llvm.x i99999 (((\" : i32", "// llvm.add ((((", "@llvm.add",
        "0x7FC00000", "\"unterminated", "\"escaped \\\" quote\"", "i", "%i999", "-> -> ->"})
    EXPECT_EQ(verdict(text), "accepted") << text;
}

TEST(TextGuardTest, DepthOfBrackets) {
  EXPECT_EQ(verdict(repeated("(", 200) + repeated(")", 200) + repeated("[", 200)), "accepted");
  EXPECT_EQ(verdict("\n" + repeated("{", 201)), "m:2:201: error: expected at most 200 levels of brackets");
}

TEST(TextGuardTest, ResultNumbers) {
  EXPECT_EQ(verdict("%r#65536"), "accepted");
  EXPECT_EQ(verdict("%r#65537"), "m:1:4: error: expected a result number of at most 65536");
  EXPECT_EQ(verdict("%r:99999999999999999999 = "), "m:1:4: error: expected a result number of at most 65536");
}

TEST(TextGuardTest, WidthsAndElements) {
  EXPECT_EQ(verdict("tensor<1024x1024xi128>"), "accepted");
  EXPECT_EQ(verdict("tensor<4xi129>"), "m:1:8: error: expected an integer type of at most 128 bits");
  EXPECT_EQ(verdict("x : ui4096"), "m:1:5: error: expected an integer type of at most 128 bits");
  EXPECT_EQ(verdict("tensor<65536x65536xf32>"),
            "m:1:8: error: expected a block of at most 2147483648 elements");
  EXPECT_EQ(verdict("tensor<99999999999999999999x2xf32>"),
            "m:1:8: error: expected a block of at most 2147483648 elements");
}

TEST(TextGuardTest, Arrays) {
  EXPECT_EQ(verdict("array<i32: 1, -2>, array<i1: true, false>, array<i64>, array = 3"), "accepted");
  EXPECT_EQ(verdict("array<i1: true, 0>"), "m:1:17: error: expected true or false");
  EXPECT_EQ(verdict("array<ui1: 1>"), "m:1:7: error: expected an array of i1, i8, i16, i32, i64, f32 or f64");
}

TEST(TextGuardTest, ValuesOfAnOperationsOwnRegion) {
  constexpr std::string_view refusal = "error: an operation before this uses a value of a region inside it";
  for (std::string_view text :
       {"scf.for %i = %a to %b step %c : i32 { %c = arith.constant 1 : i32 }", "scf.for %i = %a to %i { }",
        "scf.while (%x = %y) : (i32) -> i32 { %z = f } do { ^bb0(%y: i32): g }",
        "scf.if %c { scf.if %d { %c = f } }", "{ %x:2 = f %y {%y, %z = g} }",
        "tt.func @f(%x: i1) { scf.for %i = %x to %z iter_args(%z = %x) { } }",
        // The arguments of a call are not those of a function that follows.
        "%z = tt.call @f(%y) : (i32) -> i32 tt.func @g(%x: i32) { %y = f %x }",
        "tt.func @f(%x: i1) { tt.call @f(%y) ({ ^bb0(%u: i32): %y = f %u }) }"})
    EXPECT_NE(verdict(text).find(refusal), std::string::npos) << text;
  for (std::string_view text :
       {"tt.func @f(%x: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} { g %x { h %x } }",
        "%x = f tt.call @g(%x) tt.func private @f(%x: i32) { tt.call @g(%x) g %x { h %x } }",
        "%b = f scf.for %i = %b to %b { g %i } scf.for %i = %b to %b { g %i }",
        "cf.br ^a ^b: f %x ^a: %x = g {h %x}",
        "%r:2 = \"tt.reduce\"(%x, %y) ({ ^bb0(%a: f32, %b: f32): f %a, %b }) g %r#0, %r#1", "} } }",
        "%z = f g %c-1 {%c = f} cf.cond_br %c-1, ^a(%z : i1), ^b [^b(%z)] cf.br ^a(%z : i1) {g %z}"})
    EXPECT_EQ(verdict(text), "accepted") << text;
}

TEST(TextGuardTest, ValuesOfARegionBeside) {
  constexpr std::string_view refusal = "error: an operation before this uses a value of a region inside it";
  // What is wrong ends MLIR's reading before the brace of the function, or there is no such brace.
  for (std::string_view text :
       {"tt.func @f(%c: i1) { scf.if %c { f %s } else { %s = g wrong",
        "f %c { f %s } { %s = g wrong } %s = h",
        "tt.func @f(%c: i1) { f %c { f %c { f %s } } ({ ^bb0(%s: i32): g }", "f %c { f %s } f { f { %s = g",
        "tt.func @f(%c: i1) { f %c { f %s } %s = g ({ ^bb0(%s: i32, %s: i32): h"})
    EXPECT_NE(verdict(text).find(refusal), std::string::npos) << text;
  for (std::string_view text : {"tt.func @f(%c: i1) { f %c { %s = g %s } { %s = g %s } { f %s } %s = h }",
                                "f %c { %s = g } { f %s } cf.br ^a ^b: f %s ^a: %s = g",
                                "f %c { %s = g { f %s } tt.func @f() { %t = g } } %r = f { %t = g }"})
    EXPECT_EQ(verdict(text), "accepted") << text;
}

TEST(TextGuardTest, ForeignDialects) {
  EXPECT_EQ(verdict("llvm.add %x, %y : i32"), "m:1:1: error: 'llvm.add' is no part of TTIR");
  EXPECT_EQ(verdict("\"gpu.launch\" (%x)"), "m:1:1: error: 'gpu.launch' is no part of TTIR");
  EXPECT_EQ(verdict("%x : !llvm.ptr"), "m:1:6: error: '!llvm.ptr' is no part of TTIR");
}
} // namespace

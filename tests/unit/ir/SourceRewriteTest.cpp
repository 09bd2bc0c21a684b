//===- SourceRewriteTest.cpp - what is renamed in text, and what is left alone --------------------------===//
#include "core/ir/SourceRewrite.h"
#include <gtest/gtest.h>

using trisect::tt::rewriteSource;

namespace {

void expectRewrite(const std::string &before, const std::string &after) {
  std::optional<std::string> found = rewriteSource(before);
  ASSERT_TRUE(found) << before;
  EXPECT_EQ(*found, after);
  EXPECT_EQ(found->size(), before.size());
}

TEST(SourceRewrite, RenamesTheCustomForm) {
  expectRewrite("scf.for unsigned %i = %a to %b", "tt.ufor          %i = %a to %b");
  expectRewrite("llvm.intr.assume %c : i1", "tt.assume        %c : i1");
}

TEST(SourceRewrite, RenamesTheGenericFormByItsProperties) {
  expectRewrite("\"scf.for\"(%a) <{unsignedCmp}> ({", "\"tt.ufor\"(%a)                 ({");
  expectRewrite("\"tt.dot_scaled\"(%a) <{lhs_type = 0 : i32}>",
                "\"tt.scaled_dot\"(%a) <{lhs_type = 0 : i32}>");
  expectRewrite("\"llvm.intr.assume\"(%c)  <{op_bundle_sizes = array<i32>}>",
                "\"tt.assume\"       (%c)  <{op_bundle_sizes = array<i32>}>");
  expectRewrite("\"arith.trunci\"(%x) <{overflowFlags = #arith.overflow<none>}> :",
                "\"arith.trunci\"(%x)                                           :");
}

TEST(SourceRewrite, ReadsPropertiesAcrossLinesStringsAndSuccessors) {
  expectRewrite("\"scf.for\"(%a,\n  %b)[^bb1] <{x = \"}>\", unsignedCmp}>",
                "\"tt.ufor\"(%a,\n  %b)[^bb1]                          ");
}

TEST(SourceRewrite, LeavesEverythingElseAlone) {
  for (const char *text : {
           "",
           "scf.for %i = %a to %b",
           "scf.for %unsigned = %a to %b",
           "// scf.for unsigned",
           "tt.assert %c, \"scf.for unsigned\"",
           "tt.assert %c, \"\\\"scf.for unsigned\"",
           "@llvm.intr.assume",
           "%llvm.intr.assume",
           "x.llvm.intr.assume",
           "\"llvm.intr.assume\"(%c) : (i1) -> ()",
           "\"tt.dot_scaled\"(%a) <{a_elem_type = 0 : i32}>",
           "\"arith.trunci\"(%x) : (i64) -> i32",
           "\"scf.for\"(%a",
           "\"scf.for\"(%a) <{unsignedCmp",
           "\"scf.for\"(%a) <{unsignedCmp}",
           "\"scf.for",
           "scf.for",
       })
    EXPECT_FALSE(rewriteSource(text)) << text;
}

} // namespace

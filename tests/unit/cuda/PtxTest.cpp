//===- PtxTest.cpp - kernels as PTX that assembles ------------------------------------------------------===//
//
// What: small kernels through the whole way to PTX for sm_80 and sm_90, and through ptxas where there is one:
// no spills, no warnings, accesses as wide as they can be.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/Compile.h"
#include "backends/cuda/driver/Assembler.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Outcome.h"
#include "gtest/gtest.h"

using namespace trisect;
using namespace trisect::cuda;

namespace {

constexpr const char *addition = R"(
tt.func public @add(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32},
                    %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %size = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %size : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %starts = tt.splat %start : i32 -> tensor<1024xi32>
  %at = arith.addi %starts, %range : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %at, %ns : tensor<1024xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ap = tt.addptr %as, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %ap, %mask : tensor<1024x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %bp = tt.addptr %bs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %y = tt.load %bp, %mask : tensor<1024x!tt.ptr<f32>>
  %sum = arith.addf %x, %y : tensor<1024xf32>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %cp = tt.addptr %cs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %cp, %sum, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
})";

constexpr const char *largest = R"(
tt.func public @largest(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>) {
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %ps = tt.splat %in : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %p = tt.addptr %ps, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %p : tensor<1024x!tt.ptr<f32>>
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<1024xf32>) -> f32
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
})";

PtxKernel compile(const char *text, const char *kernel, unsigned capability) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = tt::parseModule(text, "test.ttir", context);
  PtxOptions options;
  options.capability = capability;
  return compileToPtx(*module, kernel, options);
}

size_t count(const std::string &text, const std::string &what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

class Ptx : public testing::TestWithParam<unsigned> {
protected:
  void assemble(const PtxKernel &kernel) const {
    auto assembler = driver::Assembler::find();
    if (!assembler)
      GTEST_SKIP() << "there is no ptxas here";
    driver::AssembleOptions options;
    options.architecture = GetParam() == 90 ? "sm_90a" : "sm_80";
    driver::Assembled made = assembler->assemble(kernel.ptx, options);
    EXPECT_EQ(made.report.spillStores + made.report.spillLoads, 0) << made.log;
    EXPECT_TRUE(made.report.warnings.empty()) << made.log;
  }
};

TEST_P(Ptx, AMaskedBlockMovesInVectors) {
  PtxKernel kernel = compile(addition, "add", GetParam());
  EXPECT_EQ(kernel.entry, "add");
  EXPECT_EQ(kernel.sharedBytes, 0);
  // 1024 elements over 128 threads: two vectors of four each.
  EXPECT_EQ(count(kernel.ptx, "ld.global.v4.b32"), 4u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "st.global.v4.b32"), 2u) << kernel.ptx;
  assemble(kernel);
}

TEST_P(Ptx, AReductionMeetsInSharedMemory) {
  PtxKernel kernel = compile(largest, "largest", GetParam());
  EXPECT_GE(kernel.sharedBytes, 4 * 4);
  EXPECT_EQ(count(kernel.ptx, "shfl.sync.bfly"), 5u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "bar.sync"), 1u) << kernel.ptx;
  assemble(kernel);
}

INSTANTIATE_TEST_SUITE_P(Capability, Ptx, testing::Values(80u, 90u));

TEST(PtxErrors, AnUnknownKernelIsNamed) { EXPECT_THROW(compile(largest, "nosuch", 90), InvalidInput); }

} // namespace

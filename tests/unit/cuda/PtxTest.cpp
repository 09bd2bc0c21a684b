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

constexpr const char *narrowed = R"(
tt.func public @narrowed(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  %three = arith.constant dense<3.0> : tensor<1024xf32>
  %half = arith.constant dense<0.5> : tensor<1024xf32>
  %at = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %xp : tensor<1024x!tt.ptr<f32>>
  %product = arith.mulf %v, %three : tensor<1024xf32>
  %sum = arith.addf %product, %half : tensor<1024xf32>
  %n = arith.truncf %sum : tensor<1024xf32> to tensor<1024xf16>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
  %yp = tt.addptr %ys, %at : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
  tt.store %yp, %n : tensor<1024x!tt.ptr<f16>>
  tt.return
})";

constexpr const char *fusedHalves = R"(
tt.func public @fused(%x: !tt.ptr<TYPE> {tt.divisibility = 16 : i32}) {
  %at = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<TYPE> -> tensor<1024x!tt.ptr<TYPE>>
  %xp = tt.addptr %xs, %at : tensor<1024x!tt.ptr<TYPE>>, tensor<1024xi32>
  %v = tt.load %xp : tensor<1024x!tt.ptr<TYPE>>
  %f = math.fma %v, %v, %v : tensor<1024xTYPE>
  tt.store %xp, %f : tensor<1024x!tt.ptr<TYPE>>
  tt.return
})";

/// Two blocks of packed elements with scales, as deep as DEPTH * 2.
constexpr const char *scaledProduct = R"(
tt.func public @scaled(%a: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32},
                       %s: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %ai = tt.make_range {end = BYTES : i32, start = 0 : i32} : tensor<BYTESxi32>
  %as = tt.splat %a : !tt.ptr<i8> -> tensor<BYTESx!tt.ptr<i8>>
  %ap = tt.addptr %as, %ai : tensor<BYTESx!tt.ptr<i8>>, tensor<BYTESxi32>
  %al = tt.load %ap : tensor<BYTESx!tt.ptr<i8>>
  %x = tt.reshape %al : tensor<BYTESxi8> -> tensor<64xDEPTHxi8>
  %bs = tt.splat %b : !tt.ptr<i8> -> tensor<BYTESx!tt.ptr<i8>>
  %bp = tt.addptr %bs, %ai : tensor<BYTESx!tt.ptr<i8>>, tensor<BYTESxi32>
  %bl = tt.load %bp : tensor<BYTESx!tt.ptr<i8>>
  %y = tt.reshape %bl : tensor<BYTESxi8> -> tensor<DEPTHx64xi8>
  %si = tt.make_range {end = SCALES : i32, start = 0 : i32} : tensor<SCALESxi32>
  %ss = tt.splat %s : !tt.ptr<i8> -> tensor<SCALESx!tt.ptr<i8>>
  %sp = tt.addptr %ss, %si : tensor<SCALESx!tt.ptr<i8>>, tensor<SCALESxi32>
  %sl = tt.load %sp : tensor<SCALESx!tt.ptr<i8>>
  %scale = tt.reshape %sl : tensor<SCALESxi8> -> tensor<64xGROUPSxi8>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tt.dot_scaled %x scale %scale, %y scale %scale, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<64xDEPTHxi8>, tensor<64xGROUPSxi8> * tensor<DEPTHx64xi8>, tensor<64xGROUPSxi8> -> tensor<64x64xf32>
  %r = tt.reshape %d : tensor<64x64xf32> -> tensor<4096xf32>
  %i = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
  %op = tt.addptr %os, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
  tt.store %op, %r : tensor<4096x!tt.ptr<f32>>
  tt.return
})";

std::string scaledProductOf(int bytesDeep) {
  std::string text = scaledProduct;
  for (auto [word, number] : {std::pair("BYTES", 64 * bytesDeep),
                              {"DEPTH", bytesDeep},
                              {"SCALES", 64 * bytesDeep / 16},
                              {"GROUPS", bytesDeep / 16}})
    for (size_t at; (at = text.find(word)) != std::string::npos;)
      text.replace(at, std::string_view(word).size(), std::to_string(number));
  return text;
}

PtxKernel compile(const char *text, const char *kernel, unsigned capability, bool fusion = true) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = tt::parseModule(text, "test.ttir", context);
  PtxOptions options;
  options.capability = capability;
  options.emit.fusion = fusion;
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
  // The second vector of an operand is the first one's address and a constant.
  EXPECT_EQ(count(kernel.ptx, "+2048]"), 3u) << kernel.ptx;
  assemble(kernel);
}

TEST_P(Ptx, AProgramIsItsBlockAndTheFirstOne) {
  PtxKernel kernel = compile(addition, "add", GetParam());
  EXPECT_EQ(count(kernel.ptx, "%ctaid"), 1u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "bra"), 0u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "rem."), 0u) << kernel.ptx;
}

TEST_P(Ptx, ProductsFeedSumsWhereFusionIsOn) {
  PtxKernel fused = compile(narrowed, "narrowed", GetParam());
  EXPECT_EQ(count(fused.ptx, "fma.rn.f32"), 8u) << fused.ptx;
  EXPECT_EQ(count(fused.ptx, "add.rn.f32"), 0u) << fused.ptx;
  PtxKernel apart = compile(narrowed, "narrowed", GetParam(), /*fusion=*/false);
  EXPECT_EQ(count(apart.ptx, "fma.rn.f32"), 0u) << apart.ptx;
  EXPECT_EQ(count(apart.ptx, "add.rn.f32"), 8u) << apart.ptx;
  assemble(fused);
}

// Through f32 they would round twice.
TEST_P(Ptx, FusedOperationsOnSixteenBitsAreTheMachines) {
  for (const char *type : {"f16", "bf16"}) {
    std::string text = fusedHalves;
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    PtxKernel kernel = compile(text.c_str(), "fused", GetParam());
    EXPECT_EQ(count(kernel.ptx, std::string("fma.rn.") + type), 8u);
    EXPECT_EQ(count(kernel.ptx, "fma.rn.f32"), 0u);
    assemble(kernel);
  }
}

TEST_P(Ptx, NarrowFloatsAreConvertedInPairs) {
  PtxKernel kernel = compile(narrowed, "narrowed", GetParam());
  EXPECT_EQ(count(kernel.ptx, "cvt.rn.f16x2.f32"), 4u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "cvt.rn.f16.f32"), 0u) << kernel.ptx;
}

TEST_P(Ptx, AReductionMeetsInSharedMemory) {
  PtxKernel kernel = compile(largest, "largest", GetParam());
  EXPECT_GE(kernel.sharedBytes, 4 * 4);
  EXPECT_EQ(count(kernel.ptx, "shfl.sync.bfly"), 5u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "bar.sync"), 1u) << kernel.ptx;
  assemble(kernel);
}

// A slice of K is widened and multiplied in a loop: what a product four times as deep has more are its loads
// and the stores of what they brought.
TEST_P(Ptx, AScaledProductDoesNotGrowWithItsDepth) {
  PtxKernel shallow = compile(scaledProductOf(64).c_str(), "scaled", GetParam());
  PtxKernel deep = compile(scaledProductOf(256).c_str(), "scaled", GetParam());
  EXPECT_LT(count(shallow.ptx, "\n"), 1500u);
  EXPECT_LT(count(deep.ptx, "\n"), count(shallow.ptx, "\n") + 500);
  EXPECT_EQ(count(deep.ptx, "fma.rn.f32"), count(shallow.ptx, "fma.rn.f32"));
  assemble(deep);
}

INSTANTIATE_TEST_SUITE_P(Capability, Ptx, testing::Values(80u, 90u));

constexpr const char *fours = R"(
tt.func public @fours(%in: !tt.ptr<f32>, %out: !tt.ptr<i32>) {
  %at = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %ins = tt.splat %in : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %inp = tt.addptr %ins, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %x = tt.load %inp : tensor<32x!tt.ptr<f32>>
  %r = tt.elementwise_inline_asm "{ .reg .b8 t; cvt.rn.satfinite.e2m1x2.f32 t, $1, $1; cvt.u32.u8 $0, t; }"
    {constraints = "=r,f", packed_element = 1 : i32, pure = true} %x : tensor<32xf32> -> tensor<32xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %outp = tt.addptr %outs, %at : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  tt.store %outp, %r : tensor<32x!tt.ptr<i32>>
  tt.return
})";

// LLVM knows GPUs up to sm_90; what later ones have comes through inline assembly.
TEST(PtxOfLaterGpus, HasTheInstructionsThatTheyHave) {
  auto assembler = driver::Assembler::find();
  if (!assembler)
    GTEST_SKIP() << "there is no ptxas here";
  for (unsigned capability : {100u, 120u})
    assembler->assemble(compile(fours, "fours", capability).ptx,
                        {.architecture = "sm_" + std::to_string(capability) + "a", .further = ""});
  EXPECT_THROW(
      assembler->assemble(compile(fours, "fours", 90).ptx, {.architecture = "sm_90a", .further = ""}),
      AssemblerError);
}

TEST(PtxErrors, AnUnknownKernelIsNamed) { EXPECT_THROW(compile(largest, "nosuch", 90), InvalidInput); }

} // namespace

//===- CodeGeneratorsTest.cpp - every generator of the table makes code ---------------------------------===//
#include "backends/common/CodeGenerators.h"
#include "core/support/Outcome.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace trisect;

namespace {
/// Assembly of a kernel that stores 7 at its argument, in the kernel calling convention `convention`.
std::string storeSeven(const MachineName &name, const std::string &convention) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString("define " + convention +
                                              " void @seven(ptr addrspace(1) %at) {\n"
                                              "  store i32 7, ptr addrspace(1) %at\n"
                                              "  ret void\n"
                                              "}\n",
                                          error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return emitAssembly(*module, *makeTargetMachine(name));
}

TEST(CodeGeneratorsTest, AllAreRegistered) {
  std::vector<std::string> names = codeGenerators();
  for (const char *name : {"amdgcn", "nvptx64"})
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
  for (const char *triple : {"x86_64-unknown-linux-gnu", "nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa"}) {
    std::string error;
    EXPECT_TRUE(llvm::TargetRegistry::lookupTarget(triple, error)) << error;
  }
}

TEST(CodeGeneratorsTest, Host) {
  initialize(CodeGenerator::Host);
  std::string text = storeSeven({"x86_64-unknown-linux-gnu", "x86-64-v3"}, "");
  EXPECT_NE(text.find("movl\t$7, (%rdi)"), text.npos) << text;
}

TEST(CodeGeneratorsTest, Aarch64) {
  initialize(CodeGenerator::Aarch64);
  EXPECT_TRUE(generatesFor("aarch64-unknown-linux-gnu"));
  EXPECT_FALSE(generatesFor("sparc-unknown-linux-gnu"));
  std::string text = storeSeven({"aarch64-unknown-linux-gnu", "generic", "+neon"}, "");
  EXPECT_NE(text.find("str\tw8, [x0]"), text.npos) << text;
}

TEST(CodeGeneratorsTest, Nvptx) {
  initialize(CodeGenerator::Nvptx);
  std::string text = storeSeven({"nvptx64-nvidia-cuda", "sm_90", "+ptx80"}, "ptx_kernel");
  for (const char *part : {".target sm_90", ".entry seven", "st.global.u32"})
    EXPECT_NE(text.find(part), text.npos) << part << " in:\n" << text;
}

TEST(CodeGeneratorsTest, Amdgpu) {
  initialize(CodeGenerator::Amdgpu);
  std::string text = storeSeven({"amdgcn-amd-amdhsa", "gfx942"}, "amdgpu_kernel");
  for (const char *part : {"gfx942", ".amdhsa_kernel seven", "global_store_dword", "s_endpgm"})
    EXPECT_NE(text.find(part), text.npos) << part << " in:\n" << text;
}

/// What is said of a function whose assembly asks for a register that no machine has.
std::string errorOf(const MachineName &name) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString("define i32 @wrong(i32 %x) {\n"
                                          "  %y = call i32 asm \"nop\", \"={nowhere},0\"(i32 %x)\n"
                                          "  ret i32 %y\n"
                                          "}\n",
                                          error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  try {
    emitAssembly(*module, *makeTargetMachine(name));
  } catch (const EngineError &thrown) {
    return thrown.what();
  }
  return "no error";
}

TEST(CodeGeneratorsTest, AnErrorOfABackEndIsThrown) {
  initialize(CodeGenerator::Host);
  initialize(CodeGenerator::Nvptx);
  for (const MachineName &name : {MachineName{"x86_64-unknown-linux-gnu", "x86-64-v3"},
                                  MachineName{"nvptx64-nvidia-cuda", "sm_90", "+ptx80"}}) {
    std::string text = errorOf(name);
    EXPECT_NE(text.find("LLVM cannot generate code for '" + std::string(name.triple) + "'"), text.npos)
        << text;
    EXPECT_NE(text.find("constraint"), text.npos) << text;
  }
}

TEST(CodeGeneratorsTest, WhatIsMissingIsUnsupported) {
  codeGenerators();
  for (MachineName name :
       {MachineName{"riscv64-unknown-linux-gnu"}, MachineName{"nvptx64-nvidia-cuda", "sm_9000"}})
    EXPECT_THROW(makeTargetMachine(name), Unsupported) << name.triple;
}
} // namespace

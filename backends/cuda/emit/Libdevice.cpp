//===- Libdevice.cpp - NVIDIA's library of device functions ---------------------------------------------===//
#include "backends/cuda/emit/Libdevice.h"
#include "core/support/Lasting.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include <filesystem>

using namespace llvm;
namespace fs = std::filesystem;

namespace trisect::cuda {

namespace {
constexpr const char *fileName = "libdevice.10.bc";

/// The file in a toolkit or in a package that is installed beside Python's.
std::string findInstalled() {
  std::error_code ignored;
  std::vector<fs::path> roots;
  for (OptionId toolkit : {OptionId::CudaHome, OptionId::CudaPath})
    if (std::string folder = optionText(toolkit); !folder.empty())
      roots.emplace_back(folder);
  roots.emplace_back("/usr/local/cuda");
  roots.emplace_back("/usr/lib/nvidia-cuda-toolkit");
  if (std::string environment = optionText(OptionId::VirtualEnv); !environment.empty())
    for (const auto &entry : fs::directory_iterator(fs::path(environment) / "lib", ignored))
      for (const auto &package : fs::directory_iterator(entry.path() / "site-packages/nvidia", ignored))
        roots.push_back(package.path());
  for (const fs::path &root : roots)
    for (const char *folder : {"nvvm/libdevice", "libdevice"})
      if (fs::path file = root / folder / fileName; fs::exists(file, ignored))
        return file.string();
  return {};
}

// Flags of __nvvm_reflect: subnormals are kept; divisions and roots round correctly.
void answerReflect(Module &module) {
  Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (User *user : make_early_inc_range(reflect->users())) {
    auto *call = cast<CallInst>(user);
    auto *text = dyn_cast<GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
    auto *data = text ? dyn_cast<ConstantDataArray>(text->getInitializer()) : nullptr;
    bool precise = data && data->getAsString().starts_with("__CUDA_PREC_");
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), precise));
    call->eraseFromParent();
  }
  reflect->eraseFromParent();
}
// The library counts on the machine, which clamps what is out of range; to LLVM it is undefined, of constants
// too.
void clampConversions(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    bool isSigned = isa<FPToSIInst>(instruction);
    if (!isSigned && !isa<FPToUIInst>(instruction))
      continue;
    IRBuilder<> builder(&instruction);
    Value *from = instruction.getOperand(0);
    instruction.replaceAllUsesWith(
        builder.CreateIntrinsic(isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                {instruction.getType(), from->getType()}, {from}));
    instruction.eraseFromParent();
  }
}
} // namespace

std::string findLibdevice() {
  if (std::string given = optionText(OptionId::LibdevicePath); !given.empty())
    return given;
  static const Lasting<std::string> found(findInstalled());
  return *found;
}

void linkLibdevice(Module &module) {
  std::vector<std::string> wanted;
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      wanted.push_back(function.getName().str());
  if (wanted.empty())
    return;
  std::string path = findLibdevice();
  if (path.empty())
    throw Unsupported("cuda: '" + wanted[0] +
                      "' needs libdevice.10.bc, which is neither in a CUDA toolkit nor in an "
                      "installed package here; TRITON_LIBDEVICE_PATH names the file");
  // Whose file it is: the variable's, or one that was found.
  std::string what =
      (optionText(OptionId::LibdevicePath).empty() ? "'" : "TRITON_LIBDEVICE_PATH='") + path + "'";
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    throw InvalidInput(what + " cannot be read: " + buffer.getError().message());
  auto library = parseBitcodeFile(**buffer, module.getContext());
  if (!library)
    throw InvalidInput(what + " is no bitcode that LLVM reads: " + toString(library.takeError()));
  for (const std::string &name : wanted)
    if (!(*library)->getFunction(name) || (*library)->getFunction(name)->isDeclaration())
      throw Unsupported("cuda: libdevice has no function '" + name + "'");
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    throw EngineError("cuda: linking '" + path + "' failed");
  for (Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with("__")) {
      function.setLinkage(GlobalValue::InternalLinkage);
      clampConversions(function);
    }
  answerReflect(module);
}

} // namespace trisect::cuda

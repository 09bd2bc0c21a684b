//===- EmulatedKernel.cpp - a kernel of tier 2 on the host ----------------------------------------------===//
#include "backends/cuda/emulate/EmulatedKernel.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cpu/orc/ObjectCompiler.h"
#include "backends/cuda/emit/Assertion.h"
#include "backends/cuda/emit/HostMachine.h"
#include "backends/cuda/emit/Libdevice.h"
#include "backends/cuda/emulate/Functions.h"
#include "core/ir/Types.h"
#include "core/support/Outcome.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include <algorithm>
#include <cstring>
#include <optional>

namespace trisect::cuda {

namespace {
constexpr uint32_t recordCapacity = 1 << 20;

/// What libdevice's instructions are on this machine.
void replaceNvvm(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> gone;
  for (llvm::Function &function : module) {
    if (!function.getName().starts_with("llvm.nvvm."))
      continue;
    void *address = nvvmFunction(std::string_view(function.getName().data(), function.getName().size()));
    if (!address && !function.use_empty())
      throw Unsupported("the emulator of the cuda tier has no '" + function.getName().str() + "'");
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      auto *pointer = llvm::PointerType::get(module.getContext(), 0);
      auto *number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()),
                                            reinterpret_cast<uint64_t>(address));
      llvm::SmallVector<llvm::Value *> arguments(call->args());
      auto *made =
          llvm::CallInst::Create(function.getFunctionType(), llvm::ConstantExpr::getIntToPtr(number, pointer),
                                 arguments, "", call->getIterator());
      made->setDoesNotAccessMemory();
      made->setDoesNotThrow();
      call->replaceAllUsesWith(made);
      call->eraseFromParent();
    }
    gone.push_back(&function);
  }
  for (llvm::Function *function : gone)
    function->eraseFromParent();
}

/// Chains of instructions that carry, as one operation on numbers of twice the width: $0 and $1 are the low
/// and the high word of a product (with a third operand added), or of two words each added or subtracted.
llvm::Value *wordArithmetic(llvm::IRBuilder<> &b, llvm::CallInst &call, llvm::StringRef text) {
  bool product = text.contains("mad.lo.cc.u32"), sum = text.contains("add.cc.u32"),
       difference = text.contains("sub.cc.u32");
  if (!product && !sum && !difference)
    return nullptr;
  llvm::Type *word = call.getArgOperand(0)->getType();
  unsigned bits = word->getIntegerBitWidth();
  llvm::Type *wide = b.getIntNTy(2 * bits);
  auto operand = [&](unsigned i) { return b.CreateZExt(call.getArgOperand(i), wide); };
  auto pair = [&](unsigned i) { return b.CreateOr(operand(i), b.CreateShl(operand(i + 1), bits)); };
  llvm::Value *made = nullptr;
  if (product)
    made = b.CreateMul(operand(0), operand(1));
  else
    made = sum ? b.CreateAdd(pair(0), pair(2)) : b.CreateSub(pair(0), pair(2));
  if (product && call.arg_size() == 3)
    made = b.CreateAdd(made, operand(2));
  llvm::Value *both = llvm::PoisonValue::get(call.getType());
  both = b.CreateInsertValue(both, b.CreateTrunc(made, word), 0);
  return b.CreateInsertValue(both, b.CreateTrunc(b.CreateLShr(made, bits), word), 1);
}

/// What one piece of inline PTX in libdevice does, as LLVM IR; null if it is not known here.
llvm::Value *plainForm(llvm::IRBuilder<> &b, llvm::CallInst &call, llvm::StringRef text) {
  auto operand = [&](unsigned i) { return call.getArgOperand(i); };
  if (llvm::Value *words = wordArithmetic(b, call, text))
    return words;
  if (text.contains("setp.equ.f64") && text.contains("selp.f64"))
    return b.CreateSelect(b.CreateFCmpUEQ(operand(0), operand(1)), operand(2), operand(3));
  // A mnemonic is the name of an intrinsic but for its type.
  std::string name = "llvm.nvvm." + text.take_until([](char c) { return c == ' '; }).str();
  for (auto [suffix, kind] : {std::pair{".f32", ".f"}, std::pair{".f64", ".d"}})
    if (llvm::StringRef(name).ends_with(suffix))
      if (void *address = nvvmFunction(name.substr(0, name.size() - 4) + kind)) {
        auto *number = b.getInt64(reinterpret_cast<uint64_t>(address));
        llvm::SmallVector<llvm::Value *> arguments(call.args());
        return b.CreateCall(call.getFunctionType(), b.CreateIntToPtr(number, b.getPtrTy()), arguments);
      }
  return nullptr;
}

void replaceAssembly(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
        if (!assembly)
          continue;
        llvm::IRBuilder<> builder(call);
        llvm::Value *value = plainForm(builder, *call, assembly->getAsmString());
        if (!value)
          throw Unsupported("the emulator of the cuda tier does not know '" + assembly->getAsmString() +
                            "' of libdevice");
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
}
} // namespace

EmulatedKernel::EmulatedKernel(mlir::ModuleOp module, std::string_view kernel, const EmitOptions &options,
                               AssemblyReader reader, const CodeChange &change)
    : name(kernel), options(options) {
  // The host would fuse other products than the device.
  this->options.fusion = false;
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  if (auto function = copy->lookupSymbol<tt::FuncOp>(llvm::StringRef(name)))
    for (mlir::Type type : function.getArgumentTypes()) {
      auto descriptor = mlir::dyn_cast<tt::TensorDescType>(type);
      descriptorRanks.push_back(descriptor ? static_cast<int32_t>(descriptor.getBlockType().getRank()) : 0);
    }
  constexpr unsigned capability = 90;
  tt::FuncOp function = toTiles(*copy, kernel, capability, options);
  llvm::LLVMContext context;
  llvm::Module llvmModule(name, context);
  std::unique_ptr<llvm::TargetMachine> target = cpu::makeTargetMachine(cpu::hostMachine());
  llvmModule.setDataLayout(target->createDataLayout());
  llvmModule.setTargetTriple(target->getTargetTriple().str());
  llvm::IRBuilder<> builder(context);
  HostMachine machine(builder, llvmModule, reader);
  emitted = emit(function, machine, builder, this->options);
  texts = machine.takeTexts();
  if (change)
    change(llvmModule, machine);
  linkLibdevice(llvmModule);
  replaceNvvm(llvmModule);
  replaceAssembly(llvmModule);
  cpu::optimize(llvmModule, cpu::hostMachine());
  code = cpu::loadObject(cpu::compileToObject(llvmModule, cpu::hostMachine()), emitted.entry, name);
}

// A descriptor is one argument of a launch but several of the code.
std::vector<uint64_t> EmulatedKernel::deviceArguments(const LaunchRequest &request) const {
  std::vector<uint64_t> words;
  for (size_t i = 0; i < request.args.size(); ++i) {
    if (descriptorRanks[i] == 0) {
      words.push_back(request.args[i]);
      continue;
    }
    const auto &descriptor = *reinterpret_cast<const DescriptorArg *>(request.args[i]);
    words.push_back(descriptor.address);
    words.insert(words.end(), descriptor.shape, descriptor.shape + descriptorRanks[i]);
    words.insert(words.end(), descriptor.strides, descriptor.strides + descriptorRanks[i]);
    words.push_back(descriptor.padding == static_cast<int32_t>(tt::PaddingOption::Nan));
  }
  return words;
}

void EmulatedKernel::launch(const LaunchRequest &request, uint64_t seed,
                            const std::function<bool()> &shallStop, GlobalMemory *memory) {
  LaunchWords words;
  words.grid[0] = request.grid.x;
  words.grid[1] = request.grid.y;
  words.grid[2] = request.grid.z;
  words.apart = areApart(emitted.questions, request.args);
  std::vector<uint32_t> records;
  if (!emitted.sites.empty()) {
    records.assign(sizeof(RecordBuffer) / sizeof(uint32_t) + recordCapacity, 0);
    reinterpret_cast<RecordBuffer *>(records.data())->capacity = recordCapacity;
    words.record = reinterpret_cast<uint64_t>(records.data());
    if (memory)
      memory->allow(words.record, records.size() * sizeof(uint32_t));
  }
  EmulatorOptions settings;
  settings.warps = options.warps;
  settings.sharedBytes = emitted.sharedBytes;
  settings.seed = seed;
  settings.shallStop = shallStop;
  settings.memory = memory;
  // On a GPU as many run at once, and may wait for each other.
  settings.blocksAtOnce = 16;
  std::vector<uint64_t> arguments = deviceArguments(request);
  Emulator emulator(reinterpret_cast<HostEntry>(code->address()), std::move(settings), arguments.data(),
                    words);
  emulator.run();
  if (emulator.stopped())
    throw EngineError("cuda emulator: stopped before all programs had ended");
  if (!records.empty())
    report(records);
}

// Several threads may have found a false element; the first one is told.
void EmulatedKernel::report(const std::vector<uint32_t> &words) const {
  RecordBuffer header;
  std::memcpy(&header, words.data(), sizeof(header));
  std::optional<Record> first;
  for (uint32_t at = 0; at + recordWords <= std::min(header.used, header.capacity); at += recordWords) {
    Record record;
    std::memcpy(&record, words.data() + sizeof(header) / sizeof(uint32_t) + at, sizeof(record));
    if (record.site >= emitted.sites.size() || emitted.sites[record.site].kind != RecordSite::Kind::Assert)
      continue;
    bool sameProgram = first && std::equal(record.program, record.program + 3, first->program);
    if (!first || (sameProgram && record.element < first->element))
      first = record;
  }
  if (first)
    throw assertFault(emitted.sites[first->site], *first, name);
}

} // namespace trisect::cuda

//===- NvptxMachine.cpp - function, thread identity, meeting and exchanging -----------------------------===//
#include "backends/cuda/emit/NvptxMachine.h"
#include "backends/cuda/emit/PtxAsm.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
/// HiddenParameter: {first program x, apart, first program y, z, grid x, y, z, nothing, record}.
StructType *launchType(LLVMContext &context) {
  Type *i64 = Type::getInt64Ty(context), *i32 = Type::getInt32Ty(context);
  return StructType::get(context, {i32, i32, i32, i32, i32, i32, i32, i32, i64});
}

void annotate(Module &module, Function *function, const FrameOptions &options) {
  LLVMContext &context = module.getContext();
  auto number = [&](unsigned value) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value));
  };
  auto note = [&](StringRef name, unsigned value) {
    module.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(MDNode::get(
            context, {ValueAsMetadata::get(function), MDString::get(context, name), number(value)}));
  };
  note("kernel", 1);
  note("reqntidx", 32 * options.warps);
  // No least number of blocks on a multiprocessor: with one, ptxas spends the registers of the rest.
  if (options.maxRegisters)
    note("maxnreg", options.maxRegisters);
}
} // namespace

Frame NvptxMachine::openFrame(StringRef name, ArrayRef<Type *> parameters, const FrameOptions &options) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *> types(parameters.begin(), parameters.end());
  types.push_back(PointerType::get(context, 0));
  Frame frame;
  frame.function = Function::Create(FunctionType::get(b.getVoidTy(), types, false),
                                    GlobalValue::ExternalLinkage, name, module);
  frame.function->setCallingConv(CallingConv::PTX_Kernel);
  frame.function->setDoesNotThrow();
  unsigned last = parameters.size();
  frame.function->addParamAttr(last, Attribute::getWithByValType(context, launchType(context)));
  frame.function->addParamAttr(last, Attribute::getWithAlignment(context, Align(8)));
  annotate(module, frame.function, options);
  b.SetInsertPoint(BasicBlock::Create(context, "entry", frame.function));
  for (unsigned i = 0; i < last; ++i)
    frame.arguments.push_back(frame.function->getArg(i));
  auto field = [&](unsigned index) -> Value * {
    Value *address = b.CreateStructGEP(launchType(context), frame.function->getArg(last), index);
    return b.CreateLoad(launchType(context)->getElementType(index), address);
  };
  frame.launch.apart = field(1);
  for (unsigned axis = 0; axis < 3; ++axis) {
    frame.launch.first[axis] = field(axis ? 1 + axis : 0);
    frame.launch.grid[axis] = field(4 + axis);
  }
  frame.launch.record = field(8);
  return frame;
}

Value *NvptxMachine::threadId() { return b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}); }

Value *NvptxMachine::blockId(unsigned axis) {
  static const Intrinsic::ID ids[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                      Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                      Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  return b.CreateIntrinsic(ids[axis], {}, {});
}

Value *NvptxMachine::sharedBase() {
  GlobalVariable *memory = module.getGlobalVariable("shared_memory");
  if (!memory) {
    memory = new GlobalVariable(module, ArrayType::get(b.getInt8Ty(), 0), false, GlobalValue::ExternalLinkage,
                                nullptr, "shared_memory", nullptr, GlobalValue::NotThreadLocal, 3);
    memory->setAlignment(Align(1024));
  }
  return b.CreateTrunc(b.CreatePtrToInt(memory, b.getInt64Ty()), b.getInt32Ty());
}

Value *NvptxMachine::uniform(Value *value) { return shuffle(Shuffle::Index, value, b.getInt32(0)); }

void NvptxMachine::barrier() { barriers.insert(b.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {})); }

void NvptxMachine::barrierIf(Value *condition) {
  PtxAsm code(b);
  code.text(code.guard(condition) + "bar.sync 0;");
  code.touchesMemory();
  code.isConvergent();
  code.emit();
  conditionalBarriers.insert(&*std::prev(b.GetInsertPoint()));
}

// Shuffles touch nothing that a load could see, which LLVM calls inaccessible memory.
Machine::Touch NvptxMachine::touchOf(const Instruction &instruction) const {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!instruction.mayReadOrWriteMemory() || instruction.isDebugOrPseudoInst() ||
      (call && call->onlyAccessesInaccessibleMemory()))
    return Touch::Nothing;
  auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  if (!code)
    return Touch::AnyMemory;
  StringRef text = code->getAsmString();
  for (const char *each : {"ld.shared", "st.shared", "red.shared", "ldmatrix"})
    if (text.contains(each) && !text.contains("global"))
      return Touch::SharedMemory;
  return Touch::AnyMemory;
}

Value *NvptxMachine::anyInBlock(Value *bit) {
  Value *any = b.CreateIntrinsic(Intrinsic::nvvm_barrier0_or, {}, {b.CreateZExt(bit, b.getInt32Ty())});
  return b.CreateICmpNE(any, b.getInt32(0));
}

void NvptxMachine::warpBarrier() { b.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {b.getInt32(~0u)}); }

void NvptxMachine::pause(unsigned nanoseconds) {
  PtxAsm code(b);
  code.text("nanosleep.u32 " + Twine(nanoseconds) + ";");
  code.hasSideEffect();
  code.emit();
}

Value *NvptxMachine::shuffle(Shuffle kind, Value *word32, Value *operand) {
  Intrinsic::ID id = kind == Shuffle::Up          ? Intrinsic::nvvm_shfl_sync_up_i32
                     : kind == Shuffle::Down      ? Intrinsic::nvvm_shfl_sync_down_i32
                     : kind == Shuffle::Butterfly ? Intrinsic::nvvm_shfl_sync_bfly_i32
                                                  : Intrinsic::nvvm_shfl_sync_idx_i32;
  return b.CreateIntrinsic(id, {},
                           {b.getInt32(~0u), word32, operand, b.getInt32(kind == Shuffle::Up ? 0 : 31)});
}

namespace {
/// LLVM reads `$` and `{a|b}` of templates; what is PTX's own is kept by doubling.
std::string escaped(StringRef from) {
  std::string text;
  for (size_t i = 0; i < from.size(); ++i) {
    text += from[i];
    if (from[i] == '$' && (i + 1 == from.size() || !isDigit(from[i + 1])))
      text += '$';
  }
  return text;
}
} // namespace

Value *NvptxMachine::assembly(StringRef text, StringRef constraints, Type *result, ArrayRef<Value *> operands,
                              bool pure) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  auto *type = FunctionType::get(result, types, false);
  CallInst *call = b.CreateCall(type, InlineAsm::get(type, escaped(text), constraints, !pure), operands);
  call->setDoesNotThrow();
  if (pure)
    call->setDoesNotAccessMemory();
  else
    call->setConvergent();
  return call;
}

Value *NvptxMachine::nanoseconds() {
  PtxAsm code(b);
  std::string to = code.result(b.getInt64Ty());
  code.text("mov.u64 " + to + ", %globaltimer;");
  code.hasSideEffect();
  code.touchesMemory();
  return code.emit()[0];
}

void NvptxMachine::exitThread() {
  PtxAsm code(b);
  code.text("exit;");
  code.touchesMemory();
  code.emit();
}

void NvptxMachine::dependencyWait() {
  if (capability < 90)
    return;
  PtxAsm code(b);
  code.text("griddepcontrol.wait;");
  code.touchesMemory();
  code.emit();
}

void NvptxMachine::dependencyLaunch() {
  if (capability < 90)
    return;
  PtxAsm code(b);
  code.text("griddepcontrol.launch_dependents;");
  code.touchesMemory();
  code.emit();
}

} // namespace trisect::cuda

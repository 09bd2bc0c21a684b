//===- MutateCode.cpp - calls of the emulated machine, one of them left out -----------------------------===//
#include "tests/mutants/MutateCode.h"
#include "backends/cuda/emulate/Functions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace trisect::mutants {

using namespace llvm;

namespace {
/// The operands that say whether a thread takes part, and where; -1 if there is none. Without an address the
/// call itself is left out.
struct Kind {
  const char *name;
  std::vector<const char *> functions;
  int predicate;
  int address = 1;
};

const std::vector<Kind> &calls() {
  static const std::vector<Kind> all = {
      {"barrier", {"barrier"}, -1, -1},
      {"barrier-of-overlap", {"barrierIf"}, 2, -1},
      {"wait-for-copies", {"waitForCopies"}, -1, -1},
      {"load-predicate", {"loadGlobal"}, 3},
      {"store-predicate", {"storeGlobal"}, 3},
      {"shared-predicate", {"loadShared", "storeShared", "atomicAddShared"}, 3},
      {"atomic-predicate", {"atomicCas"}, 5},
      {"rmw-predicate", {"atomicRmw"}, 5, 2},
      {"atomic-load-predicate", {"atomicLoad"}, 3},
      {"atomic-store-predicate", {"atomicStore"}, 4},
      {"copy-predicate", {"copyToShared"}, 4, 2},
      {"copy-part", {"copyToShared"}, 5},
  };
  return all;
}

bool callsOneOf(const CallInst &call, const std::vector<const char *> &functions) {
  auto *pointer = dyn_cast<ConstantExpr>(call.getCalledOperand());
  auto *number = pointer ? dyn_cast<ConstantInt>(pointer->getOperand(0)) : nullptr;
  return number && any_of(functions, [&](const char *name) {
           return reinterpret_cast<uint64_t>(cuda::emulatorFunction(name)) == number->getZExtValue();
         });
}

SmallVector<CallInst *> callsOf(Module &code, const Kind &kind) {
  SmallVector<CallInst *> found;
  for (Function &function : code)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && callsOneOf(*call, kind.functions))
        if (kind.predicate < 0 || !isa<Constant>(call->getArgOperand(kind.predicate)))
          found.push_back(call);
  return found;
}

Place placeOf(const Value *value, const std::string &kind) {
  auto *instruction = dyn_cast_or_null<Instruction>(value);
  unsigned line = instruction && instruction->getDebugLoc() ? instruction->getDebugLoc().getLine() : 0;
  return {line, kind};
}

/// Leaves out the call, or its predicate.
void leaveOut(CallInst *call, const Kind &kind) {
  if (kind.address < 0)
    call->eraseFromParent();
  else
    call->setArgOperand(kind.predicate, ConstantInt::get(call->getArgOperand(kind.predicate)->getType(), 1));
}

/// Makes what the call or its predicate is for impossible to miss: where a predicate leaves out an access
/// that one goes astray; where a barrier or a wait is, or is asked for, another access does.
void makeWild(CallInst *call, const Kind &kind) {
  IRBuilder<> b(call);
  Value *predicate = kind.predicate < 0 ? b.getInt32(1) : call->getArgOperand(kind.predicate);
  if (kind.address < 0) {
    SmallVector<Value *> operands{call->getArgOperand(0), b.getInt32(~0u), b.getInt32(4), predicate,
                                  ConstantPointerNull::get(b.getPtrTy())};
    SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    auto load = reinterpret_cast<uint64_t>(cuda::emulatorFunction("loadShared"));
    b.CreateCall(FunctionType::get(b.getVoidTy(), types, false),
                 ConstantExpr::getIntToPtr(b.getInt64(load), b.getPtrTy()), operands);
    return;
  }
  Value *address = call->getArgOperand(kind.address);
  Value *astray = Constant::getAllOnesValue(address->getType());
  call->setArgOperand(kind.address,
                      b.CreateSelect(b.CreateICmpNE(predicate, b.getInt32(0)), address, astray));
  leaveOut(call, kind);
}

/// What differs before and after.
SmallVector<const cuda::Machine::Moved *> movesOf(const cuda::Machine &machine) {
  SmallVector<const cuda::Machine::Moved *> found;
  for (const cuda::Machine::Moved &moved : machine.conversions)
    if (moved.from != moved.to)
      found.push_back(&moved);
  return found;
}

constexpr const char *conversion = "conversion";
} // namespace

std::vector<std::string> codeKinds() {
  std::vector<std::string> names;
  for (const Kind &kind : calls())
    names.emplace_back(kind.name);
  names.emplace_back(conversion);
  return names;
}

bool mayBeIdle(const std::string &kind) { return kind != conversion; }

std::vector<Place> codePlaces(Module &code, const cuda::Machine &machine, const std::string &kind) {
  std::vector<Place> places;
  if (kind == conversion)
    for (const cuda::Machine::Moved *moved : movesOf(machine))
      places.push_back(placeOf(moved->to[0], kind));
  for (const Kind &each : calls())
    if (kind == each.name)
      for (CallInst *call : callsOf(code, each))
        places.push_back(placeOf(call, kind));
  return places;
}

void mutateCode(Module &code, const cuda::Machine &machine, const std::string &kind, unsigned site,
                Mistake mistake) {
  if (kind == conversion) {
    const cuda::Machine::Moved &moved = *movesOf(machine)[site];
    // As if the registers were already where they shall be.
    for (size_t n = 0; n < moved.to.size(); ++n)
      if (moved.to[n] != moved.from[n % moved.from.size()] && !isa<Constant>(moved.to[n]))
        moved.to[n]->replaceAllUsesWith(moved.from[n % moved.from.size()]);
  }
  for (const Kind &each : calls())
    if (kind == each.name)
      (mistake == Mistake::Wild ? makeWild : leaveOut)(callsOf(code, each)[site], each);
}

} // namespace trisect::mutants

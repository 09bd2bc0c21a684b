//===- PathQuestions.cpp - as assembly, or as branches --------------------------------------------------===//
#include "backends/cpu/emit/PathQuestions.h"
#include "backends/cpu/AssertHook.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Registers that one place may ask for: far fewer than there are.
constexpr size_t mostOperands = 6;

/// What a comparison can hold.
std::optional<int64_t> shortConstant(Value value) {
  APInt found;
  if (matchPattern(value, m_ConstantInt(&found)) && found.isSignedIntN(32))
    return found.getSExtValue();
  return std::nullopt;
}
} // namespace

void PathQuestions::ask(Code c, int64_t path) {
  if (!asAssembly)
    return call(c, c.i64(path));
  begin(c, {});
  std::string end = label();
  addQuestion(path, end);
  write(c);
}

void PathQuestions::askIfLess(Code c, Value lower, Value upper, int64_t path) {
  if (!asAssembly) {
    auto runs = c.b.create<scf::IfOp>(c.loc, c.cmp(arith::CmpIPredicate::slt, lower, upper),
                                      /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(runs.thenBlock());
    return call(c, c.i64(path));
  }
  bool swaps = shortConstant(lower).has_value(); // a constant is the first operand
  if (swaps && shortConstant(upper)) {
    if (*shortConstant(lower) < *shortConstant(upper))
      ask(c, path);
    return;
  }
  begin(c, {lower, upper});
  std::string end = label();
  if (swaps)
    add("cmp " + nameOf(lower) + ", " + nameOf(upper) + "\n\tjle " + end);
  else
    add("cmp " + nameOf(upper) + ", " + nameOf(lower) + "\n\tjge " + end);
  addQuestion(path, end);
  write(c);
}

void PathQuestions::askByFlag(Code c, Value flag, int64_t on, int64_t off) {
  if (!asAssembly) {
    Value isOff = c.cmp(arith::CmpIPredicate::eq, flag, c.zero(flag.getType()));
    return call(c, c.add(c.i64(on), c.mul(c.zext(isOff, c.i64()), c.i64(off - on))));
  }
  begin(c, flag);
  std::string otherwise = label(), end = label();
  add("test " + nameOf(flag) + ", " + nameOf(flag) + "\n\tje " + otherwise);
  addQuestion(on, end);
  add("jmp " + end);
  add(otherwise + ":");
  addQuestion(off, end);
  write(c);
}

// if (hook->closed[number]) hook->untried(hook, number)
void PathQuestions::call(Code c, Value number) {
  OpBuilder &b = c.b;
  Value closed = field(c, c.i8(), c.add(number, c.i64(offsetof(AssertHook, closed))));
  Value asks = c.cmp(arith::CmpIPredicate::ne, closed, c.integer(c.i8(), 0));
  auto branch = b.create<scf::IfOp>(c.loc, asks, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value function = field(c, pointer, c.i64(offsetof(AssertHook, untried)));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, c.i64()});
  b.create<LLVM::CallOp>(c.loc, type, ValueRange{function, c.pointer(scratch), number});
}

Value PathQuestions::field(Code &c, Type type, Value offset) const {
  return c.b.create<LLVM::LoadOp>(c.loc, type, c.pointer(c.add(scratch, offset)));
}

// What lies between the last question and a place does nothing that others see.
bool PathQuestions::goesOn(OpBuilder &b, ValueRange needs) const {
  if (!last || last->getBlock() != b.getInsertionBlock())
    return false;
  size_t more = llvm::count_if(needs, [&](Value each) { return !llvm::is_contained(operands, each); });
  if (operands.size() + more > mostOperands)
    return false;
  auto reaches = [](Block::iterator from, Block::iterator to, Block &block) {
    while (from != to && from != block.end() && from->getNumRegions() == 0 && isMemoryEffectFree(&*from))
      ++from;
    return from == to;
  };
  Block &block = *last->getBlock();
  return reaches(std::next(last->getIterator()), b.getInsertionPoint(), block) ||
         reaches(b.getInsertionPoint(), last->getIterator(), block);
}

void PathQuestions::begin(Code &c, ValueRange needs) {
  if (goesOn(c.b, needs)) {
    Block::iterator place = c.b.getInsertionPoint();
    if (place != last->getBlock()->end() && !last->isBeforeInBlock(&*place))
      c.b.setInsertionPointAfter(last);
    last.erase();
  } else {
    text.clear();
    operands.assign({scratch});
    labels = 0;
  }
  for (Value each : needs)
    if (!shortConstant(each) && !llvm::is_contained(operands, each))
      operands.push_back(each);
}

std::string PathQuestions::nameOf(Value value) const {
  if (std::optional<int64_t> number = shortConstant(value))
    return "$$" + std::to_string(*number);
  return "$" + std::to_string(llvm::find(operands, value) - operands.begin());
}

// No number: LLVM remembers such labels beyond the module.
std::string PathQuestions::label() { return ".Lpath" + std::to_string(labels++) + "_${:uid}"; }

void PathQuestions::addQuestion(int64_t path, llvm::StringRef end) {
  add("cmpb $$0, " + llvm::Twine(offsetof(AssertHook, closed) + path) + "($0)\n\tje " + end);
  add("pushq $0\n\tpushq $$" + llvm::Twine(path));
  add("callq *" + llvm::Twine(offsetof(AssertHook, untried)) + "($0)");
}

void PathQuestions::write(Code &c) {
  // Each question ends with the label made last.
  text += ".Lpath" + std::to_string(labels - 1) + "_${:uid}:\n\t";
  std::string constraints;
  for (size_t i = 0; i < operands.size(); ++i)
    constraints += "r,";
  last = c.b.create<LLVM::InlineAsmOp>(c.loc, TypeRange(), operands, text, constraints + "~{memory},~{flags}",
                                       /*has_side_effects=*/true, /*is_align_stack=*/false,
                                       /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
}

} // namespace trisect::cpu

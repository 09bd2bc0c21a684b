//===- Libdevice.cpp - what the functions of CUDA's device library take and give ------------------------===//
#include "core/ir/Libdevice.h"
#include "core/ir/TypeUtils.h"
#include "core/support/Lasting.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace trisect {

namespace {
const llvm::StringMap<llvm::StringRef> &signatures() {
  static const Lasting<llvm::StringMap<llvm::StringRef>> all([] {
    llvm::StringMap<llvm::StringRef> made;
#define LIBDEVICE(name, types) made["__nv_" #name] = #types;
#include "core/ir/Libdevice.def"
#undef LIBDEVICE
    return made;
  }());
  return *all;
}

llvm::StringRef nameOf(char letter) {
  return letter == 'f' ? "f32" : letter == 'd' ? "f64" : letter == 'i' ? "i32" : "i64";
}

bool isOf(Type type, char letter) {
  Type element = tt::elementOf(type);
  return letter == 'f'   ? element.isF32()
         : letter == 'd' ? element.isF64()
                         : element.isSignlessInteger(letter == 'i' ? 32 : 64);
}
} // namespace

LogicalResult verifyLibdeviceCall(Operation *op, llvm::StringRef symbol) {
  auto known = signatures().find(symbol);
  if (known == signatures().end())
    return success();
  llvm::StringRef result = known->second.take_front(), operands = known->second.drop_front();
  bool fits = op->getNumOperands() == operands.size() && isOf(op->getResult(0).getType(), result.front());
  for (auto [operand, letter] : llvm::zip(op->getOperandTypes(), operands))
    fits &= isOf(operand, letter);
  if (fits)
    return success();
  std::string text; // a diagnostic puts types in quotes
  llvm::raw_string_ostream out(text);
  auto name = [&](char letter) { out << nameOf(letter); };
  out << " takes (";
  llvm::interleaveComma(operands, out, name);
  out << ") and gives " << nameOf(result.front()) << ", but found (";
  llvm::interleaveComma(op->getOperandTypes(), out, [&](Type type) { out << tt::elementOf(type); });
  out << ") and " << tt::elementOf(op->getResult(0).getType());
  return op->emitOpError() << "'" << symbol << "'" << text;
}

} // namespace trisect

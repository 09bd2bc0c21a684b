//===- Form.cpp - forms by machine and format -----------------------------------------------------------===//
#include "backends/cpu/dot/Form.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Steps of k whose products of bf16 add up apart (docs/numerics.md).
constexpr int64_t blockSteps = 32;

bool isOf(tt::DotOp dot, llvm::function_ref<bool(Type, Type)> formats) {
  Type factor = ttElement(dot.getA().getType());
  return factor == ttElement(dot.getB().getType()) && formats(ttElement(dot.getType()), factor);
}

bool addsHalves(tt::DotOp dot) {
  return isOf(dot, [](Type sums, Type factor) { return sums.isF32() && factor.isBF16(); });
}

bool fillsTiles(tt::DotOp dot) {
  ArrayRef<int64_t> sums = ttShape(dot.getType());
  return sums.size() == 2 && sums[0] % tileRows == 0 && sums[1] % tileRows == 0 &&
         ttShape(dot.getB().getType())[0] % tileRows == 0;
}
} // namespace

Form formOf(const Machine &machine, tt::DotOp dot) {
  bool bytes = isOf(dot, [](Type sums, Type factor) { return sums.isInteger(32) && factor.isInteger(8); });
  int64_t k = ttShape(dot.getA().getType()).back();
  bool blocks = addsHalves(dot) && dot.getInputPrecision() == tt::InputPrecision::Blocks;
  bool tiles = fillsTiles(dot);
  if (blocks)
    return tiles && machine.has("+amx-bf16") ? Form{2, std::min(k, tileRowBytes / 2)}
                                             : Form{1, 0, std::min(k, blockSteps)};
  if (!llvm::StringRef(machine.triple).starts_with("x86_64"))
    return {};
  if (addsHalves(dot))
    return {machine.has("+avx512bf16") && llvm::StringRef(machine.processor).starts_with("znver") ? 2U : 1U};
  if (!bytes)
    return {};
  if (tiles && machine.has("+amx-int8"))
    return {4, std::min(k, tileRowBytes)};
  return {machine.has("+avx512vnni") ? 4U : 2U};
}

llvm::StringRef adviceOn(const Machine &machine, tt::DotOp dot) {
  bool may = addsHalves(dot) && fillsTiles(dot) && machine.has("+amx-bf16");
  return may && dot.getInputPrecision() != tt::InputPrecision::Blocks
             ? "a product of bf16 that bf16_sums=\"blocks\" would let go through tile registers\n"
             : "";
}

Type factorType(const Form &form, tt::DotOp dot) {
  Type sums = ttElement(dot.getType());
  if (form.tiles || (form.together > 1 && isa<FloatType>(sums)))
    return ttElement(dot.getA().getType());
  return form.together == 1 ? sums : IntegerType::get(sums.getContext(), form.together == 4 ? 8 : 16);
}

Tile tileOf(const Machine &machine, const Form &form, tt::DotOp dot) {
  ArrayRef<int64_t> shape = ttShape(dot.getType());
  int64_t m = shape[shape.size() - 2], n = shape.back();
  Tile tile = tileOf(machine, memoryBytes(ttElement(dot.getType())), m, n);
  if (form.block) // three sums of each element are in registers
    tile.rows = std::min<int64_t>(m, 2);
  if (!form.tiles)
    return tile;
  // Two by two: each tile of a factor is multiplied twice.
  tile.vectors = std::min<int64_t>(2, n / tileRows);
  tile.rows = tileRows * std::min<int64_t>(2, m / tileRows);
  tile.panel = n > tile.columns() ? tile.columns() : 0;
  return tile;
}

} // namespace trisect::cpu

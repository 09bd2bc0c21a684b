//===- FnuzToFn.cpp - f8E4M3FNUZ of early cuda text becomes f8E4M3FN ------------------------------------===//
#include "core/ir/Upgrade.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace trisect::tt {

static llvm::APFloat toFn(llvm::APFloat value) {
  bool lost = false;
  value.convert(llvm::APFloat::Float8E4M3FN(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return value;
}

void replaceFnuzByFn(ModuleOp module) {
  auto fn = Float8E4M3FNType::get(module.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([fn](Float8E4M3FNUZType) { return Type(fn); });
  replacer.addReplacement([fn](FloatAttr value) -> std::optional<Attribute> {
    if (!value.getType().isFloat8E4M3FNUZ())
      return std::nullopt;
    return FloatAttr::get(fn, toFn(value.getValue()));
  });
  replacer.addReplacement([fn](DenseFPElementsAttr values) -> std::optional<Attribute> {
    if (!values.getElementType().isFloat8E4M3FNUZ())
      return std::nullopt;
    return values.mapValues(fn, [](const llvm::APFloat &value) { return toFn(value).bitcastToAPInt(); });
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

} // namespace trisect::tt

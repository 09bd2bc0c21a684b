//===- GpuDialect.cpp - the little of the GPU level that TTIR text may carry ----------------------------===//
#include "core/ir/GpuDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

#include "core/ir/GpuDialect.cpp.inc"
#include "core/ir/GpuEnums.cpp.inc"

#define GET_OP_CLASSES
#include "core/ir/GpuOps.cpp.inc"

using namespace mlir;

namespace trisect::ttg {

namespace {
struct BarrierInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void TTGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "core/ir/GpuOps.cpp.inc"
      >();
  addInterfaces<BarrierInlinerInterface>();
}

Attribute TTGDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  StringRef name;
  SMLoc where = parser.getCurrentLocation();
  if (succeeded(parser.parseKeyword(&name)))
    parser.emitError(where) << "expected TTIR, where tensors have no layout, but found the layout #ttg."
                            << name;
  return {};
}

} // namespace trisect::ttg

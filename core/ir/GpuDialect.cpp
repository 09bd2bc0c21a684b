//===- GpuDialect.cpp - the little of the GPU level that TTIR text may carry ----------------------------===//
#include "core/ir/GpuDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

#include "core/ir/GpuDialect.cpp.inc"
#include "core/ir/GpuEnums.cpp.inc"

using namespace mlir;

namespace trisect::ttg {

/// `all`, or words with bars between them.
static ParseResult parseAddrSpace(OpAsmParser &parser, AddrSpaceAttr &space) {
  AddrSpace bits = AddrSpace::None;
  do {
    StringRef word;
    SMLoc where = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<AddrSpace> named = symbolizeAddrSpace(word);
    if (!named)
      return parser.emitError(where)
             << "expected all, none, local, global_read, global_write, tensor_read or "
                "tensor_write, but found "
             << word;
    bits = bits | *named;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  space = AddrSpaceAttr::get(parser.getContext(), bits);
  return success();
}

static void printAddrSpace(OpAsmPrinter &printer, Operation *, AddrSpaceAttr space) {
  printer << stringifyAddrSpace(space.getValue());
}

} // namespace trisect::ttg

#define GET_OP_CLASSES
#include "core/ir/GpuOps.cpp.inc"

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

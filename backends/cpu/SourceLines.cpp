//===- SourceLines.cpp - scopes of functions and files --------------------------------------------------===//
#include "backends/cpu/SourceLines.h"
#include "backends/cpu/LowerToVectors.h"
#include "core/ir/Locations.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
class Source {
public:
  Source(ModuleOp module, std::string_view kernel) : context(module.getContext()), kernel(kernel) {}

  void describe(LLVM::LLVMFuncOp function) {
    SourcePosition begin = positionIn(function);
    if (!begin.known())
      return;
    LLVM::DIFileAttr file = fileOf(begin.file);
    if (!unit)
      unit = LLVM::DICompileUnitAttr::get(DistinctAttr::create(UnitAttr::get(context)),
                                          llvm::dwarf::DW_LANG_C, file, StringAttr::get(context, "trisect"),
                                          /*isOptimized=*/true, LLVM::DIEmissionKind::Full);
    llvm::StringRef symbol = function.getName();
    llvm::StringRef name = symbol == entryName ? llvm::StringRef(kernel) : symbol;
    auto flags = LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized;
    auto type = LLVM::DISubroutineTypeAttr::get(context, ArrayRef<LLVM::DITypeAttr>());
    auto whole = LLVM::DISubprogramAttr::get(DistinctAttr::create(UnitAttr::get(context)), unit, file, name,
                                             /*linkageName=*/"", file, unsigned(begin.line),
                                             unsigned(begin.line), flags, type);
    llvm::StringMap<LLVM::DIScopeAttr> scopes;
    scopes[begin.file] = whole;
    function->setLoc(placed(begin, whole));
    function.getBody().walk([&](Operation *op) {
      SourcePosition at = tt::positionOf(op->getLoc());
      if (!at.known()) // line 0: of the function, from no line of it
        return op->setLoc(placed({begin.file, 0, 0}, whole));
      LLVM::DIScopeAttr &scope = scopes[at.file];
      if (!scope)
        scope = LLVM::DILexicalBlockFileAttr::get(whole, fileOf(at.file), /*discriminator=*/0);
      op->setLoc(placed(at, scope));
    });
  }

private:
  // Functions that the emitter makes for a region, or for steps of a sort, begin where their operations do.
  static SourcePosition positionIn(LLVM::LLVMFuncOp function) {
    SourcePosition begin = tt::positionOf(function.getLoc());
    function.getBody().walk([&](Operation *op) {
      if (!begin.known())
        begin = tt::positionOf(op->getLoc());
      return begin.known() ? WalkResult::interrupt() : WalkResult::advance();
    });
    return begin;
  }

  LLVM::DIFileAttr fileOf(llvm::StringRef path) {
    return LLVM::DIFileAttr::get(context, llvm::sys::path::filename(path),
                                 llvm::sys::path::parent_path(path));
  }

  Location placed(const SourcePosition &at, Attribute scope) {
    Location place = FileLineColLoc::get(context, at.file, unsigned(at.line), unsigned(at.column));
    return FusedLoc::get({place}, scope, context);
  }

  MLIRContext *context;
  std::string kernel;
  LLVM::DICompileUnitAttr unit;
};
} // namespace

void describeSource(ModuleOp module, std::string_view kernel) {
  Source source(module, kernel);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      source.describe(function);
}

} // namespace trisect::cpu

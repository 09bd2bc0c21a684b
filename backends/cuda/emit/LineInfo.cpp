//===- LineInfo.cpp - source lines for profilers and debuggers ------------------------------------------===//
#include "backends/cuda/emit/LineInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace trisect::cuda {

LineInfo::LineInfo(Function &function, const SourcePosition &kernel) : builder(*function.getParent()) {
  DIFile *home = file(kernel.file);
  DICompileUnit *unit =
      builder.createCompileUnit(dwarf::DW_LANG_C, home, "trisect", /*isOptimized=*/true, "", 0, "",
                                DICompileUnit::DebugEmissionKind::DebugDirectivesOnly);
  subprogram = builder.createFunction(
      unit, function.getName(), function.getName(), home, std::max(kernel.line, 0),
      builder.createSubroutineType(builder.getOrCreateTypeArray({})), 0, DINode::FlagZero,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  function.setSubprogram(subprogram);
  scopes[kernel.file] = subprogram;
  function.getParent()->addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

LineInfo::~LineInfo() { builder.finalize(); }

DIFile *LineInfo::file(const std::string &path) {
  DIFile *&slot = files[path];
  if (!slot && path.empty()) // of a function without a place; LLVM asks for a name
    slot = builder.createFile("unknown", "");
  else if (!slot)
    slot = builder.createFile(sys::path::filename(path), sys::path::parent_path(path));
  return slot;
}

DebugLoc LineInfo::at(const SourcePosition &position) {
  if (!position.known())
    return {};
  DIScope *&scope = scopes[position.file];
  if (!scope)
    scope = builder.createLexicalBlockFile(subprogram, file(position.file), 0);
  return DILocation::get(subprogram->getContext(), position.line, position.column, scope);
}

} // namespace trisect::cuda

//===- DecodeStatement.cpp - the front end's marks of statements ----------------------------------------===//
//
// A mark is a tt.print with the attribute tt.statement: kind, names and types joined by line ends, constants
// by name. Its prefix is the function's name, its operands are the variables.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/Decoder.h"
#include "interp/program/Optimize.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include <unordered_map>

namespace trisect::interp {

static llvm::SmallVector<llvm::StringRef> lines(mlir::DictionaryAttr facts, llvm::StringRef key) {
  llvm::SmallVector<llvm::StringRef> all;
  if (auto text = facts.getAs<mlir::StringAttr>(key); text && !text.getValue().empty())
    text.getValue().split(all, '\n');
  return all;
}

void Decoder::statement(mlir::Operation *op, mlir::DictionaryAttr facts) {
  if (!wantsStatements)
    return;
  Statement made;
  auto kind = facts.getAs<mlir::StringAttr>("kind");
  if (kind && kind.getValue() == "end")
    made.kind = Statement::Kind::End;
  else if (kind && kind.getValue() == "breakpoint")
    made.kind = Statement::Kind::Breakpoint;
  made.location = currentLocation;
  made.caller = callingStatement;
  if (made.caller != noStatement)
    made.depth = program.statements[made.caller].depth + 1;
  if (auto function = op->getAttrOfType<mlir::StringAttr>("prefix"))
    made.function = function.getValue().str();
  auto names = lines(facts, "names"), types = lines(facts, "types");
  if (names.size() != op->getNumOperands() || types.size() != names.size())
    invalid(op, "a mark of a statement needs a name and a type for each of its " +
                    std::to_string(op->getNumOperands()) + " variables");
  for (auto [name, type, value] : llvm::zip(names, types, op->getOperands()))
    made.variables.push_back({name.str(), type.str(), slot(value)});
  if (auto constants = facts.getAs<mlir::DictionaryAttr>("constants"))
    for (mlir::NamedAttribute each : constants)
      if (auto text = llvm::dyn_cast<mlir::StringAttr>(each.getValue()))
        made.constants.emplace_back(each.getName().str(), text.getValue().str());
  currentStatement = static_cast<uint32_t>(program.statements.size());
  program.statements.push_back(std::move(made));
  emit(Opcode::Statement, {}, {});
  last().attribute = currentStatement;
}

void describeStatements(Program &program) {
  std::unordered_map<SlotId, const Instr *> loads;
  for (const Instr &instr : program.code)
    if (instr.opcode == Opcode::Load && program.operand(instr, 1) != noSlot)
      loads[program.result(instr)] = &instr;
  for (Statement &statement : program.statements)
    for (Variable &variable : statement.variables)
      if (auto found = loads.find(variable.slot); found != loads.end()) {
        const Instr &load = *found->second;
        variable.mask = program.operand(load, 1);
        variable.undefined = load.numOperands < 3 || program.operand(load, 2) == noSlot;
      }
}

} // namespace trisect::interp

//===- Ir.h - TTIR for a caller without MLIR ------------------------------------------------------------===//
//
// What: handles to contexts, types, attributes, values, operations, blocks and modules, and a builder.
// Why: the Python extension is compiled on machines without LLVM; it sees this header and no MLIR.
// Limits: every misuse throws InvalidInput. A handle keeps what it points into alive: erased operations and
// blocks are parked in their module, and handles made before a pass ran are refused after it. A context
// serves one thread at a time; a second one that comes while a pass runs is refused.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_IR_H
#define TRISECT_PYTHON_BINDINGS_FACADE_IR_H

#include "core/support/Outcome.h"
#include "python/bindings/facade/Api.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trisect::ir {

struct ContextState;
struct ModuleState;
struct BuilderState;
using ContextPtr = std::shared_ptr<ContextState>;
using ModulePtr = std::shared_ptr<ModuleState>;

class Context;

/// What types, attributes and locations have in common: unique in a context, so compared by address.
struct Uniqued {
  ContextPtr context;
  const void *impl = nullptr;
  bool operator==(const Uniqued &other) const { return impl == other.impl; }
};

class TRISECT_API Type : public Uniqued {
public:
  std::string str() const;
  bool isTensor() const;
  bool isPointer() const;
  bool isTensorDesc() const;
  bool isInteger() const;
  bool isFloat() const;
  /// Dimensions of a tensor or of a descriptor's block; empty for a scalar.
  std::vector<int64_t> shape() const;
  /// What a tensor holds, a pointer points to, a descriptor describes; the type itself for a scalar.
  Type element() const;
  /// Bits of an integer or float; 0 for anything else.
  unsigned bitWidth() const;
};

/// The plain value of a simple attribute.
using PlainValue = std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<int64_t>>;

class TRISECT_API Attribute : public Uniqued {
public:
  std::string str() const;
  /// monostate if the attribute is not a bool, integer, float, string, symbol or integer array.
  PlainValue value() const;
};

class TRISECT_API Location : public Uniqued {
public:
  std::string str() const;
  /// The file position inside names and call sites; line 0 if there is none.
  SourcePosition position() const;
};

using NamedAttribute = std::pair<std::string_view, Attribute>;

class TRISECT_API Context {
public:
  /// A context with every dialect of TTIR loaded.
  static Context create();

  Type parseType(std::string_view text) const;
  Type intType(unsigned bits) const;
  Type floatType(std::string_view name) const;
  Type indexType() const;
  Type pointerType(const Type &element, int addressSpace = 1) const;
  Type tensorType(std::span<const int64_t> shape, const Type &element) const;
  /// `signedness` is "signed", "unsigned" or empty, for integer elements.
  Type tensorDescType(std::span<const int64_t> shape, const Type &element, std::string_view signedness) const;

  Attribute parseAttribute(std::string_view text) const;
  Attribute unitAttribute() const;
  Attribute boolAttribute(bool value) const;
  Attribute intAttribute(int64_t value, unsigned bits) const;
  Attribute floatAttribute(double value, std::string_view type) const;
  Attribute stringAttribute(std::string_view value) const;
  Attribute symbolAttribute(std::string_view value) const;
  Attribute typeAttribute(const Type &type) const;
  Attribute intArrayAttribute(std::span<const int64_t> values, unsigned bits) const;
  Attribute dictAttribute(std::span<const NamedAttribute> entries) const;

  Location fileLocation(std::string_view file, int line, int column) const;
  Location nameLocation(std::string_view name, const Location &child) const;
  Location callSiteLocation(const Location &callee, const Location &caller) const;
  Location unknownLocation() const;

  bool isRegistered(std::string_view operation) const;

  ContextPtr state;
};

class Operation;
class Block;
class Region;

/// What points into a module. `epoch` tells handles from before a pass.
struct InModule {
  ModulePtr module;
  void *impl = nullptr;
  uint64_t epoch = 0;
  bool operator==(const InModule &other) const { return impl == other.impl && module == other.module; }
  uint64_t id() const { return reinterpret_cast<uintptr_t>(impl); }
};

TRISECT_API Context contextOf(const InModule &handle);

class TRISECT_API Value : public InModule {
public:
  Type type() const;
  std::string str() const;
  Location location() const;
  bool hasUses() const;
  /// The operation that makes this value; nothing for a block argument.
  std::optional<Operation> definingOp() const;
  void replaceAllUsesWith(const Value &other) const;
  /// Names the value in printed locations.
  void setName(std::string_view name) const;
  void setType(const Type &type) const;
  void setAttribute(std::string_view name, const Attribute &attribute) const;
};

class TRISECT_API Block : public InModule {
public:
  std::vector<Value> arguments() const;
  Value argument(unsigned index) const;
  unsigned argumentCount() const;
  Value addArgument(const Type &type, const std::optional<Location> &location) const;
  std::vector<Operation> operations() const;
  std::optional<Operation> terminator() const;
  /// The region; nothing while the block belongs to no function.
  std::optional<Region> parent() const;
  std::optional<Operation> parentOp() const;
  /// Takes the block out of its region; its values must have no uses elsewhere when the module is verified.
  void erase() const;
  /// Moves every operation of this block to the end of `other`.
  void spliceInto(const Block &other) const;
};

class TRISECT_API Region : public InModule {
public:
  Block addBlock(std::span<const Type> types) const;
  /// Moves a block here, to the end.
  void append(const Block &block) const;
  /// Moves all blocks of `other` here, to the end.
  void takeBody(const Region &other) const;
  std::vector<Block> blocks() const;
  Operation parentOp() const;
};

class TRISECT_API Operation : public InModule {
public:
  std::string name() const;
  std::string str() const;
  unsigned operandCount() const;
  Value operand(unsigned index) const;
  void setOperand(unsigned index, const Value &value) const;
  unsigned resultCount() const;
  Value result(unsigned index) const;
  unsigned regionCount() const;
  Region region(unsigned index) const;
  std::optional<Block> block() const;
  std::optional<Operation> parentOp() const;
  std::optional<Attribute> attribute(std::string_view name) const;
  std::vector<std::pair<std::string, Attribute>> attributes() const;
  void setAttribute(std::string_view name, const Attribute &attribute) const;
  void removeAttribute(std::string_view name) const;
  Location location() const;
  /// Takes the operation out of its block; its results must be unused.
  void erase() const;
  void moveBefore(const Operation &other) const;
  void moveToEnd(const Block &block) const;
  /// Throws InvalidInput if this operation, or one nested in it, is not valid.
  void verify() const;
};

/// A `tt.func`.
class TRISECT_API Function : public Operation {
public:
  std::string symbol() const;
  Block entry() const;
  Block addBlock(std::span<const Type> types) const;
  std::vector<Type> argumentTypes() const;
  std::vector<Type> resultTypes() const;
  /// Replaces the result types, for a function whose results are known after its body.
  void setResultTypes(std::span<const Type> types) const;
  void setArgumentAttribute(unsigned index, std::string_view name, const Attribute &attribute) const;
};

class TRISECT_API Module {
public:
  Operation operation() const;
  Block body() const;
  Context context() const;
  std::vector<Function> functions() const;
  std::optional<Function> function(std::string_view symbol) const;
  /// All operations, each after those of its regions.
  std::vector<Operation> walk() const;
  void verify() const;
  std::string str(bool generic, bool locations) const;
  std::string bytecode() const;
  /// Gives each operation its place in the module's text, which is to lie in `file`; the text.
  std::string locateInText(std::string_view file) const;
  Module clone() const;
  /// Runs an MLIR pipeline such as "canonicalize,cse"; handles into the module end here.
  void runPasses(std::string_view pipeline) const;

  ModulePtr state;
};

/// Reads TTIR text or bytecode into `context`, or into a fresh one.
TRISECT_API Module parse(std::string_view source, std::string_view fileName, const Context *context);

/// Where the next operation goes.
struct InsertionPoint {
  std::optional<Block> block;
  std::optional<Operation> before; ///< nothing: at the end
};

class TRISECT_API Builder {
public:
  explicit Builder(const Context &context);
  Context context() const;

  Module createModule();
  struct Argument {
    Type type;
    std::string name;
    std::vector<NamedAttribute> attributes;
  };
  Function createFunction(const Module &module, std::string_view name, std::span<const Argument> arguments,
                          std::span<const Type> results, std::string_view visibility,
                          std::span<const NamedAttribute> attributes);
  /// A block outside of any region, to be filled first and placed later.
  Block createBlock(std::span<const Type> types);

  Location location() const;
  void setLocation(const Location &location);

  InsertionPoint insertionPoint() const;
  void setInsertionPoint(const InsertionPoint &point);
  void setInsertionPointToStart(const Block &block);
  void setInsertionPointToEnd(const Block &block);
  void setInsertionPointBefore(const Operation &operation);
  void setInsertionPointAfter(const Operation &operation);

  Operation op(std::string_view name, std::span<const Value *const> operands,
               std::span<const Type *const> results, std::span<const NamedAttribute> attributes,
               unsigned regions, std::span<const Block *const> successors);
  /// A scalar or splat constant: integers wrap to the width, floats round to nearest.
  Value constantInt(const Type &type, uint64_t bits);
  Value constantFloat(const Type &type, double value);

private:
  std::shared_ptr<BuilderState> state;
};

} // namespace trisect::ir

#endif // TRISECT_PYTHON_BINDINGS_FACADE_IR_H

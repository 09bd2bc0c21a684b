//===- Outcome.h - the ways in which work can fail, never mixed -----------------------------------------===//
//
// What: the exception types that cross the layers of Trisect. A *kernel fault* says that the user's kernel is
// wrong, *unsupported* that a tier cannot run it, *invalid input* that text, an option or an argument makes
// no sense, an *engine error* that Trisect is wrong. Why: a caller (Python, the cross-check, a test) must act
// differently on each, and none may end the process. Limits: never thrown through a frame of libMLIR or
// libLLVM, which are built without exceptions; code inside their callbacks records the error and throws after
// they return.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_OUTCOME_H
#define TRISECT_CORE_SUPPORT_OUTCOME_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trisect {

/// A position in user-visible source: a kernel's Python file or a .ttir file. Line 0 means unknown.
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;

  bool known() const { return line > 0; }
  /// `file:line:column`, `file:line` without a column, `<unknown>` without a line.
  std::string str() const;
  friend bool operator==(const SourcePosition &, const SourcePosition &) = default;
};

/// Base of all outcomes; `what()` is the whole text for the user.
class Error : public std::runtime_error {
public:
  Error(const std::string &text, SourcePosition position = {})
      : std::runtime_error(text), where(std::move(position)) {}
  const SourcePosition &position() const { return where; }

private:
  SourcePosition where;
};

/// TTIR text, an option or an argument that makes no sense.
class InvalidInput : public Error {
  using Error::Error;
};

/// A tier cannot run this; the text names the operation or type and the tier.
class Unsupported : public Error {
  using Error::Error;
};

/// Trisect itself is wrong.
class EngineError : public Error {
  using Error::Error;
};

/// A kernel needs more of something than the device has; another configuration may fit.
class OutOfResources : public Unsupported {
public:
  /// `name` as upstream's runtime spells it: `shared memory`, `threads`.
  OutOfResources(int64_t required, int64_t limit, std::string name)
      : Unsupported("out of resource: " + name + ", Required: " + std::to_string(required) +
                    ", Hardware limit: " + std::to_string(limit) +
                    ". Reducing block sizes or `num_stages` may help."),
        required(required), limit(limit), name(std::move(name)) {}

  const int64_t required, limit;
  const std::string name;
};

/// The assembler of a device's code refused it; the text holds its log.
class AssemblerError : public Error {
  using Error::Error;
};

enum class FaultKind : uint8_t {
  OutOfBounds,
  UninitializedRead,
  UndefinedValue,
  Race,
  StoreConflict,
  RedundantStore,
  IntegerOverflow,
  BrokenHint,
  Misaligned,
  Assert,
  Deadlock,
  NanOrigin,
};

/// The public name of a kind, such as `out-of-bounds`.
std::string_view faultKindName(FaultKind kind);
/// The kind of a public name, or nothing.
std::optional<FaultKind> faultKindFromName(std::string_view name);

struct Finding;

/// The facts of a fault; `message` holds the five parts as text.
struct Fault {
  FaultKind kind = FaultKind::Assert;
  std::string kernel;
  SourcePosition position;
  std::array<int32_t, 3> programId = {0, 0, 0};
  std::string message;
  /// Further facts by name (tensor, index, bytes ...), in the order in which a report prints them.
  std::vector<std::pair<std::string, std::string>> details;
  /// All that a sanitizer knows (Finding.h); null for other faults.
  std::shared_ptr<const Finding> finding;
};

/// The user's kernel is wrong.
class KernelFault : public Error {
public:
  explicit KernelFault(Fault fault) : Error(fault.message, fault.position), facts(std::move(fault)) {}
  const Fault &fault() const { return facts; }

private:
  Fault facts;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_OUTCOME_H

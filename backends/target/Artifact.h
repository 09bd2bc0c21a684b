//===- Artifact.h - a compiled kernel as a value --------------------------------------------------------===//
//
// What: all that a target made of one kernel: the bytes that a device loads, how they are entered, what they
// assume of a launch, and what is known of them for reports.
// Why: a value can be cached, written to a file and loaded in another process, without the compiler.
// Limits: bound to no process and no address; immutable once made.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_ARTIFACT_H
#define TRISECT_BACKENDS_TARGET_ARTIFACT_H

#include "backends/target/Formula.h"
#include "core/support/NumericProfile.h"
#include "core/support/Outcome.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trisect {

/// What a compiler may take for granted of the launches of a form of a kernel.
enum class Form : uint8_t {
  Disjoint, ///< no two pointer arguments reach the same memory
  Any,      ///< nothing
};

/// Something that the code relies on; a launch for which it does not hold needs another form.
struct Guard {
  enum class Kind : uint8_t { Disjoint }; ///< no two of `arguments` reach the same memory
  Kind kind = Kind::Disjoint;
  std::vector<uint32_t> arguments;
  friend bool operator==(const Guard &, const Guard &) = default;
};

/// The kernel after one step of compilation, as a file of that kind would hold it: `ttir`, `llir`, `ptx` ...
struct Stage {
  std::string name;
  std::string content;
  bool binary = false;
  friend bool operator==(const Stage &, const Stage &) = default;
};

/// What a launch takes of the machine; 0 where a target has no such thing.
struct Resources {
  int64_t scratchBytes = 0; ///< memory of each host thread
  int64_t sharedBytes = 0;  ///< memory of each block of a GPU
  int32_t registers = 0;
  int32_t spills = 0;
  int32_t maxThreads = 0;
  int32_t warps = 0;
  friend bool operator==(const Resources &, const Resources &) = default;
};

enum class AssertionKind : uint8_t {
  User,      ///< tt.assert
  LoopStep,  ///< a loop starts with a step below 1
  Undefined, ///< an undefined value decides; the message is the headline
};

/// A check of a kernel, which compiled code knows by its number.
struct Assertion {
  AssertionKind kind = AssertionKind::User;
  std::string message;
  SourcePosition position;
  friend bool operator==(const Assertion &, const Assertion &) = default;
};

/// A loop that may wait for another program, which compiled code knows by its number.
struct WaitPlace {
  SourcePosition reads; ///< the first operation in it that reads memory
  SourcePosition loop;
  bool blocks = false; ///< it carries blocks, not only scalars
  friend bool operator==(const WaitPlace &, const WaitPlace &) = default;
};

/// One of two ways through the code, which compiled code knows by its number.
struct Path {
  std::string purpose;
  SourcePosition position;
  bool late = false;   ///< a program may have done what lasts before it comes there: an atomic, a print
  bool kept = false;   ///< it may have written; what it wrote can be put back
  int32_t within = -1; ///< the number of another path, which it takes before it comes there; -1: none
  friend bool operator==(const Path &, const Path &) = default;
};

/// What a kernel does by atomics on its memory.
enum class AtomicsUse : uint8_t {
  None,
  Locked,
  OftenPlain, ///< some have a form without locks, for a launch that is alone (core/support/AtomicsGate.h)
};

/// What stores of a kernel that can go past the caches write.
struct Streamed {
  int64_t bytes = 0; ///< in a round of the loops around them
  Formula rounds;    ///< of a program; empty: one
  friend bool operator==(const Streamed &, const Streamed &) = default;
};

/// Lines of one file that the kernel was made from, those of helpers among them.
struct SourceSpan {
  std::string file;
  int32_t firstLine = 0, lastLine = 0;
  friend bool operator==(const SourceSpan &, const SourceSpan &) = default;
};

struct Artifact {
  std::string target; ///< as in TRISECT_TIER
  std::string isa;    ///< everything of a machine that the code depends on
  std::string kernel;
  std::string symbol; ///< the entry point in `code`
  uint32_t abi = 0;   ///< version of the entry point's convention
  NumericProfile numerics = NumericProfile::Ieee;
  std::string code; ///< what a device loads
  std::vector<Stage> stages;
  Resources resources;
  std::vector<Guard> guards;
  std::vector<Assertion> asserts;
  std::vector<WaitPlace> waits; ///< if there are any, programs need one another: they run as a whole grid
  std::vector<Path> paths;
  AtomicsUse atomics = AtomicsUse::None;
  std::vector<uint32_t> plainArguments; ///< behind which atomics have a form without locks
  std::vector<Streamed> streamed;       ///< what a program may write past the caches
  std::vector<SourceSpan> sources;
  std::string info; ///< what else the target's own devices know of the code, in a form of theirs

  /// The stage of that name, or null.
  const Stage *stage(std::string_view name) const;
  friend bool operator==(const Artifact &, const Artifact &) = default;
};

/// Bytes for a file, with a checksum.
std::string serialize(const Artifact &artifact);
/// Throws InvalidInput if the bytes are not what serialize() gave.
Artifact deserialize(std::string_view bytes);

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_ARTIFACT_H

//===- Finding.h - the facts of one defect that a sanitizer found ---------------------------------------===//
//
// What: everything that a report of a defect may show: where, which program, which element of which tensor,
// how far off, the related site (the other access, where a value was born), and how often it was seen.
// Why: text, JSON and pages are rendered from the same facts, outside the interpreter. Limits: plain data;
// holds no pointer into the launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_FINDING_H
#define TRISECT_CORE_SUPPORT_FINDING_H

#include "core/support/DType.h"
#include "core/support/Outcome.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trisect {

/// A place in the kernel and the program that was there.
struct FindingSite {
  SourcePosition position;
  std::vector<SourcePosition> callers; ///< the calls it came through, innermost first
  std::optional<std::array<int32_t, 3>> programId;
  std::string operation; ///< the TTIR name, such as `tt.load`
  std::string role;      ///< of a related site: `written by`, `read by`, `born`, `promised`, `other lane`
  std::string text;      ///< one sentence about it, without its position
};

/// A tensor of the launch as it was passed.
struct FindingTensor {
  int argument = -1;
  std::string name;
  uint64_t address = 0;
  DType type = DType::F32;
  std::vector<int64_t> shape, strides; ///< strides in elements
  bool isSigned = true;
};

struct Finding {
  FaultKind kind = FaultKind::OutOfBounds;
  std::string kernel;
  FindingSite site;
  std::vector<FindingSite> related;

  std::string headline; ///< the facts in one sentence
  std::string value; ///< the offending value: both values of a conflict, the exact product that wrapped ...
  std::string variable; ///< the kernel variable at fault, if the source names it

  std::array<int32_t, 3> grid = {0, 0, 0}; ///< of the launch
  /// What the source's variables held: name, and type and value in a few words.
  std::vector<std::pair<std::string, std::string>> variables;

  // The access, if there is one.
  bool writes = false;
  uint64_t address = 0;
  int64_t bytes = 0;                   ///< of one element of the access
  std::optional<FindingTensor> tensor; ///< whose pointer it was made from
  std::vector<int64_t> index;          ///< by dimension of `tensor`; outside its shape if out of bounds
  /// Bytes between the view and the access: positive behind its end, negative before its start, 0 inside (a
  /// gap of a strided view).
  int64_t distance = 0;
  std::optional<FindingTensor> landsIn; ///< the other argument that the access hits
  std::vector<int64_t> landsIndex;
  /// By element of `tensor`, row-major: 1 read, 2 written, 3 both, up to and with this access. Empty if the
  /// tensor is large.
  std::vector<uint8_t> touched;

  // The lane of the block.
  std::vector<int64_t> lane, block; ///< index of the first offending lane and the extent of the block
  int64_t lanes = 1;                ///< offending lanes of this execution

  int64_t count = 1;                            ///< executions with a defect of this kind on this line
  std::vector<std::array<int32_t, 3>> programs; ///< the first programs that had it, at most 16
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_FINDING_H

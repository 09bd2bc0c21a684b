//===- Report.h - the facts of a finding ----------------------------------------------------------------===//
//
// What: a finding at an instruction, with its place, the variables around it, tensor, index and lanes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_REPORT_H
#define TRISECT_INTERP_SHADOW_REPORT_H

#include "interp/shadow/Travel.h"

namespace trisect::interp {

/// The lanes of an instruction that are at fault.
struct FaultyLanes {
  int64_t first = -1;
  int64_t count = 0;
  void add(int64_t lane) {
    if (!count++)
      first = lane;
  }
};

Finding findingAt(const Travel &travel, const Instr &i, FaultKind kind);
FindingSite siteOf(const Travel &travel, const Instr &i);
void addTensor(const Travel &travel, Finding &finding, int32_t tensor, uint64_t address);
void addLanes(Finding &finding, const Shape &shape, FaultyLanes lanes);
/// The name of a slot in the source, or nothing.
std::string nameOf(const Instance &s, SlotId slot);
/// Throws the finding as a fault, or counts it.
void report(Travel &travel, Finding finding, const Instr &i);
/// Numbers as Python shows a tuple.
std::string tupleText(const std::vector<int64_t> &numbers);
/// "1 byte", "2 bytes".
std::string bytesText(int64_t bytes);
/// What the instruction does to memory.
const char *accessVerb(const Instr &i);
/// The bits of an element as a number, signed as those of the tensor are, if it is known.
std::string elementText(const char *data, DType type, const std::optional<FindingTensor> &tensor);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_REPORT_H

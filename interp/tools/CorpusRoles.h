//===- CorpusRoles.h - what integer parameters mean to a kernel -----------------------------------------===//
//
// What: for every integer parameter whether it is a size (compared, divided by, a loop's bound, a shape) and
// of which pointers it is a stride (something is multiplied by it on the way into an address). Why: strides
// that do not fit the sizes make rows overlap, and programs write over each other in a way that no caller
// would ask for. Limits: follows slots, not memory; a parameter may be both.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSROLES_H
#define TRISECT_INTERP_TOOLS_CORPUSROLES_H

#include "interp/program/Program.h"

namespace trisect::tools {

class CorpusRoles {
public:
  explicit CorpusRoles(const interp::Program &program);

  bool isSize(size_t parameter) const { return parameter < strides.size() && sizes >> parameter & 1; }
  /// Whether integers in the memory of a pointer become pointers.
  bool isTable(size_t parameter) const { return parameter < strides.size() && tables >> parameter & 1; }
  /// For a parameter that is only a stride: how many strides of the same pointer follow it. Else -1.
  int strideRank(size_t parameter) const;
  /// The product of so many inner extents of the largest block that is moved through a pointer of which the
  /// parameter is a stride.
  int64_t blockExtent(size_t parameter, int dimensions) const;

private:
  struct Slot {
    uint64_t same = 0;   ///< parameters that it may be equal to
    uint64_t sum = 0;    ///< parameters that it is a sum with
    uint64_t factor = 0; ///< parameters that a part of it was multiplied by
    uint64_t base = 0;   ///< pointers that it was made from
    uint64_t entry = 0;  ///< pointers whose memory it was loaded from
    auto operator<=>(const Slot &) const = default;
  };

  bool visit(const interp::Program &program, const interp::Instr &i);
  bool elementwise(const interp::Program &program, const interp::Instr &i);
  bool tile(const interp::Program &program, const interp::Instr &i);
  bool into(interp::SlotId slot, const Slot &more);
  bool size(interp::SlotId slot);
  bool stride(uint64_t base, uint64_t which);
  void moves(const interp::Program &program, const interp::Instr &i);

  std::vector<Slot> slots;
  uint64_t sizes = 0, tables = 0;
  std::vector<uint64_t> strides;             ///< by pointer
  std::vector<const interp::Shape *> blocks; ///< by pointer: the largest, or null
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSROLES_H

//===- CorpusPlan.h - ways to make up arguments ---------------------------------------------------------===//
//
// What: which numbers a plan gives to integers, to memory and to the grid, and the plans in the order in
// which they are tried. Why: what a fair call of an unknown kernel is cannot be read off its text alone; a
// kernel that one of a few ordinary calls runs without a finding had only been called badly by the others.
// Limits: a defect that shows in every plan stays; one that only some calls show is not looked for.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSPLAN_H
#define TRISECT_INTERP_TOOLS_CORPUSPLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace trisect::tools {

struct CorpusPlan {
  enum class Integers : uint8_t {
    OneSize,   ///< the largest extent of a block, 128 at most
    Rows,      ///< sizes hold all blocks of all programs; strides are those of rows of such sizes
    UnitRows,  ///< likewise, where the last stride of each pointer is 1
    BlockRows, ///< one size; strides are those of rows of the pointer's blocks
    SmallSize, ///< 16
    One,       ///< 1
  };
  enum class Data : uint8_t {
    Small,    ///< 0 to 7; floats between -2 and 2
    Positive, ///< 1 to 8; floats above 0
    Index,    ///< the element's index
    Bits,     ///< 0 and 1
    Zero,
  };

  Integers integers = Integers::OneSize;
  Data data = Data::Small;
  int programs = 2; ///< on each axis that the kernel asks for

  std::string text() const;
  /// The plan that is tried first stands first.
  static const std::vector<CorpusPlan> &all();
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSPLAN_H

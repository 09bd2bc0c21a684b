//===- Summary.h - values of a running program in one line ----------------------------------------------===//
//
// What: the value of a slot as people read it, and the variables of the source by name. Why: traces, findings
// and the debugger say what a value was.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_SUMMARY_H
#define TRISECT_INTERP_OBSERVE_SUMMARY_H

#include "interp/exec/Instance.h"
#include <string>
#include <utility>
#include <vector>

namespace trisect::interp {

/// The elements of a slot in row-major order.
std::vector<uint8_t> elementsOf(const Instance &instance, SlotId slot);

/// A slot's value in one line: type, elements as NumPy shows them, and of a shortened block least, most and
/// the number of NaNs.
std::string summarise(const Instance &instance, SlotId slot);

/// The variables that instructions before `next` gave a value, by their names in the source: name and
/// summary.
std::vector<std::pair<std::string, std::string>> namedValues(const Instance &instance, const Instr &next);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_SUMMARY_H

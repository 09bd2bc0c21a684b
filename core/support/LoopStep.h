//===- LoopStep.h - what is said of a loop whose step is no step ----------------------------------------===//
//
// What: the headline of the fault that every tier raises when a loop starts with a step below 1. Why: such a
// loop has no trip count; one with step 0 would never end.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_LOOPSTEP_H
#define TRISECT_CORE_SUPPORT_LOOPSTEP_H

#include <cstdint>
#include <string>

namespace trisect {

inline std::string badLoopStep(int64_t step) {
  return "the step of this loop is " + std::to_string(step) +
         "; a range whose step is known at run time alone counts upwards, by 1 or more";
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_LOOPSTEP_H

//===- LaunchRecord.h - what one launch did, for pictures -----------------------------------------------===//
//
// What: the operations that a launch ran with their costs, the footprint of every load, store and atomic on
// the tensors of the launch, and when the first programs ran what. Why: interp/ fills it and Python draws it,
// and neither must know the other. Limits: plain data; times are those of an observed run, where nothing is
// fused.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_LAUNCHRECORD_H
#define TRISECT_CORE_SUPPORT_LAUNCHRECORD_H

#include "core/support/Launch.h"
#include "core/support/Outcome.h"
#include <cstdint>
#include <string>
#include <vector>

namespace trisect {

/// One operation of the kernel, over all programs.
struct OperationRecord {
  SourcePosition position;
  std::vector<SourcePosition> callers; ///< the calls it was expanded at, innermost first
  std::string mnemonic;
  std::string result; ///< what the source calls its first result; may be empty
  int64_t executions = 0;
  int64_t elements = 0;
  int64_t nanoseconds = 0;
  /// Of operations that touch memory: distinct sectors of 32 bytes, added up over the executions; lanes in
  /// all and those that a mask left active; byte strides per dimension in the last execution, if it had any.
  int64_t sectors = 0;
  int64_t activeLanes = 0;
  std::vector<int64_t> strides;
  bool regular = false; ///< `strides` says all about the addresses of the last execution
};

/// What one operation did to one tensor.
struct AccessRecord {
  uint32_t operation = 0;
  int32_t tensor = -1; ///< index into LaunchRecord::tensors; -1: memory of no argument
  bool reads = false, writes = false;
  int64_t bytes = 0;
  /// By granule of the tensor: element accesses, and programs that made them.
  std::vector<uint32_t> touches, programs;
};

struct TensorRecord {
  TensorView view;
  /// Row-major elements that share one count; 1 for small tensors.
  int64_t granule = 1;
};

/// One operation of one program, in nanoseconds after the launch began.
struct TimelineEvent {
  uint32_t operation = 0;
  int64_t program = 0, start = 0, duration = 0;
};

struct LaunchRecord {
  std::string kernel;
  Grid grid;
  int64_t nanoseconds = 0;
  std::vector<OperationRecord> operations;
  std::vector<TensorRecord> tensors;
  std::vector<AccessRecord> accesses;
  std::vector<TimelineEvent> timeline;
  int64_t eventsLeftOut = 0; ///< by the limit on the timeline
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_LAUNCHRECORD_H

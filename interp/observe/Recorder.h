//===- Recorder.h - a launch written down for pictures --------------------------------------------------===//
//
// What: rides on a run as observer and as memory mode and fills a LaunchRecord. Why: what a kernel touches,
// how often and by whom is seen at a glance and hard to read from code. Limits: one thread; bodies of reduce,
// scan and map count as part of their operation; the timeline holds the first events only.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_RECORDER_H
#define TRISECT_INTERP_OBSERVE_RECORDER_H

#include "interp/exec/Observer.h"
#include "interp/observe/Footprint.h"
#include <chrono>

namespace trisect::interp {

class Recorder final : public Observer, public MemoryPolicy {
public:
  static constexpr size_t mostEvents = 20'000;

  /// `under`: the memory of the run; null for the process's own.
  Recorder(const Program &program, const LaunchRequest &request, MemoryPolicy *under = nullptr);

  void before(Instance &instance, const Instr &instr) override;
  void after(Instance &instance, const Instr &instr) override;
  void read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) override;
  void write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) override;

  /// What was seen since the start; the recorder is empty afterwards.
  LaunchRecord take();

private:
  using Clock = std::chrono::steady_clock;
  struct Counter {
    AccessRecord access;
    std::vector<int64_t> lastProgram; ///< by granule
  };
  void touch(const AccessSite &site, uint64_t address, int64_t bytes, bool writes);
  Counter &counterOf(int tensor);
  void describe(const Instr &instr, OperationRecord &operation) const;

  const Program &program;
  MemoryPolicy *under;
  TensorMaps maps;
  LaunchRecord record;
  std::vector<uint32_t> operationOf; ///< by instruction, one more than the index; 0: not run yet
  std::vector<Counter> counters;
  std::vector<std::vector<uint32_t>> countersOf; ///< by operation
  uint32_t current = 0;
  int lanesReads = 0;            ///< reads by which `current` touches a lane once, if it writes it too
  int64_t reads = 0;             ///< of `current` so far
  std::vector<uint64_t> sectors; ///< touched by the instruction that runs now
  Clock::time_point launched, started;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_RECORDER_H

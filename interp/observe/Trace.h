//===- Trace.h - a program instance told instruction by instruction -------------------------------------===//
//
// What: an observer that prints each instruction of one program with its place in the source and summaries of
// its operands and results, and one that keeps every intermediate block for others to look at. Why: to see
// where a number comes from, and to compare intermediate values between tiers. Limits: bodies of reduce, scan
// and map count as one instruction.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_TRACE_H
#define TRISECT_INTERP_OBSERVE_TRACE_H

#include "interp/exec/Observer.h"
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace trisect::interp {

class Trace final : public Observer {
public:
  /// `program` is a linear id; lines go to `print`.
  Trace(int64_t program, std::function<void(const std::string &)> print)
      : program(program), print(std::move(print)) {}
  void before(Instance &instance, const Instr &instr) override;
  void after(Instance &instance, const Instr &instr) override;

private:
  int64_t program;
  std::function<void(const std::string &)> print;
  std::string operands;
};

/// One intermediate block.
struct ProbedBlock {
  const Instr *instr = nullptr;
  SlotId slot = noSlot;
  DType type = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
};

/// Hands every result of one program, as elements, to a function.
class Probe final : public Observer {
public:
  Probe(int64_t program, std::function<void(ProbedBlock)> take) : program(program), take(std::move(take)) {}
  void after(Instance &instance, const Instr &instr) override;

private:
  int64_t program;
  std::function<void(ProbedBlock)> take;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_TRACE_H

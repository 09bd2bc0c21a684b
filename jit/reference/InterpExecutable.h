//===- InterpExecutable.h - tier 0 ----------------------------------------------------------------------===//
//
// What: decodes a kernel once and interprets it; also runs chosen programs of it with their writes kept
// aside, which is what compiled tiers are compared with. Limits: memory of a device is read through the host
// page by page, by one thread.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REFERENCE_INTERPEXECUTABLE_H
#define TRISECT_JIT_REFERENCE_INTERPEXECUTABLE_H

#include "core/support/Executable.h"
#include "core/support/LaunchRecord.h"
#include "core/support/Sanitize.h"
#include "interp/program/Program.h"
#include "jit/kernel/Kernel.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace trisect::interp {
class MemoryPolicy;
class Observer;
class Overlay;
struct RunOptions;
} // namespace trisect::interp

namespace trisect::jit {

class InterpExecutable final : public Executable {
public:
  /// Throws Unsupported.
  static std::unique_ptr<InterpExecutable> decode(const Kernel &kernel);

  explicit InterpExecutable(std::shared_ptr<const interp::Program> program) : program(std::move(program)) {}
  void launch(const LaunchRequest &request) override;
  /// In shadow mode, which looks for the defects that `sanitize` names.
  void launchSanitized(const LaunchRequest &request, const SanitizeOptions &sanitize) const;
  /// As launch(), and writes down what happened.
  LaunchRecord launchRecorded(const LaunchRequest &request) const;
  /// Runs programs one after another; their writes go to `overlay`, and nothing is printed.
  void runAside(const LaunchRequest &request, ProgramRange programs, interp::Overlay &overlay,
                interp::Observer *observer = nullptr) const;
  /// As runAside(), but the programs run side by side, so that one may wait for another.
  void runTogether(const LaunchRequest &request, ProgramRange programs, interp::Overlay &overlay) const;
  /// Runs programs on memory in place and says what of them leaves results open: undefined values that show,
  /// lanes of one store that conflict, hints that do not hold.
  std::optional<std::string> flawOf(const LaunchRequest &request, ProgramRange programs) const;

  const interp::Program &decoded() const { return *program; }

private:
  void run(
      const LaunchRequest &request, interp::RunOptions &options,
      const std::function<void(interp::MemoryPolicy *)> &withMemory = [](auto *) {}) const;

  std::shared_ptr<const interp::Program> program;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_REFERENCE_INTERPEXECUTABLE_H

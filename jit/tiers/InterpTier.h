//===- InterpTier.h - tier 0 ----------------------------------------------------------------------------===//
//
// What: decodes a kernel once and interprets it; also runs chosen programs of it with their writes kept
// aside, which is what compiled tiers are compared with.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_INTERPTIER_H
#define TRISECT_JIT_TIERS_INTERPTIER_H

#include "core/support/LaunchRecord.h"
#include "core/support/Sanitize.h"
#include "interp/program/Program.h"
#include "jit/kernel/Tier.h"

namespace trisect::interp {
class Overlay;
}

namespace trisect::jit {

class InterpExecutable final : public Executable {
public:
  explicit InterpExecutable(std::shared_ptr<const interp::Program> program) : program(std::move(program)) {}
  void launch(const LaunchRequest &request) override;
  /// In shadow mode, which looks for the defects that `sanitize` names.
  void launchSanitized(const LaunchRequest &request, const SanitizeOptions &sanitize) const;
  NumericProfile numerics() const override { return NumericProfile::Ieee; }
  /// As launch(), and writes down what happened.
  LaunchRecord launchRecorded(const LaunchRequest &request) const;
  /// Runs the program with one linear id; its writes go to `overlay`.
  void runAside(const LaunchRequest &request, int64_t id, interp::Overlay &overlay) const;

private:
  std::shared_ptr<const interp::Program> program;
};

class InterpTier final : public Tier {
public:
  std::string_view name() const override { return "interp"; }
  std::unique_ptr<Executable> compile(std::shared_ptr<const Kernel> kernel) override {
    return decode(*kernel);
  }
  std::unique_ptr<InterpExecutable> decode(const Kernel &kernel);
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_INTERPTIER_H

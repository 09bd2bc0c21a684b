//===- KeptContext.h - a context that its thread uses again ---------------------------------------------===//
//
// What: an MLIRContext as GuardedContext makes it, which the next KeptContext of the thread goes on with.
// Why: making one, loading dialects into it and ending it takes a millisecond, a seventh of what a small
// kernel takes to compile. Limits: a context keeps every type, attribute and place that it has seen, so that
// one serves `mostUses` times and is then made anew; an exception ends it, for nobody knows what it left
// behind. Dialects that an earlier use loaded are there for the next one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_KEPTCONTEXT_H
#define TRISECT_CORE_IR_KEPTCONTEXT_H

#include "core/ir/GuardedContext.h"
#include <exception>
#include <memory>

namespace trisect::tt {

class KeptContext {
public:
  static constexpr int mostUses = 32;

  /// Throws OutOfAddressSpace as GuardedContext does, whether there is a context or not.
  KeptContext(int64_t space, const char *doing);
  /// Nothing may be left that lies in the context.
  ~KeptContext();
  KeptContext(const KeptContext &) = delete;
  KeptContext &operator=(const KeptContext &) = delete;

  mlir::MLIRContext &operator*() const { return *context; }

private:
  std::unique_ptr<GuardedContext> context;
  int uses = 0;
  int exceptions = std::uncaught_exceptions();
};

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_KEPTCONTEXT_H

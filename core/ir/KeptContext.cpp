//===- KeptContext.cpp - the context of each thread -----------------------------------------------------===//
#include "core/ir/KeptContext.h"
#include "core/support/PerThread.h"

namespace trisect::tt {

namespace {
/// Empty while somebody uses it.
struct Kept {
  std::unique_ptr<GuardedContext> context;
  int uses = 0;
};

Kept &mine() {
  static constinit PerThread<Kept> kept;
  return kept.get();
}
} // namespace

KeptContext::KeptContext(int64_t space, const char *doing) {
  requireAddressSpace(space, doing);
  Kept &kept = mine();
  if (kept.context && kept.uses < mostUses) {
    context = std::move(kept.context);
    uses = kept.uses;
  } else {
    kept.context.reset();
    context = std::make_unique<GuardedContext>(space, doing);
  }
}

KeptContext::~KeptContext() {
  if (std::uncaught_exceptions() == exceptions)
    mine() = {std::move(context), uses + 1};
}

} // namespace trisect::tt

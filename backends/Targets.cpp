//===- Targets.cpp - the targets that this build carries ------------------------------------------------===//
#include "backends/Targets.h"

#define TRISECT_TARGET(name)                                                                                 \
  namespace trisect::name {                                                                                  \
  void registerTarget();                                                                                     \
  }
#include "backends/Targets.def"

namespace trisect {

void registerTargets() {
  [[maybe_unused]] static const bool once = [] {
#define TRISECT_TARGET(name) name::registerTarget();
#include "backends/Targets.def"
    return true;
  }();
}

} // namespace trisect

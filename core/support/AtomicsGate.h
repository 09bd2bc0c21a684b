//===- AtomicsGate.h - which launches of this process may change memory by atomics at the moment --------===//
//
// What: each launch of a kernel with atomics on the host's memory is in the gate while its programs run: with
// others, or alone. Why: a launch that is alone, on one thread, need not lock what it adds up; a locked
// instruction takes as long as twenty additions. Limits: knows the launches of this process; alone is only
// who waits for no other launch. A launch that a handler of a signal makes within one that is alone does not
// wait.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_ATOMICSGATE_H
#define TRISECT_CORE_SUPPORT_ATOMICSGATE_H

#include "core/support/LaunchWatch.h"
#include <cstdint>

namespace trisect {

/// A stay in the gate, until its end.
class AtomicsStay {
public:
  enum class Kind : uint8_t {
    None,
    Shared, ///< waits for who is alone, and looks at the watch meanwhile
    Alone,  ///< or shared, if anybody is there
  };
  AtomicsStay(Kind wanted, LaunchWatch &watch);
  ~AtomicsStay();
  AtomicsStay(const AtomicsStay &) = delete;
  AtomicsStay &operator=(const AtomicsStay &) = delete;

  bool isAlone() const { return kind == Kind::Alone; }

private:
  void share(LaunchWatch &watch);

  Kind kind = Kind::None; ///< what it is
  uint32_t process = 0;   ///< by the number of its forks: a child has nobody in its gate
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_ATOMICSGATE_H

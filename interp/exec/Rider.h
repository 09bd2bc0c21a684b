//===- Rider.h - what rides along with a program instance -----------------------------------------------===//
//
// What: an interface that the step loop calls around each instruction, and handlers around the lanes of a
// region's body. Why: one step loop and one set of handlers serve every mode; neither knows what a rider
// carries beside the slots. Limits: a rider may change memory's policy, never a slot; direct mode has none
// and pays one look at a null pointer a turn.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_RIDER_H
#define TRISECT_INTERP_EXEC_RIDER_H

#include "core/support/Finding.h"
#include "core/support/Launch.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace trisect::interp {

struct Instance;
struct Instr;
struct Program;

/// Beside the elements that a reduce, scan or map hands to its body. First comes what the operands carry, in
/// the order of the lanes; then, for each run of the body, `combine` or `takePacked`, `begin`, `enter` and
/// `leave` for each step of it; last what the results get.
class LaneRider {
public:
  virtual ~LaneRider() = default;

  /// Takes the operands with an axis first, as axisFirst() does.
  virtual void takeAxisFirst(int axis, bool reversed) = 0;
  /// The body's arguments are the `lanes` elements from `left` on, and those from `right` on.
  virtual void combine(int64_t left, int64_t right, int64_t lanes) = 0;
  /// The results of the body stand for all elements that are left, or for those from `at` on.
  virtual void replace() = 0;
  virtual void put(int64_t at) = 0;
  /// Hands the elements to the results of the instruction: as they are, or out of axis-first order.
  virtual void give() = 0;
  virtual void giveAxisFirst(int axis, bool reversed) = 0;
  /// Groups of `pack` neighbours of each operand as arguments, and back.
  virtual void takePacked(int64_t pack) = 0;
  virtual void givePacked(int64_t pack) = 0;

  /// The body runs over `lanes` lanes.
  virtual void begin(int64_t lanes) = 0;
  /// Around one pass of the body, over `lanes` lanes from `lane` on.
  virtual void enter(int64_t lane) = 0;
  virtual void leave(int64_t lane, int64_t lanes) = 0;
};

class Rider {
public:
  virtual ~Rider() = default;

  /// Another program begins.
  virtual void restart() = 0;
  virtual void before(const Instr &i) = 0;
  virtual void after(const Instr &i) = 0;
  /// Looks for defects of that kind: the program need not look for them itself.
  virtual bool tells(FaultKind kind) const = 0;
  /// For the body of a reduce, scan or map; null if its operations need not be looked at.
  virtual std::unique_ptr<LaneRider> lanesOf(const Instr &i) = 0;
};

/// Makes the riders of a launch.
class Riders {
public:
  virtual ~Riders() = default;
  virtual std::unique_ptr<Rider> along(Instance &instance) = 0;
  /// What they collected, by source line.
  virtual std::vector<Finding> take() = 0;
};

/// For each run of a launch; empty: nothing rides along.
using RidersOf = std::function<std::unique_ptr<Riders>(const Program &, const LaunchRequest &)>;

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_RIDER_H

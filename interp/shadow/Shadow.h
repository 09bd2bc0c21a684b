//===- Shadow.h - what rides along with a program in shadow mode ----------------------------------------===//
//
// What: the shades of all slots of a program instance, and what is done before and after each instruction:
// taints travel, accesses are checked before they happen, defects are reported. Why: one step loop and one
// set of handlers serve every mode; the handlers never see a shade, but those that run a region's body carry
// the taints of its lanes (LaneTaints.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_SHADOW_H
#define TRISECT_INTERP_SHADOW_SHADOW_H

#include "interp/exec/Instance.h"
#include "interp/shadow/Shade.h"
#include "interp/shadow/ShadowRun.h"
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace trisect::interp {

class Access;

/// Drops what of an access leaves the tensors of the launch, after the defect was counted.
class DroppingMemory final : public MemoryPolicy {
public:
  explicit DroppingMemory(const Views &views) : views(views) {}
  void aim(int32_t tensor, unsigned elementBytes) {
    allowed = tensor;
    size = elementBytes;
  }
  void read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) override;
  void write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) override;

private:
  bool allows(uint64_t address, int64_t bytes) const;

  const Views &views;
  int32_t allowed = Views::none;
  unsigned size = 1;
};

class Shadow {
public:
  Shadow(ShadowRun &run, Instance &instance);

  /// Another program begins.
  void restart();
  void before(const Instr &i);
  void after(const Instr &i);

  // For handlers that run a region's body.
  /// Whether the operations of the body must be looked at, one by one.
  bool follows(const Instr &i);
  /// The taints of operand `n` that a body may pass on, one an element.
  TaintLanes taintsOf(const Instr &i, unsigned n);
  void setTaints(const Instr &i, unsigned n, TaintLanes taints);
  Shade &shadeOf(SlotId slot) { return shades[slot]; }
  void enterRegion();
  void leaveRegion();

private:
  /// The lanes of an instruction that are at fault.
  struct Lanes {
    int64_t first = -1;
    int64_t count = 0;
    void add(int64_t lane) {
      if (!count++)
        first = lane;
    }
  };
  /// Where and from what a taint was born in this program.
  struct Birth {
    std::string text;
    int32_t tensor = Views::none;
    uint64_t address = 0;
    std::string value = {}; ///< of a broken hint: what the element is
    int64_t lane = 0;       ///< of a broken hint
  };

  uint32_t indexOf(const Instr &i) const { return static_cast<uint32_t>(&i - s.code); }
  Shade &shade(SlotId slot) { return shades[slot]; }
  /// Operand `n` decides where the program goes on.
  void control(const Instr &i, unsigned n, const char *what);
  Shade &shadeOf(const Instr &i, unsigned n) { return shades[s.operandSlot(i, n)]; }
  bool has(FaultKind kind) const { return run.options.has(kind); }
  void cleanResults(const Instr &i);

  // ShadowElementwise.cpp
  void elementwise(const Instr &i);
  void unite(const Instr &i, Shade &result);
  /// Makers: add to a list of `count` lanes, made when needed.
  void findWraps(const Instr &i, TaintLanes &lanes, int64_t count);
  void findUndefined(const Instr &i, TaintLanes &lanes, int64_t count);

  // ShadowMoves.cpp
  void move(const Instr &i);
  void doubtMoved(const Instr &i);
  void moveElements(const Instr &i);
  void gatherElements(const Instr &i);

  // ShadowBlocks.cpp: reduce, scan, dot, histogram, map and the like
  void fold(const Instr &i);
  void foldLines(const Instr &i, const Shade &source);
  /// Marks sums of a reduction or scan that do not fit their type.
  void findFoldWraps(const Instr &i);
  void count(const Instr &i);

  // ShadowProducts.cpp
  void product(const Instr &i);
  void scaledProduct(const Instr &i);

  // ShadowAssembly.cpp
  void assembly(const Instr &i);

  // ShadowMemory.cpp
  void load(const Instr &i);
  void store(const Instr &i);
  void tile(const Instr &i);
  void rowsOfTile(const Instr &i);
  void atomic(const Instr &i);
  struct Touch {
    const Instr &i;
    const Access &access;
    SlotId element; ///< whose elements move
    int32_t tensor; ///< the pointer's
    bool reads, writes;
    bool atomic = false;
    const Value *value = nullptr; ///< what is written; null for a read-modify-write
  };
  /// All checks of one access; false if some lane must not happen.
  bool touch(const Touch &t, const Shape &shape);
  bool checkBounds(const Touch &t, const Shape &shape);
  void checkUnknown(const Touch &t, int64_t size, Lanes &bad, uint64_t &where);
  void checkAlignment(const Touch &t, const Shape &shape);
  /// Adds to `lanes` those that read memory which nobody wrote.
  void findUnwritten(const Touch &t, TaintLanes &lanes, const Shape &shape);

  // ShadowRaces.cpp
  void checkRaces(const Touch &t, const Shape &shape);
  void checkStoreLanes(const Touch &t, const Shape &shape);
  void synchronise(const Instr &i, const Access &access, unsigned size);
  uint32_t recordFor(const Touch &t);
  std::array<int32_t, 3> programId(int64_t linear) const;

  // ShadowDecide.cpp
  /// Reports if an element of operand `n` is tainted: undefined ones, or those that wrapped. `what`: what it
  /// decides.
  void decides(const Instr &i, unsigned n, const char *what, bool wrapped = false);
  /// The same for live lanes; `wrapped`: those count too.
  void decidesLanes(const Instr &i, unsigned n, const Access &active, const char *what, bool wrapped);
  void checkMask(const Instr &i, unsigned n, const Access &active, const char *what);
  void reportTaint(const Instr &i, Taint taint, SlotId slot, const Shape &shape, Lanes lanes,
                   const char *what);
  /// `used`: how the instruction goes by the hint that gave birth to the taint.
  void reportHint(const Instr &i, Taint taint, std::string used);

  // ShadowHints.cpp
  void checkHints(const Instr &i);
  /// Marks what a load reads through addresses that depend on a broken hint.
  void mislead(const Shade &pointer, const Access &access, TaintLanes &lanes, int64_t count);
  /// Reports a promise of neighbours that leads a load out of its tensor, whatever becomes of what is read.
  void checkReach(const Touch &t, const Shape &shape);
  void checkArguments();
  void checkAssume(const Instr &i);

  // ShadowFinite.cpp
  bool isFiniteAt(SlotId slot, int64_t lane);
  void noteFinite(const Instr &i);
  void checkFinite(const Instr &i);

  // ShadowReport.cpp
  Finding finding(const Instr &i, FaultKind kind) const;
  FindingSite siteOf(const Instr &i) const;
  void addTensor(Finding &finding, int32_t tensor, uint64_t address) const;
  void addLanes(Finding &finding, const Shape &shape, Lanes lanes) const;
  std::string nameOf(SlotId slot) const;
  void report(Finding finding, const Instr &i);

  ShadowRun &run;
  Instance &s;
  std::vector<Shade> shades;
  std::unordered_map<uint32_t, Birth> births; ///< by instruction, of this program
  struct Record {
    uint32_t number = 0, time = 0;
  };
  std::vector<Record> records; ///< of the race check, by instruction
  DroppingMemory dropping;
  MemoryPolicy *usual = nullptr;
  struct Seen {
    uint64_t address;
    int64_t lane;
  };
  std::vector<Seen> table;                  ///< scratch of the search for equal addresses
  std::unordered_set<uint64_t> mappedPages; ///< of memory outside the tensors
  bool inRegion = false;
  Taint doubt = 0;             ///< in a region: what decided a branch, until the branches meet again
  uint32_t doubtEnd = 0;       ///< where they do
  std::vector<uint8_t> inputs; ///< by element: the worst input of the present instruction
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_SHADOW_H

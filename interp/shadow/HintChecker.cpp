//===- HintChecker.cpp - promises that do not hold ------------------------------------------------------===//
//
// Divisibility is promised of the first element of every run of neighbours, as compilers use it (of pointers:
// in bytes, and only of runs of more than one element: the others are read one at a time); contiguity
// and constancy of groups of so many elements, held against the first of the group. What breaks a promise
// matters to a compiler that goes by it for an address. So an element that breaks one is followed into
// addresses, and what is read there into what it decides: wrapped lanes that a mask drops at the store are
// nobody's defect, unless a load of neighbours in memory, as the promise allows it, would leave the tensor.
// An assumption may serve anything and is checked where it stands.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/shadow/Checker.h"
#include "interp/shadow/Decide.h"
#include "interp/shadow/HintReach.h"
#include <algorithm>

namespace trisect::interp {

namespace {

/// Elements of a block as numbers, one dimension at a time.
struct Lines {
  const char *data;
  DType type;
  const Shape &shape;
  int64_t next = 1; ///< from a number to that of its neighbour

  int64_t number(int64_t at) const {
    uint64_t bits = 0;
    std::memcpy(&bits, data + at * byteSize(type), byteSize(type));
    return signedBits(bits, type);
  }
  /// A number, for a report. An address differs from run to run, how far it is off does not.
  std::string shown(int64_t at, int64_t by) const {
    return type == DType::Ptr ? std::to_string(uint64_t(number(at)) % uint64_t(by)) + " past one"
                              : std::to_string(number(at));
  }
  std::string shownFrom(int64_t at, int64_t first) const {
    return type == DType::Ptr ? std::to_string(number(at) - number(first)) + " bytes from the first"
                              : std::to_string(number(at));
  }
  /// Calls visit(element, position in its line, distance of neighbours) for each element along an axis.
  template <typename Visit> void forEach(size_t axis, Visit visit) const {
    int64_t step = 1;
    for (size_t d = axis + 1; d < shape.dims.size(); ++d)
      step *= shape.dims[d];
    for (int64_t at = 0; at < shape.elements; ++at)
      visit(at, at / step % shape.dims[axis], step);
  }
};

int64_t promised(const std::vector<int64_t> &numbers, size_t d) {
  return d < numbers.size() ? numbers[d] : 1;
}

class Hints final : public Checker {
public:
  using Checker::Checker;
  void restart() override;
  void after(const Instr &i) override;
  void touch(Touch &t) override;
  void read(const Touch &t, TaintLanes &lanes) override;
};

/// What a value breaks of one hint.
struct Broken {
  const Instance &s;
  SlotId slot;
  Taint taint;
  TaintLanes lanes = {};
  Birth birth = {};

  void operator()(int64_t at, const char *what, int64_t number, const char *rest, const char *but,
                  const std::string &value) {
    if (lanes.empty()) {
      lanes.assign(static_cast<size_t>(s.shape(slot).elements), 0);
      std::string name = nameOf(s, slot);
      birth.value = but + value;
      birth.text = (name.empty() ? "a value" : "'" + name + "'") + " is promised to " + what +
                   std::to_string(number) + rest + ", but " + birth.value;
      birth.lane = at;
    }
    lanes[static_cast<size_t>(at)] = taint;
  }
};

void checkScalar(const Lines &lines, const Hint &hint, Broken &broken) {
  int64_t by = promised(hint.divisibility, 0);
  if (by <= 1 || lines.number(0) % by == 0)
    return;
  broken(0, "be a multiple of ", by, "", "it is ", lines.shown(0, by));
}

/// Runs of neighbours that begin at no multiple of `by`, element by element.
void checkRuns(const Lines &lines, size_t d, int64_t by, Broken &broken) {
  std::vector<bool> off(static_cast<size_t>(lines.shape.elements));
  lines.forEach(d, [&](int64_t n, int64_t position, int64_t step) {
    bool starts = !position || lines.number(n) != lines.number(n - step) + lines.next;
    bool alone = starts && (position + 1 == lines.shape.dims[d] ||
                            lines.number(n + step) != lines.number(n) + lines.next);
    bool counts = lines.type != DType::Ptr || !alone;
    bool bad = starts ? counts && lines.number(n) % by != 0 : bool(off[static_cast<size_t>(n - step)]);
    off[static_cast<size_t>(n)] = bad;
    if (bad)
      broken(n, "be a multiple of ", by, "", "an element is ", lines.shown(n, by));
  });
}

void checkAxis(const Lines &lines, const Hint &hint, size_t d, Broken &broken) {
  int64_t by = promised(hint.divisibility, d), same = promised(hint.constancy, d),
          run = promised(hint.contiguity, d);
  bool known = lines.next != 0; // what is pointed to is no element
  if (run > 1 && known)
    lines.forEach(d, [&](int64_t n, int64_t position, int64_t step) {
      int64_t behind = position % run, first = n - behind * step;
      if (lines.number(n) != lines.number(first) + behind * lines.next)
        broken(n, "hold ", run, " neighbours in a row", "one of them is ", lines.shownFrom(n, first));
    });
  if (same > 1)
    lines.forEach(d, [&](int64_t n, int64_t position, int64_t step) {
      int64_t first = n - position % same * step;
      if (lines.number(n) != lines.number(first))
        broken(n, "hold ", same, " equal elements in a row", "one of them is ", lines.shownFrom(n, first));
    });
  if (by > 1 && known)
    checkRuns(lines, d, by, broken);
}

void Hints::after(const Instr &i) {
  if (!(travel.plan(i) & ShadowHinted))
    return;
  auto known = s.program.hints.find(s.resultSlot(i));
  if (known == s.program.hints.end())
    return;
  const Hint &hint = known->second;
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  if (isFloat(type) || type == DType::I1 || travel.of(slot).tainted())
    return;
  Value keep;
  keep.setDense(s.pool.acquire(shape.elements * byteSize(type)));
  copyOut(s.slot(slot), type, shape, 0, shape.elements, keep.data);
  Lines lines{keep.data, type, shape, type == DType::Ptr ? hint.pointee : 1};
  Broken broken{s, slot, makeTaint(TaintKind::Promised, travel.indexOf(i))};
  if (shape.rank() == 0)
    checkScalar(lines, hint, broken);
  for (size_t d = 0; d < shape.dims.size(); ++d)
    checkAxis(lines, hint, d, broken);
  if (broken.lanes.empty())
    return;
  travel.of(slot).setLanes(std::move(broken.lanes));
  travel.births[travel.indexOf(i)] = std::move(broken.birth);
}

void Hints::touch(Touch &t) {
  if (t.i.opcode == Opcode::Load)
    checkReach(travel, t);
}

void Hints::read(const Touch &t, TaintLanes &lanes) {
  if (t.through && t.through->tainted())
    mislead(*t.through, t, lanes);
}

void Hints::restart() {
  if (s.linear != 0)
    return;
  for (size_t n = 0; n < s.program.parameters.size(); ++n) {
    const Parameter &parameter = s.program.parameters[n];
    uint64_t given = s.request.args[n];
    if (parameter.descriptor || parameter.divisibility <= 1 || isFloat(parameter.type) ||
        given % parameter.divisibility == 0)
      continue;
    Finding found = findingAt(travel, s.code[0], FaultKind::BrokenHint);
    found.site = {};
    if (s.program.locations.size() > 1)
      found.site.position = s.program.locations[1].position;
    found.site.operation = "tt.func";
    found.variable = parameter.name;
    found.value = std::to_string(given % parameter.divisibility) + " past one";
    found.headline = "argument '" + parameter.name + "' is promised to be a multiple of " +
                     std::to_string(parameter.divisibility) + ", but it is " +
                     std::to_string(given % parameter.divisibility) + " past one";
    addTensor(travel, found, travel.run.views.ofArgument(static_cast<unsigned>(n)), given);
    travel.run.report(std::move(found), s.program.locations.size() > 1 ? 1 : 0);
  }
}

} // namespace

std::unique_ptr<Checker> hintChecker(Travel &travel) { return std::make_unique<Hints>(travel); }

} // namespace trisect::interp

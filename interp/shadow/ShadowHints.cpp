//===- ShadowHints.cpp - promises that do not hold ------------------------------------------------------===//
//
// Divisibility is promised of the first element of every run of neighbours, as compilers use it; contiguity
// and constancy of groups of so many elements, held against the first of the group. What breaks a promise
// matters to a compiler that goes by it for an address. So an element that breaks one is followed into
// addresses, and what is read there into what it decides: wrapped lanes that a mask drops at the store are
// nobody's defect, unless a load of neighbours in memory, as the promise allows it, would leave the tensor.
// An assumption may serve anything and is checked where it stands.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/observe/Trace.h"
#include "interp/ops/AccessLanes.h"
#include "interp/shadow/Shadow.h"
#include <algorithm>

namespace trisect::interp {

namespace {

/// Elements of a block as numbers, one dimension at a time.
struct Lines {
  const char *data;
  DType type;
  const Shape &shape;

  int64_t number(int64_t at) const {
    uint64_t bits = 0;
    std::memcpy(&bits, data + at * byteSize(type), byteSize(type));
    return signedBits(bits, type);
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

} // namespace

void Shadow::checkHints(const Instr &i) {
  auto known = s.program.hints.find(s.resultSlot(i));
  if (!has(FaultKind::BrokenHint) || known == s.program.hints.end())
    return;
  const Hint &hint = known->second;
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  if (isFloat(type) || type == DType::I1 || shade(slot).tainted())
    return;
  TaintLanes lanes;
  Birth birth;
  auto broken = [&](int64_t at, const char *what, int64_t number, const char *rest, const char *but,
                    const std::string &value) {
    if (lanes.empty()) {
      lanes.assign(static_cast<size_t>(shape.elements), 0);
      std::string name = nameOf(slot);
      birth.value = but + value;
      birth.text = (name.empty() ? "a value" : "'" + name + "'") + " is promised to " + what +
                   std::to_string(number) + rest + ", but " + birth.value;
      birth.lane = at;
    }
    lanes[static_cast<size_t>(at)] = makeTaint(TaintKind::Promised, indexOf(i));
  };
  Value keep;
  keep.setDense(s.pool.acquire(shape.elements * byteSize(type)));
  copyOut(s.slot(slot), type, shape, 0, shape.elements, keep.data);
  Lines lines{keep.data, type, shape};
  if (shape.rank() == 0) {
    int64_t by = promised(hint.divisibility, 0);
    if (by > 1 && lines.number(0) % by) {
      // An address differs from run to run, how far it is off does not.
      std::string off = type == DType::Ptr
                            ? std::to_string(uint64_t(lines.number(0)) % uint64_t(by)) + " past one"
                            : std::to_string(lines.number(0));
      broken(0, "be a multiple of ", by, "", "it is ", off);
    }
  }
  for (size_t d = 0; d < shape.dims.size(); ++d) {
    int64_t by = promised(hint.divisibility, d), same = promised(hint.constancy, d),
            run = promised(hint.contiguity, d);
    // Of pointers neighbours lie one element apart, whose size the promise does not tell.
    if (run > 1 && type != DType::Ptr)
      lines.forEach(d, [&](int64_t n, int64_t position, int64_t step) {
        int64_t behind = position % run;
        if (lines.number(n) != lines.number(n - behind * step) + behind)
          broken(n, "hold ", run, " neighbours in a row", "one of them is ", std::to_string(lines.number(n)));
      });
    if (same > 1)
      lines.forEach(d, [&](int64_t n, int64_t position, int64_t step) {
        if (lines.number(n) != lines.number(n - position % same * step))
          broken(n, "hold ", same, " equal elements in a row", "one of them is ",
                 std::to_string(lines.number(n)));
      });
    if (by > 1 && type != DType::Ptr) {
      std::vector<bool> off(static_cast<size_t>(shape.elements));
      lines.forEach(d, [&](int64_t n, int64_t position, int64_t step) {
        bool starts = !position || lines.number(n) != lines.number(n - step) + 1;
        bool bad = starts ? lines.number(n) % by != 0 : bool(off[static_cast<size_t>(n - step)]);
        off[static_cast<size_t>(n)] = bad;
        if (bad)
          broken(n, "be a multiple of ", by, "", "an element is ", std::to_string(lines.number(n)));
      });
    }
  }
  if (lanes.empty())
    return;
  shade(slot).setLanes(std::move(lanes));
  births[indexOf(i)] = std::move(birth);
}

void Shadow::mislead(const Shade &pointer, const Access &access, TaintLanes &lanes, int64_t count) {
  access.forActive([&](uint64_t, int64_t, int64_t from, int64_t length) {
    for (int64_t lane = from; lane < from + length; ++lane) {
      Taint taint = pointer.at(lane);
      if (kindOf(taint) != TaintKind::Promised)
        continue;
      if (lanes.empty())
        lanes.assign(static_cast<size_t>(count), 0);
      if (!lanes[static_cast<size_t>(lane)])
        lanes[static_cast<size_t>(lane)] = makeTaint(TaintKind::Misled, birthOf(taint));
    }
  });
}

namespace {

/// Lanes of a block of addresses along one axis, of which a hint says that they come in groups of neighbours.
struct Groups {
  const std::vector<uint64_t> &addresses;
  const Shade &pointer;
  Taint broken;
  int64_t run, extent, step; ///< of the hint, of the axis, between neighbours along it

  int64_t position(int64_t lane) const { return lane / step % extent % run; }
  int64_t first(int64_t lane) const { return lane - position(lane) * step; }
  bool isBroken(int64_t lane) const { return pointer.at(lane) == broken; }
  /// Whether the group of a lane holds neighbours in memory, elements of `size` bytes.
  bool areNeighbours(int64_t lane, int64_t size) const {
    int64_t begin = first(lane), left = std::min(run, extent - begin / step % extent);
    for (int64_t n = begin; left > 1; n += step, --left)
      if (isBroken(n) == isBroken(n + step) && addresses[n + step] - addresses[n] == uint64_t(size))
        return true;
    return false;
  }
};

} // namespace

void Shadow::checkReach(const Touch &t, const Shape &shape) {
  const Shade &pointer = shadeOf(t.i, 0);
  if (!has(FaultKind::BrokenHint) || !pointer.lanes)
    return;
  int32_t tensor = t.tensor;
  if (uint64_t low, high; tensor == Views::none && t.access.range(low, high))
    tensor = run.views.find(low, static_cast<int64_t>(high - low));
  if (tensor == Views::none)
    return;
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  std::vector<uint64_t> addresses(static_cast<size_t>(shape.elements));
  copyOut(s.operand(t.i, 0), DType::Ptr, shape, 0, shape.elements, addresses.data());
  const Extent &extent = run.views[tensor].extent;
  auto leaves = [&](int64_t lane, int64_t run) {
    for (int64_t d = shape.rank() - 1, step = 1; d >= 0; step *= shape.dims[size_t(d)], --d) {
      Groups groups{addresses, pointer, pointer.at(lane), run, shape.dims[size_t(d)], step};
      int64_t first = groups.first(lane);
      uint64_t allowed = addresses[size_t(first)] + uint64_t(groups.position(lane) * size);
      if (!groups.isBroken(first) && allowed != addresses[size_t(lane)] && !extent.contains(allowed, size) &&
          groups.areNeighbours(lane, size))
        return true;
    }
    return false;
  };
  Taint found = 0;
  t.access.forActive([&](uint64_t, int64_t, int64_t from, int64_t length) {
    for (int64_t lane = from; lane < from + length && !found; ++lane) {
      Taint taint = pointer.at(lane);
      if (kindOf(taint) != TaintKind::Promised)
        continue;
      int64_t run = 1;
      for (int64_t each : s.program.hints.at(s.resultSlot(s.code[birthOf(taint)])).contiguity)
        run = std::max(run, each);
      if (run > 1 && leaves(lane, run))
        found = taint;
    }
  });
  if (found)
    reportHint(t.i, found,
               "a load of neighbours, as the promise allows it, leaves '" + run.views[tensor].view.name +
                   "'");
}

void Shadow::reportHint(const Instr &i, Taint taint, std::string used) {
  const Instr &born = s.code[birthOf(taint)];
  SlotId slot = s.resultSlot(born);
  const Birth &birth = births[birthOf(taint)];
  Finding found = finding(born, FaultKind::BrokenHint);
  if (!found.variables.empty())
    found.variables = namedValues(s, i);
  found.variable = nameOf(slot);
  found.value = birth.value;
  found.headline = birth.text;
  addLanes(found, s.shape(slot), {birth.lane, 1});
  FindingSite promise = siteOf(born);
  promise.position = s.program.locations[s.program.hints.at(slot).location].position;
  promise.role = "promised";
  if (promise.position.line != found.site.position.line || promise.position.file != found.site.position.file)
    found.related.push_back(std::move(promise));
  FindingSite use = siteOf(i);
  use.role = "used by";
  use.text = std::move(used);
  found.related.push_back(std::move(use));
  report(std::move(found), born);
}

void Shadow::checkAssume(const Instr &i) {
  const Value &condition = s.operand(i, 0);
  if (!has(FaultKind::BrokenHint) || condition.isTrue() || shadeOf(i, 0).tainted())
    return;
  SlotId slot = s.operandSlot(i, 0);
  const Shape &shape = s.shape(slot);
  std::vector<uint8_t> truth(static_cast<size_t>(shape.elements));
  copyOut(condition, s.type(slot), shape, 0, shape.elements, truth.data());
  Lanes lanes;
  for (int64_t n = 0; n < shape.elements; ++n)
    if (!(truth[static_cast<size_t>(n)] & 1))
      lanes.add(n);
  if (!lanes.count)
    return;
  Finding found = finding(i, FaultKind::BrokenHint);
  found.variable = nameOf(slot);
  found.headline = "an assumption does not hold";
  if (!found.variable.empty())
    found.headline += ": '" + found.variable + "' is false";
  addLanes(found, shape, lanes);
  report(std::move(found), i);
}

void Shadow::checkArguments() {
  for (size_t n = 0; n < s.program.parameters.size(); ++n) {
    const Parameter &parameter = s.program.parameters[n];
    uint64_t given = s.request.args[n];
    if (parameter.descriptor || parameter.divisibility <= 1 || isFloat(parameter.type) ||
        given % parameter.divisibility == 0)
      continue;
    Finding found = finding(s.code[0], FaultKind::BrokenHint);
    found.site = {};
    if (s.program.locations.size() > 1)
      found.site.position = s.program.locations[1].position;
    found.site.operation = "tt.func";
    found.variable = parameter.name;
    found.value = std::to_string(given % parameter.divisibility) + " past one";
    found.headline = "argument '" + parameter.name + "' is promised to be a multiple of " +
                     std::to_string(parameter.divisibility) + ", but it is " +
                     std::to_string(given % parameter.divisibility) + " past one";
    addTensor(found, run.views.ofArgument(static_cast<unsigned>(n)), given);
    run.report(std::move(found), s.program.locations.size() > 1 ? 1 : 0);
  }
}

} // namespace trisect::interp

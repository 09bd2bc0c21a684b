//===- ShadowHints.cpp - promises that do not hold ------------------------------------------------------===//
//
// Divisibility is promised of the first element of every run of neighbours, as compilers use it; contiguity
// and constancy of groups of so many elements.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/exec/Shadow.h"

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
  /// The first element for which bad(element, position in its line, step) holds, or -1.
  template <typename Bad> int64_t find(size_t axis, Bad bad) const {
    int64_t step = 1;
    for (size_t d = axis + 1; d < shape.dims.size(); ++d)
      step *= shape.dims[d];
    for (int64_t at = 0; at < shape.elements; ++at)
      if (bad(at, at / step % shape.dims[axis], step))
        return at;
    return -1;
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
  auto broken = [&](int64_t at, const std::string &what, const std::string &value) {
    Finding found = finding(i, FaultKind::BrokenHint);
    found.variable = nameOf(slot);
    found.value = value;
    std::string name = found.variable.empty() ? "a value" : "'" + found.variable + "'";
    found.headline = name + " is promised " + what + ", but " + value;
    addLanes(found, shape, {at, 1});
    FindingSite promise = siteOf(i);
    promise.position = s.program.locations[hint.location].position;
    promise.role = "promised";
    found.related.push_back(std::move(promise));
    report(std::move(found), i);
  };
  Value keep;
  keep.setDense(s.pool.acquire(shape.elements * byteSize(type)));
  copyOut(s.slot(slot), type, shape, 0, shape.elements, keep.data);
  Lines lines{keep.data, type, shape};
  int64_t unit = 1; // between neighbours; of pointers one element, whose size the promise does not tell
  if (shape.rank() == 0) {
    int64_t by = promised(hint.divisibility, 0);
    if (by > 1 && lines.number(0) % by) {
      // An address differs from run to run, how far it is off does not.
      std::string off = type == DType::Ptr
                            ? std::to_string(uint64_t(lines.number(0)) % uint64_t(by)) + " past one"
                            : std::to_string(lines.number(0));
      broken(0, "to be a multiple of " + std::to_string(by), "it is " + off);
    }
    return;
  }
  for (size_t d = 0; d < shape.dims.size(); ++d) {
    int64_t by = promised(hint.divisibility, d), same = promised(hint.constancy, d),
            run = promised(hint.contiguity, d);
    if (run > 1 && type != DType::Ptr) {
      int64_t at = lines.find(d, [&](int64_t n, int64_t position, int64_t step) {
        return position % run && lines.number(n) != lines.number(n - step) + unit;
      });
      if (at >= 0)
        return broken(at, "to hold " + std::to_string(run) + " neighbours in a row",
                      "one of them is " + std::to_string(lines.number(at)));
    }
    if (same > 1) {
      int64_t at = lines.find(d, [&](int64_t n, int64_t position, int64_t step) {
        return position % same && lines.number(n) != lines.number(n - step);
      });
      if (at >= 0)
        return broken(at, "to hold " + std::to_string(same) + " equal elements in a row",
                      "one of them is " + std::to_string(lines.number(at)));
    }
    if (by > 1 && type != DType::Ptr) {
      int64_t at = lines.find(d, [&](int64_t n, int64_t position, int64_t step) {
        bool starts = !position || lines.number(n) != lines.number(n - step) + unit;
        return starts && lines.number(n) % by;
      });
      if (at >= 0)
        return broken(at, "to be a multiple of " + std::to_string(by),
                      "an element is " + std::to_string(lines.number(at)));
    }
  }
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

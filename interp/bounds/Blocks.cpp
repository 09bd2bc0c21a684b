//===- Blocks.cpp - ends through moves, reductions and scans --------------------------------------------===//
//
// A reduction by one operation that grows with its operands runs at both ends, in tier 0's own order; where
// the order is free, n roundings of the sum of magnitudes are added. A body that only chooses among elements
// gives one of them. Any other body over open elements, one that approximates, or one that joins elements in
// an order of its own, is in doubt.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/bounds/Bounds.h"
#include "interp/bounds/Elements.h"
#include "interp/bounds/Rounding.h"
#include "interp/exec/Format.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace trisect::interp {

namespace {

/// The lines of a block along one axis.
struct Lines {
  int64_t length, inner, outer;
  Lines(const Shape &shape, size_t axis) : length(shape.dims[axis]), inner(1) {
    for (size_t d = axis + 1; d < shape.dims.size(); ++d)
      inner *= shape.dims[d];
    outer = shape.elements / length / inner;
  }
  int64_t count() const { return outer * inner; }
  size_t element(int64_t line, int64_t n) const {
    return static_cast<size_t>((line / inner * length + n) * inner + line % inner);
  }
};

/// Whether some of a region's operations approximate, and whether all do nothing but choose among their
/// operands.
struct Body {
  bool approximates = false, chooses = true;
  std::vector<SlotId> compared; ///< what comparisons and extremes look at

  Body(const Program &program, const Instr &i, const BoundProfile &profile) {
    const Instr *code = program.code.data();
    for (const Instr *each = &i + 1; each < code + i.target; ++each) {
      if (each->opcode == Opcode::Elementwise)
        look(program, *each, program.type(program.result(*each)), profile);
      else if (!isControl(each->opcode))
        chooses = false;
      else if (each->opcode == Opcode::Branch || each->opcode == Opcode::ForTest)
        chooses = false;
    }
  }

private:
  void look(const Program &program, const Instr &each, DType type, const BoundProfile &profile) {
    approximates |= openUlps(each.op, type, profile) > 0;
    switch (each.op) {
    case OpId::arith_select:
      return;
    case OpId::arith_cmpf:
    case OpId::arith_cmpi:
    case OpId::arith_minimumf:
    case OpId::arith_maximumf:
    case OpId::arith_minnumf:
    case OpId::arith_maxnumf:
    case OpId::arith_minsi:
    case OpId::arith_maxsi:
    case OpId::arith_minui:
    case OpId::arith_maxui:
      for (unsigned n = 0; n < each.numOperands; ++n)
        compared.push_back(program.operand(each, n));
      return;
    default:
      chooses &= type == DType::I1;
    }
  }
};

bool growsWithOperands(OpId op, DType type) {
  switch (op) {
  case OpId::arith_addf:
  case OpId::arith_maximumf:
  case OpId::arith_minimumf:
  case OpId::arith_maxnumf:
  case OpId::arith_minnumf:
  case OpId::arith_maxsi:
  case OpId::arith_minsi:
    return true;
  case OpId::arith_andi:
  case OpId::arith_ori:
  case OpId::arith_maxui:
  case OpId::arith_minui:
    return type == DType::I1;
  default:
    return false;
  }
}

/// Operations that give the same bits in whatever order they join elements.
bool hidesOrder(OpId op) {
  switch (op) {
  case OpId::arith_addi:
  case OpId::arith_muli:
  case OpId::arith_andi:
  case OpId::arith_ori:
  case OpId::arith_xori:
  case OpId::arith_maximumf:
  case OpId::arith_minimumf:
  case OpId::arith_maxnumf:
  case OpId::arith_minnumf:
  case OpId::arith_maxsi:
  case OpId::arith_minsi:
  case OpId::arith_maxui:
  case OpId::arith_minui:
    return true;
  default:
    return false;
  }
}

double magnitude(const Span &span, DType type) {
  return std::max(std::fabs(toDouble(span.low, type)), std::fabs(toDouble(span.high, type)));
}

bool lineInDoubt(const Ends &source, const Lines &lines, int64_t line, DType type) {
  for (int64_t n = 0; n < lines.length; ++n)
    if (source[lines.element(line, n)].inDoubt(type))
      return true;
  return false;
}

/// Sums of integers that cannot wrap around: their magnitudes fit together.
bool sumsFit(const Ends &source, DType type) {
  double total = 0;
  for (const Span &span : source)
    total += std::max(std::fabs(static_cast<double>(rankOf(span.low, type))),
                      std::fabs(static_cast<double>(rankOf(span.high, type))));
  return total < static_cast<double>(highestRank(type));
}

} // namespace

void Bounds::move(const Instance &s, const Instr &i) {
  for (unsigned n = 0; n < i.numResults; ++n)
    pending[n] = endsOf(s, i, n);
}

void Bounds::moveElements(Instance &s, const Instr &i) {
  if (anyOpen(s, i))
    setFromEnds(s, i);
}

void Bounds::map(Instance &s, const Instr &i) {
  if (anyOpen(s, i))
    return setDoubt(s, i, "a function applied to open values");
  const Instr *code = program.code.data();
  for (const Instr *each = &i + 1; each < code + i.target; ++each)
    if (each->opcode == Opcode::Elementwise &&
        openUlps(each->op, program.type(program.result(*each)), profile))
      return setDoubt(s, i, "an approximate function inside a function");
}

/// Adds to the ends of sums what another order of the same terms may change.
static void freeOrder(Ends &sums, const Ends &terms, const Lines &lines, DType type, bool scans) {
  double unit = unitRoundoff(type), most = largestFinite(type);
  for (int64_t line = 0; line < lines.count(); ++line) {
    double total = 0;
    for (int64_t n = 0; n < lines.length; ++n)
      total += magnitude(terms[lines.element(line, n)], type);
    double slack = static_cast<double>(lines.length - 1) * unit * total * (1 + 0x1p-20);
    for (int64_t n = 0; n < (scans ? lines.length : 1); ++n) {
      Span &sum = sums[scans ? lines.element(line, n) : static_cast<size_t>(line)];
      if (!sum.inDoubt(type)) // where some order leaves the type on its way, no number comes back
        sum = total + slack > most ? Span::doubt(type) : loosened(sum, slack, type);
    }
  }
}

// Where the order is free, elements that compare alike are chosen by chance: what comes with them, and is not
// compared itself, is open in a line that has two of them.
void Bounds::loseTies(Instance &s, const Instr &i, const std::vector<SlotId> &compared) {
  const RegionInfo &region = program.extra(i).region;
  Lines lines(s.shape(s.operandSlot(i, 0)), static_cast<size_t>(i.attribute));
  auto isCompared = [&](unsigned n) {
    return std::find(compared.begin(), compared.end(), region.args[n]) != compared.end();
  };
  std::vector<Ends> elements;
  for (unsigned n = 0; n < i.numOperands; ++n) {
    elements.push_back(operandEnds(s, i, n, nullptr));
    if (elements[n].size() == 1)
      elements[n].assign(static_cast<size_t>(lines.count() * lines.length), elements[n].front());
  }
  auto keyAt = [&](int64_t element) {
    std::vector<double> key;
    for (unsigned n = 0; n < i.numOperands; ++n)
      if (isCompared(n))
        key.push_back(toDouble(elements[n][static_cast<size_t>(element)].low, s.type(s.operandSlot(i, n))));
    return key;
  };
  for (unsigned n = 0; n < i.numOperands; ++n) {
    if (isCompared(n))
      continue;
    DType type = s.type(s.resultSlot(i, n));
    std::vector<uint64_t> chosen = runAt(s, i, End::Low)[n];
    Ends out(chosen.size());
    for (size_t at = 0; at < out.size(); ++at)
      out[at] = Span::at(chosen[at]);
    bool lost = false;
    for (int64_t line = 0; line < lines.count(); ++line) {
      std::map<std::vector<double>, uint64_t> seen;
      bool ties = false;
      for (int64_t at = 0; at < lines.length; ++at) {
        int64_t element = lines.element(line, at);
        uint64_t bits = elements[n][static_cast<size_t>(element)].low;
        ties |= seen.emplace(keyAt(element), bits).first->second != bits;
      }
      size_t rows = chosen.size() / static_cast<size_t>(lines.count());
      for (size_t at = 0; ties && at < rows; ++at)
        out[rows == 1 ? static_cast<size_t>(line) : static_cast<size_t>(lines.element(line, int64_t(at)))] =
            Span::doubt(type);
      lost |= ties;
    }
    if (!lost)
      continue;
    noteDoubt(s, i, "which of equal elements is chosen");
    set(n, std::move(out), type);
  }
}

void Bounds::fold(Instance &s, const Instr &i) {
  const RegionInfo &region = program.extra(i).region;
  bool open = anyOpen(s, i), scans = i.opcode == Opcode::Scan, ordered = !profile.freeOrder;
  Lines lines(s.shape(s.operandSlot(i, 0)), static_cast<size_t>(i.attribute));
  Body body(program, i, profile);
  if (!open && !body.approximates && ordered)
    return;
  if (region.single && i.numOperands == 1 && !body.approximates) {
    DType type = s.type(s.resultSlot(i));
    if (!open && hidesOrder(region.op))
      return;
    Ends source = operandEnds(s, i, 0, endsOf(s, i, 0));
    if (source.size() == 1)
      source.assign(static_cast<size_t>(lines.count() * lines.length), source.front());
    bool integerSum = region.op == OpId::arith_addi && type != DType::I1 && sumsFit(source, type);
    if (!integerSum && !growsWithOperands(region.op, type))
      return setDoubt(s, i, "a reduction that does not grow with its operands");
    auto lows = runAt(s, i, End::Low), highs = runAt(s, i, End::High);
    Ends out(lows[0].size());
    for (size_t n = 0; n < out.size(); ++n)
      out[n] = {lows[0][n], highs[0][n]};
    if (region.op == OpId::arith_addf && !ordered)
      freeOrder(out, source, lines, type, scans);
    for (int64_t line = 0; line < lines.count(); ++line)
      if (lineInDoubt(source, lines, line, type))
        for (int64_t n = 0; n < (scans ? lines.length : 1); ++n)
          out[scans ? lines.element(line, n) : static_cast<size_t>(line)] = Span::doubt(type);
    return set(0, std::move(out), type);
  }
  if (!open && body.chooses)
    return ordered ? void() : loseTies(s, i, body.compared);
  if (!body.chooses)
    return setDoubt(s, i, "a reduction by a function");
  for (unsigned n = 0; n < i.numResults; ++n) {
    DType type = s.type(s.resultSlot(i, n));
    Ends source = operandEnds(s, i, n, endsOf(s, i, n));
    if (source.size() == 1)
      source.assign(static_cast<size_t>(lines.count() * lines.length), source.front());
    Ends out(static_cast<size_t>(s.program.elements(s.resultSlot(i, n))));
    for (int64_t line = 0; line < lines.count(); ++line) {
      Span hull = source[lines.element(line, 0)];
      for (int64_t at = 1; at < lines.length; ++at)
        hull = hull.united(source[lines.element(line, at)], type);
      for (int64_t at = 0; at < (scans ? lines.length : 1); ++at)
        out[scans ? lines.element(line, at) : static_cast<size_t>(line)] = hull;
    }
    set(n, std::move(out), type);
  }
}

} // namespace trisect::interp

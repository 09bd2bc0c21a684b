//===- ShuffleConversion.cpp - conversions within a warp ------------------------------------------------===//
//
// How: X maps a thread's register of the result to the lane and register that hold its element, each linear.
// In one round a lane can offer one register only, so that lanes that read from the same lane must want the
// same register. Where they do not, they work on different registers of the result in that round: `result`
// XORs a lane's bits into the register number, chosen so that the lanes read from differ.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/gpu/layouts/Conversion.h"

namespace trisect::gpu {

namespace {
/// What one input bit of the result's holder does to the source's holder.
struct Step {
  Column registers = 0;
  Column lane = 0;
  Step operator+(const Step &other) const { return {registers ^ other.registers, lane ^ other.lane}; }
};

class Finder {
public:
  Finder(const Layout &from, const Layout &to)
      : from(from), to(to), registerBits(from.bits(Bits::Register)), laneBits(from.bits(Bits::Lane)) {
    held.columns = from.of(Bits::Register);
    held.columns.insert(held.columns.end(), from.of(Bits::Lane).begin(), from.of(Bits::Lane).end());
    span = Span(held.columns);
    registersOnly = Span(from.of(Bits::Register));
  }

  std::optional<Shuffle> run() {
    if (from.bits(Bits::Lane) != to.bits(Bits::Lane) || from.bits(Bits::Warp) != to.bits(Bits::Warp) ||
        from.of(Bits::Block) != to.of(Bits::Block))
      return std::nullopt;
    if (!findSteps() || !separateLanes())
      return std::nullopt;
    return plan();
  }

private:
  std::optional<Step> stepFor(Column vector) const {
    std::optional<Column> sum = span.combination(vector);
    if (!sum)
      return std::nullopt;
    return split(*sum);
  }
  Step split(Column inputs) const {
    return {inputs & ((Column(1) << registerBits) - 1), inputs >> registerBits};
  }

  bool findSteps() {
    for (Column vector : to.of(Bits::Register)) {
      std::optional<Step> step = stepFor(vector);
      if (!step)
        return false;
      byRegister.push_back(*step);
    }
    for (unsigned bit = 0; bit < laneBits; ++bit) {
      // A lane that holds the element itself is best.
      Column vector = to.of(Bits::Lane)[bit];
      std::optional<Step> step;
      if (std::optional<Column> own = registersOnly.combination(vector ^ from.of(Bits::Lane)[bit]))
        step = Step{*own, Column(1) << bit};
      else
        step = stepFor(vector);
      if (!step)
        return false;
      byLane.push_back(*step);
    }
    for (unsigned bit = 0; bit < to.bits(Bits::Warp); ++bit) {
      std::optional<Step> step = stepFor(to.of(Bits::Warp)[bit] ^ from.of(Bits::Warp)[bit]);
      if (!step)
        return false;
      byWarp.push_back(*step);
    }
    return true;
  }

  /// Makes the register offered a function of the lane that offers it.
  bool separateLanes() {
    resultOf.assign(laneBits, 0);
    Span lanes;
    Matrix registers; // of the vectors added to `lanes`
    std::vector<unsigned> conflicting;
    auto fits = [&](const Step &step) {
      std::optional<Column> sum = lanes.combination(step.lane);
      return !sum || registers.times(*sum) == step.registers;
    };
    auto accept = [&](const Step &step) {
      lanes.add(step.lane);
      registers.columns.push_back(step.registers);
    };
    for (unsigned bit = 0; bit < laneBits; ++bit) {
      if (fits(byLane[bit]))
        accept(byLane[bit]);
      else
        conflicting.push_back(bit);
    }
    std::vector<Column> copies = kernelOf(held);
    for (unsigned bit : conflicting) {
      bool found = false;
      for (unsigned other = 0; other < byRegister.size() && !found; ++other) {
        Step both = byLane[bit] + byRegister[other];
        if (lanes.contains(both.lane))
          continue;
        resultOf[bit] = Column(1) << other;
        accept(both);
        found = true;
      }
      for (size_t copy = 0; copy < copies.size() && !found; ++copy) {
        Step same = byLane[bit] + split(copies[copy]);
        if (!fits(same))
          continue;
        byLane[bit] = same;
        accept(same);
        found = true;
      }
      if (!found)
        return false;
    }
    return true;
  }

  Shuffle plan() const {
    // Lane bits as they read: with the result's register XORed in.
    Matrix lane, registers;
    for (unsigned bit = 0; bit < laneBits; ++bit) {
      Step step = byLane[bit];
      for (unsigned other = 0; other < byRegister.size(); ++other)
        if (resultOf[bit] >> other & 1)
          step = step + byRegister[other];
      lane.columns.push_back(step.lane);
      registers.columns.push_back(step.registers);
    }
    // offeredBy(source lane) == registers wanted from it.
    Matrix offeredBy = *factor(lane, registers, laneBits);
    auto seen = [&](const Step &step) { return step.registers ^ offeredBy.times(step.lane); };
    Shuffle result;
    for (uint32_t round = 0; round < 1U << byRegister.size(); ++round) {
      Step step;
      for (unsigned bit = 0; bit < byRegister.size(); ++bit)
        if (round >> bit & 1)
          step = step + byRegister[bit];
      result.rounds.push_back({static_cast<uint32_t>(seen(step)), static_cast<uint32_t>(step.lane)});
    }
    std::vector<Column> warpLane, warpOffered;
    for (const Step &step : byWarp) {
      warpLane.push_back(step.lane);
      warpOffered.push_back(seen(step));
    }
    result.offered = xorChain(Bits::Lane, offeredBy.columns);
    append(result.offered, xorChain(Bits::Warp, warpOffered));
    result.lane = xorChain(Bits::Lane, lane.columns);
    append(result.lane, xorChain(Bits::Warp, warpLane));
    result.result = xorChain(Bits::Lane, resultOf);
    return result;
  }

  static void append(XorChain &chain, const XorChain &more) {
    chain.insert(chain.end(), more.begin(), more.end());
  }

  const Layout &from, &to;
  unsigned registerBits, laneBits;
  Matrix held; ///< registers, then lanes of the source
  Span span, registersOnly;
  std::vector<Step> byRegister, byLane, byWarp;
  std::vector<Column> resultOf;
};
} // namespace

std::optional<Shuffle> shuffle(const Layout &from, const Layout &to) { return Finder(from, to).run(); }

} // namespace trisect::gpu

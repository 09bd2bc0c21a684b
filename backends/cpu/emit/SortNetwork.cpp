//===- SortNetwork.cpp - the steps of a sorting network, many of them on registers ----------------------===//
//
// What: emits a network that plan/SortNetwork found. The block is copied into a buffer; steps whose partners
// lie within some vectors are done on these while they stay in registers, one part of the block after the
// other; those between parts go over the block, a pair of vectors at a time.
// A step keeps the smaller one as `partner < own ? partner : own`, the larger one as `own > partner ? own :
// partner`. That is the kernel's own choice, NaN and zeros of either sign included, and one instruction each.
// Where a bit above the part decides, half of the parts are in the opposite order. There the vectors of a
// part are taken in reverse: what decides between vectors is a constant again; lanes choose by a mask.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/plan/SortNetwork.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <bit>
#include <map>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Vectors of a part, by bits: the code doubles with each. Machines with 32 registers have room for more,
/// which saves going over the block once for each run that is longer than a part.
constexpr unsigned usualPart = 3, widestPart = 4;
constexpr unsigned maskedBytes = 64; ///< machines with vectors of so many bytes have registers for masks

bool isOdd(uint64_t bits) { return std::popcount(bits) & 1; }

class NetworkEmitter {
public:
  NetworkEmitter(KernelState &state, const SortNetwork &network, const Buffer &buffer)
      : state(state), network(network), element(emittedType(buffer.element)),
        bytes(memoryBytes(buffer.element)), start(state.code().add(state.scratch, buffer.offset)) {
    unsigned bits = llvm::Log2_64(buffer.elements());
    laneBits = std::min<unsigned>(llvm::Log2_64(state.machine.vectorBytes / bytes), bits);
    vectorBits = bits - laneBits;
    lanes = 1U << laneBits;
    type = vectorOf(element, lanes);
    for (unsigned i = 0; i < laneBits; ++i) {
      partners.emplace_back();
      for (int64_t lane = 0; lane < lanes; ++lane)
        partners.back().push_back(lane ^ (int64_t(1) << i));
    }
  }

  void run() {
    SmallVector<Stretch> stretches;
    std::map<Signature, unsigned> times;
    for (ArrayRef<SortStep> rest = network.steps; !rest.empty();) {
      Stretch next = stretchAt(rest);
      ++times[signature(next)];
      rest = rest.drop_front(next.steps.size());
      stretches.push_back(next);
    }
    for (const Stretch &stretch : stretches) {
      inPart = stretch.inPart;
      if (isBetween(stretch.steps.front()))
        between(stretch.steps.front());
      else
        within(stretch, times[signature(stretch)] > 1);
    }
  }

private:
  /// Steps that are done at once, on parts of so many vectors; or one between parts.
  struct Stretch {
    ArrayRef<SortStep> steps;
    unsigned inPart; ///< by bits
  };
  using Signature = std::pair<unsigned, std::vector<std::tuple<unsigned, uint64_t, bool>>>;

  Stretch stretchAt(ArrayRef<SortStep> steps) {
    bool many = state.machine.hasManyRegisters();
    inPart = std::min(usualPart, vectorBits);
    if (isBetween(steps.front()) && many)
      inPart = std::min(widestPart, vectorBits);
    if (isBetween(steps.front()))
      return {steps.take_front(1), inPart};
    // What decides from above a part is the same for all of its steps.
    const auto *ends = llvm::find_if(
        steps, [&](const SortStep &step) { return isBetween(step) || above(step) != above(steps.front()); });
    return {steps.take_front(ends - steps.begin()), inPart};
  }

  // What a stretch does within a part.
  Signature signature(const Stretch &stretch) const {
    Signature found{stretch.inPart, {}};
    uint64_t inside = llvm::maskTrailingOnes<uint64_t>(laneBits + stretch.inPart);
    for (const SortStep &step : stretch.steps)
      found.second.emplace_back(step.bit, step.larger & inside, step.base);
    return found;
  }

  bool isBetween(const SortStep &step) const { return step.bit >= laneBits + inPart; }
  // Bits of the number of a part.
  uint64_t above(const SortStep &step) const { return step.larger >> (laneBits + inPart); }

  Value smaller(Value own, Value partner) { return state.code().select(isLess(partner, own), partner, own); }
  Value larger(Value own, Value partner) { return state.code().select(isLess(partner, own), own, partner); }
  Value isLess(Value a, Value b) {
    Code c = state.code();
    if (isa<FloatType>(element))
      return c.cmp(arith::CmpFPredicate::OLT, a, b);
    return c.cmp(network.isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult, a, b);
  }

  scf::ForOp loop(int64_t count) {
    Code c = state.code();
    return c.b.create<scf::ForOp>(c.loc, c.i64(0), c.i64(count), c.i64(1));
  }

  // Whether an odd number of the bits of `number` are among `bits`.
  Value oddBits(Value number, uint64_t bits) {
    Code c = state.code();
    Value sum = c.integer(c.i1(), 0);
    for (; bits; bits &= bits - 1)
      sum = c.exclusive(sum, c.trunc(c.shr(number, std::countr_zero(bits)), c.i1()));
    return sum;
  }

  Value load(Value address) {
    Code c = state.code();
    return c.b.create<LLVM::LoadOp>(c.loc, type, c.pointer(address), bytes * lanes);
  }
  void store(Value value, Value address) {
    Code c = state.code();
    c.b.create<LLVM::StoreOp>(c.loc, value, c.pointer(address), bytes * lanes);
  }

  // Steps between the vectors of a part, for all parts. Those that come again are a function.
  void within(const Stretch &stretch, bool again) {
    ArrayRef<SortStep> steps = stretch.steps;
    scf::ForOp parts = loop(int64_t(1) << (vectorBits - inPart));
    OpBuilder::InsertionGuard guard(state.builder);
    state.builder.setInsertionPointToStart(parts.getBody());
    Code c = state.code();
    int64_t size = int64_t(bytes) * lanes, part = size << inPart;
    Value first = c.add(start, c.mul(parts.getInductionVar(), c.i64(part)));
    uint64_t decides = above(steps.front());
    Value word = decides ? c.sext(oddBits(parts.getInductionVar(), decides), c.i64()) : Value();
    if (again) {
      LLVM::LLVMFuncOp &function = functions[signature(stretch)];
      if (!function)
        function = makeFunction(steps);
      c.b.create<LLVM::CallOp>(c.loc, function, ValueRange{word ? word : c.i64(0), first});
      return;
    }
    inOnePart(steps, first, word);
  }

  LLVM::LLVMFuncOp makeFunction(ArrayRef<SortStep> steps) {
    OpBuilder &b = state.builder;
    OpBuilder::InsertionGuard guard(b);
    auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
    b.setInsertionPointToEnd(module.getBody());
    auto none = LLVM::LLVMVoidType::get(b.getContext());
    std::string name = "order";
    for (unsigned i = 0; module.lookupSymbol(name); ++i)
      name = "order" + std::to_string(i);
    auto function = b.create<LLVM::LLVMFuncOp>(
        state.loc, name,
        LLVM::LLVMFunctionType::get(none, {b.getI64Type(), b.getI64Type()}), // scratch comes last
        LLVM::Linkage::Internal);
    function.setPassthroughAttr(b.getArrayAttr({b.getStringAttr("nounwind"), b.getStringAttr("noinline")}));
    Block *entry = function.addEntryBlock(b);
    b.setInsertionPointToEnd(entry);
    inOnePart(steps, entry->getArgument(1), entry->getArgument(0));
    b.create<LLVM::ReturnOp>(state.loc, ValueRange());
    return function;
  }

  // `word`: all of its bits say whether the part is taken in reverse; null: no bit above it decides.
  void inOnePart(ArrayRef<SortStep> steps, Value first, Value word) {
    Code c = state.code();
    turnedWord = word;
    Value turned = word ? c.trunc(word, c.i1()) : Value();
    int64_t count = int64_t(1) << inPart, size = int64_t(bytes) * lanes;
    Value pitch = c.i64(size);
    if (turned) {
      first = c.add(first, c.select(turned, c.i64((count - 1) * size), c.i64(0)));
      pitch = c.select(turned, c.i64(-size), c.i64(size));
    }
    SmallVector<Value> values, addresses;
    for (int64_t v = 0; v < count; ++v) {
      addresses.push_back(c.add(first, c.mul(c.i64(v), pitch)));
      values.push_back(load(addresses.back()));
    }
    for (const SortStep &step : steps)
      apply(step, turned, values);
    for (auto [value, address] : llvm::zip_equal(values, addresses))
      store(value, address);
  }

  void apply(const SortStep &step, Value turned, SmallVectorImpl<Value> &values) {
    uint64_t among = (step.larger >> laneBits) & llvm::maskTrailingOnes<uint64_t>(inPart);
    // Of a reversed part all bits of a vector's number are the other ones.
    Value hangs = turned && !isOdd(among) ? turned : Value();
    if (step.bit < laneBits) {
      for (auto [number, value] : llvm::enumerate(values)) {
        bool base = step.base != isOdd(among & number);
        Code c = state.code();
        Value partner = c.b.create<vector::ShuffleOp>(c.loc, value, value, partners[step.bit]);
        value = kept(takesLarger(step, base, hangs), value, partner);
      }
      return;
    }
    uint64_t distance = uint64_t(1) << (step.bit - laneBits);
    for (uint64_t left = 0; left < values.size(); ++left) {
      if (left & distance)
        continue;
      Value a = values[left], b = values[left | distance];
      bool base = step.base != isOdd(among & left);
      values[left] = kept(takesLarger(step, base, hangs), a, b);
      values[left | distance] = kept(takesLarger(step, !base, hangs), b, a);
    }
  }

  // Which lanes keep the larger one; null and `all` where it is the same for each. `inLanes`: the mask fills
  // the lanes of a register.
  struct Chosen {
    Value mask;
    bool all, inLanes = false;
  };
  Chosen takesLarger(const SortStep &step, bool base, Value hangs) {
    Code c = state.code();
    uint64_t among = step.larger & llvm::maskTrailingOnes<uint64_t>(laneBits);
    if (!among && !hangs)
      return {{}, base};
    SmallVector<bool> bits;
    for (uint64_t lane = 0; lane < lanes; ++lane)
      bits.push_back(base != isOdd(lane & among));
    if (hangs && state.machine.vectorBytes < maskedBytes) {
      // Machines without registers for masks would pack bits that lanes are chosen by, and unpack them.
      auto number = IntegerType::get(c.b.getContext(), 8 * bytes);
      SmallVector<APInt> words;
      for (bool bit : bits)
        words.push_back(bit ? APInt::getAllOnes(8 * bytes) : APInt(8 * bytes, 0));
      Value mask = c.constant(DenseElementsAttr::get(VectorType::get({lanes}, number), words));
      Value word = bytes == 8 ? turnedWord : c.trunc(turnedWord, number);
      return {c.exclusive(mask, c.splat(word, lanes)), false, true};
    }
    Value mask = c.constant(DenseElementsAttr::get(VectorType::get({lanes}, c.i1()), bits));
    if (hangs)
      mask = c.exclusive(mask, c.splat(hangs, lanes));
    return {mask, false};
  }
  Value kept(const Chosen &chosen, Value own, Value partner) {
    if (!chosen.mask)
      return chosen.all ? larger(own, partner) : smaller(own, partner);
    Code c = state.code();
    Value less = isLess(partner, own);
    if (chosen.inLanes) {
      Type whole = chosen.mask.getType();
      Value other = c.exclusive(c.sext(less, elementOf(whole)), chosen.mask);
      return c.select(c.cmp(arith::CmpIPredicate::slt, other, c.zero(whole)), partner, own);
    }
    return c.select(chosen.mask, c.select(less, own, partner), c.select(less, partner, own));
  }

  // A step between parts: pairs of vectors, of which the one that keeps the smaller one is the first.
  void between(const SortStep &step) {
    int64_t distance = int64_t(1) << (step.bit - laneBits);
    scf::ForOp outer = loop((int64_t(1) << vectorBits) / (2 * distance));
    OpBuilder::InsertionGuard guard(state.builder);
    state.builder.setInsertionPointToStart(outer.getBody());
    Code c = state.code();
    int64_t size = int64_t(bytes) * lanes;
    Value first = c.add(start, c.mul(outer.getInductionVar(), c.i64(2 * distance * size)));
    Value second = c.add(first, c.i64(distance * size));
    Value opposite = c.exclusive(oddBits(outer.getInductionVar(), step.larger >> (step.bit + 1)),
                                 c.integer(c.i1(), step.base));
    Value left = c.select(opposite, second, first), right = c.select(opposite, first, second);
    scf::ForOp inner = loop(distance);
    state.builder.setInsertionPointToStart(inner.getBody());
    Value offset = c.mul(inner.getInductionVar(), c.i64(size));
    left = c.add(left, offset);
    right = c.add(right, offset);
    Value a = load(left), b = load(right);
    store(smaller(a, b), left);
    store(larger(b, a), right);
  }

  KernelState &state;
  const SortNetwork &network;
  Type element;
  unsigned bytes, lanes, laneBits;
  unsigned vectorBits; ///< vectors of the block, by bits
  unsigned inPart = 0; ///< of the part at hand, by bits
  Value start;         ///< address of the buffer
  Value turnedWord;    ///< of the part at hand: all bits set if it is taken in reverse
  Type type;
  SmallVector<SmallVector<int64_t>> partners; ///< of lanes, by bit
  std::map<Signature, LLVM::LLVMFuncOp> functions;
};
} // namespace

void BlockEmitter::emitNetwork(const SortNetwork &network) {
  arith::SelectOp result = network.result;
  state.plan += network.describe();
  Buffer buffer = state.makeBuffer(ttElement(result.getType()), ttShape(result.getType()));
  // Row by row the elements are the same in each shape.
  Value source = network.source;
  bool alone = network.takesSource;
  while (auto reshape = source.getDefiningOp<tt::ReshapeOp>()) {
    source = reshape.getSrc();
    if (alone)
      groups.coverUse(reshape->getOpOperand(0));
    alone &= source.hasOneUse();
  }
  Buffer target = buffer;
  target.shape = llvm::to_vector(ttShape(source.getType()));
  groups.addCopy(source, target);
  groups.flushAll();
  NetworkEmitter(state, network, buffer).run();
  state.buffers[result.getResult()] = buffer;
  groups.markDone(result);
}

} // namespace trisect::cpu

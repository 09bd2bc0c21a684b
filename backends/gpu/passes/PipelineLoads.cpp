//===- PipelineLoads.cpp - operands of products are copied ahead of their use ---------------------------===//
#include "backends/gpu/passes/PipelineLoads.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/layouts/SharedMemory.h"
#include "backends/gpu/passes/Anchors.h"
#include "backends/gpu/passes/Lookahead.h"
#include "core/ir/Dialect.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
/// Beyond this the distance to the last iteration could overflow.
constexpr int64_t kLargestStep = 1 << 20;
/// Stages beyond this help nobody.
constexpr int64_t kMostStages = 8;
/// Shared memory that loops leave to what else a kernel needs.
constexpr int64_t kLeftBytes = 16 << 10;

/// A block that each iteration brings to a buffer.
struct Brought {
  tt::LoadOp load;
  SmallVector<tt::TransOp> turned; ///< between load and buffer, the load's first
  BufferStoreOp store;
  BufferOp buffer;
};

bool isZero(Value value) {
  if (auto splat = value.getDefiningOp<tt::SplatOp>())
    return isZero(splat.getSrc());
  return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
}

/// Bytes that one copy of the load's elements can take.
int64_t copyBytes(tt::LoadOp load, const tt::AxisFacts &facts) {
  const Layout &layout = *layoutOf(load.getType());
  tt::AxisInfo pointer = facts.of(load.getPtr());
  std::optional<tt::AxisInfo> mask;
  if (load.getMask())
    mask = facts.of(load.getMask());
  int64_t bytes = sharedBytesOf(tt::elementOf(load.getType())), most = 0;
  for (size_t dim = 0; dim < layout.rank(); ++dim)
    most =
        std::max(most, bytes * std::min<int64_t>(registerRun(layout, dim),
                                                 accessVector(pointer, mask ? &*mask : nullptr, dim, bytes)));
  return most;
}

/// Whether the copies of later iterations may go before everything that the loop does.
bool writesNothing(scf::ForOp loop) {
  WalkResult result = loop.getBody()->walk([](Operation *op) {
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return op->hasTrait<OpTrait::IsTerminator>() ? WalkResult::advance() : WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    for (const auto &effect : all)
      if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getResource() != SharedMemory::get())
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

class LoopPipeliner {
public:
  LoopPipeliner(scf::ForOp loop, const tt::AxisFacts &facts) : loop(loop), ahead(loop), facts(facts) {}

  /// Finds what can be copied ahead; gives the bytes of one stage, 0 if there is nothing.
  int64_t collect() {
    llvm::APInt constant;
    if (!matchPattern(loop.getStep(), m_ConstantInt(&constant)) || constant.getSignificantBits() > 64)
      return 0;
    step = constant.getSExtValue();
    if (step < 1 || step > kLargestStep || !writesNothing(loop))
      return 0;
    for (Operation &op : *loop.getBody())
      if (auto store = dyn_cast<BufferStoreOp>(op))
        if (std::optional<Brought> found = broughtBy(store))
          if (ahead.add(addressOf(*found)))
            blocks.push_back(*found);
    int64_t bytes = 0;
    for (Brought &block : blocks)
      bytes += slotBytes(block.buffer.getType());
    return bytes;
  }

  void rewrite(int64_t stages) {
    slots = stages;
    OpBuilder builder(loop);
    for (Brought &block : blocks) {
      block.buffer->moveBefore(loop);
      block.buffer.setSlots(stages);
    }
    SmallVector<Value> first = startCopies(builder);
    Value write = number(builder, stages - 1), read = number(builder, 0);
    first.append({write, read});
    scf::ForOp made = extend(builder, first);
    builder.setInsertionPointAfter(made);
    builder.create<WaitOp>(made.getLoc(), 0);
  }

private:
  static SmallVector<Value> addressOf(const Brought &block) {
    tt::LoadOp load = block.load;
    SmallVector<Value> values = {load.getPtr()};
    if (load.getMask())
      values.push_back(load.getMask());
    return values;
  }

  std::optional<Brought> broughtBy(BufferStoreOp store) {
    Brought block;
    block.store = store;
    block.buffer = store.getBuffer().getDefiningOp<BufferOp>();
    if (!block.buffer || block.buffer->getBlock() != loop.getBody() || block.buffer.getSlots() != 1)
      return std::nullopt;
    Value source = store.getSrc();
    while (auto turned = source.getDefiningOp<tt::TransOp>()) {
      if (!turned->hasOneUse())
        return std::nullopt;
      block.turned.insert(block.turned.begin(), turned);
      source = turned.getSrc();
    }
    block.load = source.getDefiningOp<tt::LoadOp>();
    if (!block.load || block.load->getBlock() != loop.getBody() || !block.load->hasOneUse() ||
        block.load.getIsVolatile() || (block.load.getOther() && !isZero(block.load.getOther())) ||
        copyBytes(block.load, facts) < kLeastCopyBytes)
      return std::nullopt;
    return block;
  }

  Value number(OpBuilder &builder, int64_t value) {
    return builder.create<arith::ConstantOp>(loop.getLoc(), builder.getI32IntegerAttr(int32_t(value)));
  }

  /// A constant of the induction variable's type.
  Value distance(OpBuilder &builder, int64_t iterations) {
    Type type = loop.getInductionVar().getType();
    return builder.create<arith::ConstantOp>(loop.getLoc(), builder.getIntegerAttr(type, iterations * step));
  }

  /// Starts the copies of the iteration that `mapping` describes, if `runs` says that there is one.
  void copy(OpBuilder &builder, const IRMapping &mapping, Value runs, Value slot) {
    Location location = loop.getLoc();
    for (Brought &block : blocks) {
      tt::LoadOp load = block.load;
      Value pointer = mapping.lookupOrDefault(load.getPtr());
      auto bits = withLayout(RankedTensorType::get(tt::shapeOf(load.getType()), builder.getI1Type()),
                             *layoutOf(load.getType()));
      Value mask = builder.create<tt::SplatOp>(location, bits, runs);
      if (load.getMask())
        mask = builder.create<arith::AndIOp>(location, mapping.lookupOrDefault(load.getMask()), mask);
      for (tt::TransOp turned : block.turned) {
        const Layout &layout = *layoutOf(turned.getType());
        auto turn = [&](Value value) -> Value {
          auto type = RankedTensorType::get(tt::shapeOf(turned.getType()), tt::elementOf(value.getType()));
          return builder.create<tt::TransOp>(location, withLayout(type, layout), value, turned.getOrder());
        };
        pointer = turn(pointer);
        mask = turn(mask);
      }
      Value into = builder.create<SlotOp>(location, block.buffer.getResult(), slot);
      builder.create<CopyOp>(load.getLoc(), pointer, into, mask, Value(), load.getCache(), load.getEvict());
    }
    builder.create<CommitOp>(location);
  }

  /// Copies of the first iterations, before the loop; gives the carried values of the next one.
  SmallVector<Value> startCopies(OpBuilder &builder) {
    Location location = loop.getLoc();
    Value any = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                              loop.getUpperBound());
    Value length = builder.create<arith::SubIOp>(location, loop.getUpperBound(), loop.getLowerBound());
    SmallVector<Value> carried;
    for (unsigned position : ahead.carried())
      carried.push_back(loop.getInitArgs()[position]);
    for (int64_t iteration = 0; iteration + 1 < slots; ++iteration) {
      IRMapping mapping;
      Value runs = any, at = loop.getLowerBound();
      if (iteration > 0) {
        Value passed = distance(builder, iteration);
        at = builder.create<arith::AddIOp>(location, at, passed);
        Value longer = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ugt, length, passed);
        runs = builder.create<arith::AndIOp>(location, any, longer);
      }
      describe(mapping, at, carried);
      ahead.repeat(builder, mapping);
      copy(builder, mapping, runs, number(builder, iteration));
      carried = ahead.next(mapping);
    }
    return carried;
  }

  void describe(IRMapping &mapping, Value at, ArrayRef<Value> carried) {
    mapping.map(loop.getInductionVar(), at);
    for (auto [position, value] : llvm::zip_equal(ahead.carried(), carried))
      mapping.map(loop.getRegionIterArg(position), value);
  }

  /// The loop with more carried values: those of the iteration ahead, and the slots to write and to read.
  scf::ForOp extend(OpBuilder &builder, ArrayRef<Value> more) {
    Location location = loop.getLoc();
    SmallVector<Value> starts(loop.getInitArgs());
    starts.append(more.begin(), more.end());
    auto made = builder.create<scf::ForOp>(location, loop.getLowerBound(), loop.getUpperBound(),
                                           loop.getStep(), starts);
    made->setAttrs(loop->getAttrs());
    Block &body = *made.getBody();
    builder.setInsertionPointToStart(&body);
    auto extra = body.getArguments().take_back(more.size());
    Value write = extra[more.size() - 2], read = extra[more.size() - 1], at = made.getInductionVar();

    builder.create<WaitOp>(location, static_cast<uint32_t>(slots - 2));
    builder.create<BarrierOp>(location);
    Value left = builder.create<arith::SubIOp>(location, loop.getUpperBound(), at);
    Value passed = distance(builder, slots - 1);
    Value runs = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ugt, left, passed);
    IRMapping mapping;
    SmallVector<Value> carried(extra.drop_back(2));
    describe(mapping, builder.create<arith::AddIOp>(location, at, passed), carried);
    ahead.repeat(builder, mapping);
    copy(builder, mapping, runs, write);
    SmallVector<Value> yields(loop.getYieldedValues()), next = ahead.next(mapping);

    for (Brought &block : blocks) {
      Value slot = builder.create<SlotOp>(location, block.buffer.getResult(), read);
      block.store.erase();
      block.buffer.getResult().replaceUsesWithIf(
          slot, [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); });
      for (Operation *gone :
           llvm::reverse(SmallVector<Operation *>(block.turned.begin(), block.turned.end())))
        gone->erase();
      block.load.erase();
    }
    yields.append(next);
    yields.append({following(builder, write), following(builder, read)});
    loop.getBody()->getTerminator()->erase();
    for (auto [old, fresh] : llvm::zip(loop.getBody()->getArguments(), body.getArguments()))
      old.replaceAllUsesWith(fresh);
    for (Value &value : yields)
      value = inPlaceOf(value, body);
    body.getOperations().splice(body.end(), loop.getBody()->getOperations());
    builder.setInsertionPointToEnd(&body);
    builder.create<scf::YieldOp>(location, yields);
    for (auto [old, fresh] : llvm::zip(loop.getResults(), made.getResults()))
      old.replaceAllUsesWith(fresh);
    loop.erase();
    return made;
  }

  /// The old loop's arguments as the new one's.
  Value inPlaceOf(Value value, Block &body) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == loop.getBody() ? body.getArgument(argument.getArgNumber())
                                                             : value;
  }

  Value following(OpBuilder &builder, Value slot) {
    Location location = loop.getLoc();
    Value after = builder.create<arith::AddIOp>(location, slot, number(builder, 1));
    Value ends =
        builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, after, number(builder, slots));
    return builder.create<arith::SelectOp>(location, ends, number(builder, 0), after);
  }

  scf::ForOp loop;
  Lookahead ahead;
  const tt::AxisFacts &facts;
  SmallVector<Brought> blocks;
  int64_t step = 0, slots = 0;
};

int64_t stagesOf(scf::ForOp loop, int32_t stages) {
  if (auto own = loop->getAttrOfType<IntegerAttr>(tt::kNumStagesAttr))
    return own.getInt();
  return stages;
}
} // namespace

void pipelineLoads(tt::FuncOp kernel, int32_t stages, int64_t mostBytes) {
  if (!kernel.walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return;
  // Everything is asked before anything changes: inner loops come first in both.
  tt::AxisFacts facts(kernel);
  std::vector<std::pair<LoopPipeliner, int64_t>> found;
  kernel.walk([&](scf::ForOp loop) {
    LoopPipeliner pipeliner(loop, facts);
    if (int64_t bytes = pipeliner.collect()) {
      int64_t fit = (mostBytes - kLeftBytes) / bytes;
      found.emplace_back(std::move(pipeliner), std::min({stagesOf(loop, stages), fit, kMostStages}));
    }
  });
  for (auto &[pipeliner, count] : found)
    if (count >= 2)
      pipeliner.rewrite(count);
}

} // namespace trisect::gpu

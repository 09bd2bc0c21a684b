//===- Staging.cpp - the shape of a product's loop, and what its right factor depends on ----------------===//
#include "backends/cpu/plan/Staging.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Waiting.h"
#include "core/support/OpTable.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Steps of k in a stage, each of a full word of the sums. Where the rows of a tile stay in a first cache
/// (dot/Tile.h) and a left factor is read where it lies, there are more of them: the sums are read and
/// written, and the loop over k ends, less often. One that is copied, since it lies by columns or in another
/// format, and panels of the right factor, of one cache line or more a step, take room in the second cache.
int64_t stageDepth(const Machine &machine, bool copiesLeft) {
  return rowsStay(machine) && !copiesLeft ? 512 : 256;
}
/// Of right factors that stay ready: a second cache holds them beside what else a program reads.
constexpr int64_t keptBytes = 1 << 20;
/// Smaller factors are gathered more simply.
constexpr int64_t leastExtent = 16;

tt::LoadOp loadOf(Value factor, Block *body) {
  if (auto turned = factor.getDefiningOp<tt::TransOp>())
    if (turned->hasOneUse())
      factor = turned.getSrc();
  auto load = factor.getDefiningOp<tt::LoadOp>();
  bool plain = load && load->hasOneUse() && load->getBlock() == body && !load.getIsVolatile();
  return plain && isa<RankedTensorType>(load.getPtr().getType()) ? load : tt::LoadOp();
}

bool isPlain(tt::DotOp dot) {
  Type element = ttElement(dot.getType());
  if (!element.isF32() && !element.isF64() && !element.isInteger(32))
    return false;
  auto large = [](Value value) {
    ArrayRef<int64_t> shape = ttShape(value.getType());
    return shape.size() == 2 && *std::min_element(shape.begin(), shape.end()) >= leastExtent;
  };
  return large(dot.getA()) && large(dot.getB());
}

/// What the right factor of each round depends on, down to scalars from outside the loop.
class Dependences {
public:
  explicit Dependences(scf::ForOp loop) : loop(loop) {}

  /// False if the factor may change though no key does.
  bool follow(Value value) {
    if (!seen.insert(value).second)
      return true;
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == loop.getBody()) {
      unsigned number = argument.getArgNumber();
      return number == 0 || (follow(loop.getInitArgs()[number - 1]) &&
                             follow(loop.getBody()->getTerminator()->getOperand(number - 1)));
    }
    bool outside = !loop->isAncestor(value.getParentBlock()->getParentOp());
    if (outside && !isa<RankedTensorType>(value.getType())) {
      bool steady =
          argument ? isa<tt::FuncOp>(argument.getOwner()->getParentOp()) : matchPattern(value, m_Constant());
      if (!steady)
        keys.insert(value);
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() || !(isShapeOp(op) || isElementwise(op)))
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) { return follow(operand); });
  }

  llvm::SmallSetVector<Value, 4> keys;

private:
  scf::ForOp loop;
  llvm::DenseSet<Value> seen;
};

/// True if nothing that the kernel does may change what a load reads, and no program waits for another one.
bool staysAsItIs(tt::LoadOp load, Pointers &pointers) {
  Access mine = pointers.access(load, load.getPtr(), false);
  WalkResult result = load->getParentOfType<tt::FuncOp>()->walk([&](Operation *op) {
    if (auto store = dyn_cast<tt::StoreOp>(op))
      return pointers.conflict(mine, pointers.access(store, store.getPtr(), true)) ? WalkResult::interrupt()
                                                                                   : WalkResult::advance();
    std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
    auto loop = dyn_cast<scf::WhileOp>(op);
    bool foreign = isa<tt::ElementwiseInlineAsmOp>(op) || (loop && mayWait(loop));
    return foreign || (id && info(*id).cls == OpClass::Atomic) ? WalkResult::interrupt()
                                                               : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// The bounds of a factor's mask along k; none unless what it leaves out is zero.
SmallVector<Bound, 2> endsOf(tt::LoadOp load, Value factor, int64_t dimension) {
  SmallVector<Bound, 2> found;
  if (!load.getMask() || !load.getOther() || !matchPattern(load.getOther(), m_AnyZeroFloat()))
    return found;
  if (factor != load.getResult()) {
    auto turned = factor.getDefiningOp<tt::TransOp>();
    if (!turned || turned.getSrc() != load.getResult() || turned.getOrder()[0] != 1)
      return found;
    dimension = 1 - dimension;
  }
  for (const Bound &bound : boundsOfMask(load.getMask()).bounds)
    if (bound.dimension == dimension)
      found.push_back(bound);
  return found;
}

/// Bytes, pairs and blocks of steps have other ends.
void chooseEnds(Staging &found) {
  if (found.form.together > 1 || found.form.block || found.form.tiles)
    return;
  found.leftEnds = endsOf(found.left, found.dot.getA(), 1);
  found.rightEnds = endsOf(found.right, found.dot.getB(), 0);
}

void chooseKept(Staging &found, scf::ForOp loop, Pointers &pointers) {
  Dependences dependences(loop);
  for (Value operand : found.right->getOperands())
    if (!dependences.follow(operand))
      return;
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    dependences.follow(bound);
  if (!staysAsItIs(found.right, pointers))
    return;
  int64_t columns = ttShape(found.dot.getType())[1], depth = ttShape(found.dot.getB().getType())[0];
  int64_t bytes =
      memoryBytes(ttElement(found.dot.getType())) * columns * depth * found.rounds / found.form.together;
  found.stages = std::max<int64_t>(1, keptBytes / bytes);
  if (found.stages > 1)
    found.keys = dependences.keys.takeVector();
}
} // namespace

std::string Staging::describe() const {
  std::string text = "product in a loop: stages of " + std::to_string(rounds) + " rounds";
  if (form.tiles)
    text += ", in tile registers";
  else if (form.together > 1)
    text += ", " + std::to_string(form.together) + " steps together";
  if (form.block)
    text += ", blocks of " + std::to_string(form.block) + " steps";
  if (endsEarly())
    text += ", as far as a mask is on";
  if (stages > 1)
    text += ", " + std::to_string(stages) + " right factors stay for the next program while " +
            std::to_string(keys.size()) + " scalars are the same";
  return text + "\n";
}

std::optional<Staging> stagingOf(scf::ForOp loop, Pointers &pointers, const Machine &machine) {
  Block &body = *loop.getBody();
  Staging found;
  for (Operation &op : body.without_terminator()) {
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      if (found.dot || !isPlain(dot))
        return std::nullopt;
      found.dot = dot;
    } else if (!isa<tt::LoadOp>(op) && (op.getNumRegions() || !isMemoryEffectFree(&op))) {
      return std::nullopt;
    }
  }
  if (!found.dot || !found.dot->hasOneUse())
    return std::nullopt;
  found.left = loadOf(found.dot.getA(), &body);
  found.right = loadOf(found.dot.getB(), &body);
  auto sums = dyn_cast<BlockArgument>(found.dot.getC());
  if (!found.left || !found.right || found.left == found.right || !sums || sums.getOwner() != &body ||
      sums.getArgNumber() == 0 || !sums.hasOneUse())
    return std::nullopt;
  found.sums = sums.getArgNumber() - 1;
  if (body.getTerminator()->getOperand(found.sums) != found.dot.getResult())
    return std::nullopt;
  for (Operation &op : body.without_terminator())
    if (isa<tt::LoadOp>(op) && &op != found.left.getOperation() && &op != found.right.getOperation())
      return std::nullopt;
  found.form = formOf(machine, found.dot);
  bool copiesLeft = found.dot.getA() != found.left.getResult() ||
                    ttElement(found.dot.getA().getType()) != ttElement(found.dot.getType());
  int64_t depth = stageDepth(machine, copiesLeft) * found.form.together;
  found.rounds = std::max<int64_t>(1, depth / ttShape(found.dot.getB().getType())[0]);
  chooseEnds(found);
  chooseKept(found, loop, pointers);
  return found;
}

} // namespace trisect::cpu

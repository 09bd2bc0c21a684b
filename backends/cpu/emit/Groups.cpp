//===- Groups.cpp - forming fusion groups ---------------------------------------------------------------===//
#include "backends/cpu/emit/Groups.h"
#include "backends/cpu/emit/ChunkLanes.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/GroupLoops.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Exchange.h"
#include "backends/cpu/plan/Slope.h"
#include "core/ir/Ops.h"
#include "core/support/OpFacts.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <array>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Above this many operations a value is kept rather than computed at each use.
constexpr unsigned cheapLimit = 24;
constexpr unsigned notCheap = 1000;

// The `offs % n` of a tile is made once, not anew in each round of the loop that loads by it.
bool dividesByVariable(Operation *op, OpId id) {
  return factsOf(id).undefined == Undefined::Divisor && !matchPattern(op->getOperand(1), m_Constant());
}

// Such a remainder lies in a buffer, of which the rest of an address is made anew: a kept block of addresses
// would be read lane by lane.
bool isKeptIndex(Value value) {
  Operation *op = value.getDefiningOp();
  std::optional<OpId> id = op ? opFromMnemonic(op->getName().getStringRef()) : std::nullopt;
  return id && isElementwise(op) && dividesByVariable(op, *id);
}

unsigned ownCost(Operation *op) {
  if (isShapeOp(op))
    return 0;
  if (!isElementwise(op))
    return notCheap;
  std::optional<OpId> id = opFromMnemonic(op->getName().getStringRef());
  if (*id == OpId::tt_mulhiui || *id == OpId::tt_extern_elementwise || dividesByVariable(op, *id))
    return notCheap;
  // Float arithmetic is worth keeping; comparing and choosing is not.
  bool real = isa<FloatType>(ttElement(op->getResult(0).getType())) ||
              isa<FloatType>(ttElement(op->getOperand(0).getType()));
  return real && *id != OpId::arith_select && *id != OpId::arith_cmpf ? notCheap : 1;
}
} // namespace

SmallVector<int64_t> spaceOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> space;
  for (int64_t extent : shape)
    if (extent != 1)
      space.push_back(extent);
  return space;
}

unsigned Groups::costOf(Value value) {
  if (!isa<RankedTensorType>(value.getType()) || state.buffers.count(value))
    return 0;
  if (auto found = costs.find(value); found != costs.end())
    return found->second;
  unsigned cost = 0;
  if (Operation *op = value.getDefiningOp()) {
    cost = ownCost(op);
    for (Value operand : op->getOperands())
      if (cost < notCheap)
        cost = std::min(notCheap, cost + (isKeptIndex(operand) ? 1 : costOf(operand)));
  }
  return costs[value] = cost;
}

bool Groups::isCheap(Value value) { return costOf(value) <= cheapLimit; }

void Groups::require(Value value) { requireExcept(value, nullptr, false); }

// `direct` is the group that reads the value lane by lane: its own results need not be complete for that.
// What computes values alone (`pure`) may also read it from other lanes of the chunk.
void Groups::requireExcept(Value value, Group *direct, bool pure) {
  if (auto found = owner.find(value); found != owner.end()) {
    Group *group = found->second;
    if (group == direct)
      return;
    flush(std::find_if(open.begin(), open.end(), [&](Group &g) { return &g == group; }));
    return;
  }
  if (state.buffers.count(value) || state.scalars.count(value))
    return;
  if (auto found = state.inductions.find(value); found != state.inductions.end())
    return require(found->second.start);
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (exchangeInChunk(value) && direct && pure && direct->isPure()) {
    direct->exchanges = true;
    requireExcept(op->getOperand(0), direct, pure);
  } else if (isShapeOp(op)) {
    for (Value operand : op->getOperands())
      require(operand);
  } else if (isElementwise(op)) {
    for (Value operand : op->getOperands())
      requireExcept(operand, direct, pure);
  }
}

// A reduction's result is complete only after its group, however it is read.
void Groups::requireTotals(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto found = owner.find(value); found != owner.end()) {
    if (isa_and_nonnull<tt::ReduceOp>(op))
      require(value);
  } else if (op && !state.buffers.count(value) && !state.scalars.count(value) &&
             (isShapeOp(op) || isElementwise(op))) {
    for (Value operand : op->getOperands())
      requireTotals(operand);
  }
}

void Groups::requireOrder(const Access &access) {
  for (auto group = open.begin(); group != open.end();) {
    auto here = group++;
    if (llvm::any_of(here->accesses, [&](const Access &other) {
          return pointers.conflict(other, access) || (other.pointer == access.pointer && access.writes);
        }))
      flush(here);
  }
}

Groups::Position Groups::groupFor(ArrayRef<int64_t> space, ValueRange direct, ValueRange indirect,
                                  const Access *access, bool pure) {
  auto find = [&] {
    return std::find_if(open.begin(), open.end(),
                        [&](Group &g) { return ArrayRef<int64_t>(g.space) == space; });
  };
  auto group = find();
  for (Value value : indirect)
    require(value);
  for (Value value : direct)
    requireTotals(value);
  for (Value value : direct) {
    group = find();
    requireExcept(value, group == open.end() ? nullptr : &*group, pure);
  }
  if (access) {
    group = find();
    for (auto other = open.begin(); other != open.end();) {
      auto here = other++;
      bool conflict = llvm::any_of(here->accesses, [&](const Access &before) {
        return here == group ? pointers.conflict(before, *access)
                             : pointers.conflict(before, *access) ||
                                   (before.pointer == access->pointer && (before.writes || access->writes));
      });
      if (!conflict)
        continue;
      if (here == group)
        group = open.end();
      flush(here);
    }
  }
  group = find();
  if (group != open.end() && group->exchanges && !pure) {
    flush(group);
    group = open.end();
  }
  if (group == open.end()) {
    open.emplace_back();
    group = std::prev(open.end());
    group->space = llvm::to_vector(space);
    group->rare = rare;
  }
  if (access)
    group->accesses.push_back(*access);
  for (Value value : direct)
    if (auto load = value.getDefiningOp<tt::LoadOp>(); load && reloaded.contains(load))
      group->accesses.push_back(pointers.access(load, load.getPtr(), false));
  return group;
}

void Groups::add(Operation *op) {
  Action action{Action::Kind::Value, op, {}, {}, {}};
  Type shaped = op->getNumOperands() ? op->getOperand(0).getType() : op->getResult(0).getType();
  std::optional<Access> access;
  SmallVector<Value> indirect;
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    action.kind = Action::Kind::Load;
    access = pointers.access(op, load.getPtr(), load.getIsVolatile());
  } else if (auto store = dyn_cast<tt::StoreOp>(op)) {
    action.kind = Action::Kind::Store;
    access = pointers.access(op, store.getPtr(), true);
  } else if (isa<tt::ReduceOp>(op)) {
    action.kind = Action::Kind::Reduce;
    op->getRegion(0).walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentRegion() != &op->getRegion(0))
          indirect.push_back(operand);
    });
  } else {
    shaped = op->getResult(0).getType();
  }
  SmallVector<int64_t> space = spaceOf(ttShape(shaped));
  auto group = groupFor(space, op->getOperands(), indirect, access ? &*access : nullptr,
                        action.kind == Action::Kind::Value);
  group->actions.push_back(action);
  group->members.insert(op);
  for (Value result : op->getResults())
    owner[result] = &*group;
}

void Groups::addCopy(Value source, const Buffer &target, Type convertTo) {
  auto group = groupFor(spaceOf(ttShape(source.getType())), source, {}, nullptr, /*pure=*/false);
  group->actions.push_back({Action::Kind::Copy, nullptr, source, target, convertTo});
}

bool Groups::escapes(Value value, const Group &group) const {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (group.exchanges && isa<tt::GatherOp>(user) && exchangeInChunk(user->getResult(0)))
      return use.getOperandNumber() != 0 || escapes(user->getResult(0), group);
    return !group.members.contains(user) && !covered.contains(&use);
  });
}

bool Groups::usersDone(Value value, Operation *except) const {
  return llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return user == except || done.contains(user); });
}

// A value carried to the next round may be written over the old one if nothing reads that any more, or only
// this group does, lane by lane.
std::optional<Buffer> Groups::carryBuffer(Value value, const Group &group) {
  auto found = carried.find(value);
  if (found == carried.end())
    return std::nullopt;
  const CarrySlot &slot = found->second;
  for (Operation *user : slot.argument.getUsers())
    if (!group.members.contains(user) && !done.contains(user))
      return std::nullopt;
  return slot.buffer;
}

// True if the value is the same wherever it is computed in this block: no buffer that may be written over.
bool Groups::isSteady(Value value) {
  if (!value || !isa<RankedTensorType>(value.getType()) || state.inductions.count(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || state.buffers.count(value) || !(isShapeOp(op) || isElementwise(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isSteady(operand); });
}

// Reading a row again costs less than keeping a copy of it. That takes it that nothing writes there before
// the last reader, and that all readers go over the row as the load does.
bool Groups::canReload(Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  if (!load || load.getIsVolatile() || !isa<FloatType>(ttElement(load.getType())) ||
      ttShape(load.getType()).size() != 1 || slopeAlong(load.getPtr(), 0) != 1)
    return false;
  if (!llvm::all_of(load->getOperands(), [&](Value operand) { return isSteady(operand); }))
    return false;
  Operation *last = load;
  for (Operation *user : load->getUsers()) {
    bool member = isa<tt::ReduceOp, tt::StoreOp>(user) ||
                  (isElementwise(user) && user->getNumResults() == 1 && !isCheap(user->getResult(0)));
    if (!member || user->getBlock() != load->getBlock())
      return false;
    if (last->isBeforeInBlock(user))
      last = user;
  }
  Access mine = pointers.access(load, load.getPtr(), false);
  for (Operation *next = load->getNextNode(); next != last->getNextNode(); next = next->getNextNode()) {
    if (auto store = dyn_cast<tt::StoreOp>(next)) {
      Access theirs = pointers.access(store, store.getPtr(), true);
      // The last one may write what it has just read, but no element that is read again after it.
      bool inPlace = theirs.pointer == mine.pointer;
      if (inPlace ? next != last : pointers.conflict(mine, theirs))
        return false;
    } else if (!isa<tt::LoadOp>(next) && !isMemoryEffectFree(next)) {
      return false;
    }
  }
  return true;
}

void Groups::addReloads(Group &group) {
  llvm::SmallSetVector<Operation *, 4> loads;
  for (const Action &action : group.actions)
    if (action.op)
      for (Value operand : action.op->getOperands())
        if (Operation *load = operand.getDefiningOp(); load && reloaded.contains(load))
          loads.insert(load);
  for (Operation *load : loads)
    group.actions.insert(group.actions.begin(), {Action::Kind::Load, load, {}, {}, {}});
}

// A reduction goes along the last dimension alone.
void Groups::chooseRuns(Group &group) {
  CutFinder finder([&](Value value) { return state.buffers.count(value) != 0; },
                   [&](Value value) {
                     auto found = state.inductions.find(value);
                     return found == state.inductions.end() ? Value() : found->second.start;
                   });
  Cuts cuts(group.space.size() + 1);
  auto add = [&](Value value) {
    Cuts more = finder.of(value);
    more.resize(cuts.size());
    cuts |= more;
  };
  for (const Action &action : group.actions) {
    if (action.kind == Action::Kind::Copy)
      add(action.source);
    else
      llvm::for_each(action.op->getOperands(), add);
    if (action.kind == Action::Kind::Reduce || action.target.panel != 0 || action.target.pitch != 0)
      cuts.set(group.space.size() - 1);
  }
  group.runs = runsOf(group.space, cuts, group.isPure());
}

// A load may go to the front if all that the group writes lies behind other arguments.
void Groups::findRepeats(Group &group) {
  if (group.space.size() != 1 || group.exchanges || group.rare)
    return;
  SmallVector<Operation *> members;
  for (const Action &action : group.actions)
    if (action.op)
      members.push_back(action.op);
  Row row{members, group.space[0], lanesOfChunks(state, group), {}, {}, {}};
  row.stored = [&](Value value) { return state.buffers.count(value) || state.inductions.count(value); };
  row.mayMove = [&](tt::LoadOp load) {
    Access mine = pointers.access(load, load.getPtr(), false);
    return mine.root && llvm::none_of(group.accesses, [&](const Access &other) {
             return other.writes && (other.root == mine.root || pointers.conflict(mine, other));
           });
  };
  row.alignedRun = [&](Value index, size_t axis) { return state.axisFacts().of(index).alignedRun(axis); };
  group.repeats = repeatsOf(row);
}

// In the plan: the space, the loops that go over it, and what is done there.
static std::string describe(const Group &group, size_t kept) {
  std::string text;
  llvm::raw_string_ostream line(text);
  line << "loops [";
  llvm::interleaveComma(group.space, line);
  line << "] as [";
  llvm::interleaveComma(group.runs, line, [&](const Run &run) { line << run.extent; });
  line << "]:";
  constexpr std::array<const char *, 5> names{"load", "store", "value", "reduction", "copy"};
  std::array<unsigned, names.size()> counts{};
  for (const Action &action : group.actions)
    ++counts[static_cast<size_t>(action.kind)];
  for (auto [name, count] : llvm::zip(names, counts))
    if (count)
      line << ' ' << count << ' ' << name << (count > 1 ? "s," : ",");
  line << ' ' << kept << " kept";
  for (const Repeats &repeats : group.repeats)
    line << ", " << repeats.values.size() << " made for each of " << repeats.numbers
         << (isa<arith::RemSIOp>(repeats.by) ? " remainders" : " quotients");
  line << '\n';
  return text;
}

void Groups::flush(Position position) {
  Group group = std::move(*position);
  addReloads(group);
  chooseRuns(group);
  findRepeats(group);
  for (const Action &action : group.actions)
    if (action.op)
      for (Value result : action.op->getResults())
        owner.erase(result);
  open.erase(position);

  SmallVector<std::pair<Value, Buffer>> kept;
  for (const Action &action : group.actions) {
    if (!action.op || action.kind == Action::Kind::Reduce || reloaded.contains(action.op))
      continue;
    for (Value result : action.op->getResults()) {
      if (!escapes(result, group))
        continue;
      if (canReload(action.op)) {
        reloaded.insert(action.op);
        continue;
      }
      Type element = ttElement(result.getType());
      std::optional<Buffer> inPlace = carryBuffer(result, group);
      kept.push_back({result, inPlace ? *inPlace : state.makeBuffer(element, ttShape(result.getType()))});
    }
  }
  state.plan += describe(group, kept.size());
  emitGroup(state, group, kept);
  for (auto &[value, buffer] : kept)
    state.buffers[value] = buffer;
  for (Operation *member : group.members)
    done.insert(member);
}

// Stores of the group may come before its loads, and an exchange reads other elements.
std::optional<Group> Groups::takeInputs(tt::ReduceOp op) {
  auto found = owner.find(op->getOperand(0));
  if (found == owner.end() || found->second->exchanges ||
      llvm::any_of(found->second->actions, [](const Action &a) { return a.kind == Action::Kind::Store; }))
    return std::nullopt;
  Group &from = *found->second, inputs;
  SmallVector<Value> waiting(op->getOperands());
  inputs.space = from.space;
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    if (auto at = owner.find(value); at == owner.end() || at->second != &from)
      continue;
    Operation *each = value.getDefiningOp();
    auto load = dyn_cast<tt::LoadOp>(each);
    if (each->getNumResults() != 1 || !(isElementwise(each) || (load && !load.getIsVolatile())))
      return std::nullopt;
    if (inputs.members.insert(each).second)
      llvm::append_range(waiting, each->getOperands());
  }
  for (Operation *each : inputs.members)
    for (Operation *user : each->getUsers())
      if (user != op && !inputs.members.contains(user))
        return std::nullopt;
  auto isTaken = [&](const Action &action) { return action.op && inputs.members.contains(action.op); };
  llvm::copy_if(from.actions, std::back_inserter(inputs.actions), isTaken);
  llvm::erase_if(from.actions, isTaken);
  for (Operation *each : inputs.members) {
    from.members.erase(each);
    owner.erase(each->getResult(0));
    done.insert(each);
  }
  if (from.actions.empty())
    open.remove_if([&](const Group &group) { return &group == &from; });
  for (const Action &action : inputs.actions)
    for (Value operand : action.op->getOperands())
      if (!operand.getDefiningOp() || !inputs.members.contains(operand.getDefiningOp()))
        require(operand);
  return inputs;
}

void Groups::flushAll() {
  while (!open.empty())
    flush(open.begin());
}

} // namespace trisect::cpu

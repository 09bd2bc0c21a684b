//===- PackShared.cpp - places in shared memory ---------------------------------------------------------===//
#include "backends/gpu/passes/PackShared.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/passes/Scratch.h"
#include "core/support/Outcome.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <algorithm>

using namespace mlir;

namespace trisect::gpu {

namespace {
/// Scratch is accessed in vectors of 16 bytes.
constexpr int64_t kScratchAlignment = 16;
/// Scratch of at most so many bytes has a place of its own, as long as all of it stays small: what is used by
/// one operation alone needs no barrier between it and the next.
constexpr int64_t kSmallScratch = 256, kAllSmallScratch = 4096;

struct Item {
  Operation *op = nullptr;
  int64_t bytes = 0;
  int64_t alignment = 1;
  int64_t first = 0; ///< positions of operations, in the order of the text
  int64_t last = 0;
  int64_t offset = 0;
  bool apart = false; ///< shares its place with none of its kind

  bool meets(const Item &other) const {
    return (apart && other.apart) || (first <= other.last && other.first <= last);
  }
  int64_t end() const { return offset + bytes; }
};

class Packer {
public:
  explicit Packer(tt::FuncOp kernel) : kernel(kernel) {}

  int64_t run() {
    number();
    collect();
    std::sort(items.begin(), items.end(), [](const Item &lhs, const Item &rhs) {
      return std::pair(rhs.bytes, lhs.first) < std::pair(lhs.bytes, rhs.first);
    });
    int64_t total = 0;
    for (size_t index = 0; index < items.size(); ++index) {
      place(index);
      total = std::max(total, items[index].end());
    }
    return total;
  }

  void write(int64_t total) {
    Builder builder(kernel.getContext());
    for (const Item &item : items) {
      if (auto buffer = dyn_cast<BufferOp>(item.op))
        buffer.setOffset(item.offset);
      else
        item.op->setAttr(kScratchAttr, builder.getDenseI64ArrayAttr({item.offset, item.bytes}));
    }
    kernel->setAttr(kSharedAttr, builder.getI32IntegerAttr(static_cast<int32_t>(total)));
  }

private:
  void number() {
    int64_t next = 0;
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) { position[op] = next++; });
    kernel->walk<WalkOrder::PostOrder>([&](Operation *op) {
      // A copy: a new entry moves all others.
      const int64_t last = std::max(end[op], position[op]);
      end[op] = last;
      if (Operation *parent = op->getParentOp())
        end[parent] = std::max(end[parent], last);
      // A branch back to an earlier block makes a loop of all.
      for (Block *next : op->getSuccessors())
        branchesBack |= next->getParent() == &kernel.getBody() && position[&next->front()] <= position[op];
    });
  }

  void collect() {
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto buffer = dyn_cast<BufferOp>(op))
        items.push_back({op, bytesOf(buffer), kBufferAlignment, position[op], lastUse(buffer)});
      else if (int64_t bytes = scratchBytes(op))
        items.push_back({op, bytes, kScratchAlignment, position[op], position[op]});
    });
    int64_t small = 0;
    for (Item &item : items) {
      item.apart = item.alignment == kScratchAlignment && item.bytes <= kSmallScratch;
      small += item.apart ? item.bytes : 0;
    }
    if (small > kAllSmallScratch)
      for (Item &item : items)
        item.apart = false;
  }

  static int64_t bytesOf(BufferOp buffer) {
    int64_t slots = buffer.getSlots();
    return slots == 1 ? buffer.getType().getBytes() : slots * slotBytes(buffer.getType());
  }

  int64_t lastUse(BufferOp buffer) {
    if (branchesBack)
      return end[kernel];
    int64_t last = position[buffer];
    Region *home = buffer->getParentRegion();
    SmallVector<Operation *> users(buffer->getUsers());
    for (size_t index = 0; index < users.size(); ++index) {
      Operation *user = users[index];
      if (isa<SlotOp>(user))
        users.append(user->user_begin(), user->user_end());
      last = std::max(last, position[user]);
      for (Operation *op = user; op->getParentRegion() != home; op = op->getParentOp())
        if (isa<LoopLikeOpInterface>(op->getParentOp()))
          last = std::max(last, end[op->getParentOp()]);
    }
    return last;
  }

  void place(size_t index) {
    Item &item = items[index];
    std::vector<const Item *> busy;
    for (size_t other = 0; other < index; ++other)
      if (items[other].meets(item))
        busy.push_back(&items[other]);
    std::sort(busy.begin(), busy.end(),
              [](const Item *lhs, const Item *rhs) { return lhs->offset < rhs->offset; });
    for (const Item *other : busy) {
      if (item.end() <= other->offset)
        break;
      item.offset = std::max(item.offset, static_cast<int64_t>(llvm::alignTo(other->end(), item.alignment)));
    }
  }

  tt::FuncOp kernel;
  std::vector<Item> items;
  llvm::DenseMap<Operation *, int64_t> position, end;
  bool branchesBack = false;
};
} // namespace

void packShared(tt::FuncOp kernel, int64_t mostBytes) {
  Packer packer(kernel);
  int64_t total = packer.run();
  // By this autotuning knows a configuration that does not fit.
  if (total > mostBytes)
    throw OutOfResources(total, mostBytes, "shared memory");
  packer.write(total);
}

} // namespace trisect::gpu

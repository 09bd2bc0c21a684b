//===- KernelState.cpp - buffers and scalars ------------------------------------------------------------===//
#include "backends/cpu/emit/KernelState.h"
#include "backends/cpu/emit/Lives.h"
#include "backends/cpu/emit/Types.h"
#include "core/support/Outcome.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace trisect::cpu {

int64_t Buffer::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

int64_t Arena::take(int64_t bytes) {
  int64_t offset = next;
  next = static_cast<int64_t>(llvm::alignTo(offset + bytes, Storage::alignment));
  return offset;
}

void KernelState::describe(const Buffer &buffer, llvm::StringRef name) {
  llvm::raw_string_ostream line(plan);
  line << name << ": " << RankedTensorType::get(buffer.shape, buffer.element);
  if (buffer.panel)
    line << ", panels of " << buffer.panel;
  line << "\n";
}

Value KernelState::beginOf(const Buffer &buffer) {
  Code c = code();
  Value begin = c.add(scratch, buffer.offset);
  return buffer.shift ? c.add(begin, buffer.shift) : begin;
}

Buffer KernelState::makeBuffer(Type element, ArrayRef<int64_t> shape, int64_t panel) {
  Buffer buffer{{}, element, llvm::to_vector(shape), panel, 0, {}};
  Code c = code();
  buffer.offset = makeMark(c, buffer.elements() * memoryBytes(element));
  describe(buffer, "buffer " + std::to_string(marks.size()));
  marks.push_back(buffer.offset);
  return buffer;
}

Buffer KernelState::makeLasting(Type element, ArrayRef<int64_t> shape, int64_t panel) {
  Buffer buffer{{}, element, llvm::to_vector(shape), panel, 0, {}};
  int64_t offset = arena.take(buffer.elements() * memoryBytes(element));
  buffer.offset = code().i64(offset);
  describe(buffer, "lasting buffer at " + std::to_string(offset));
  return buffer;
}

LLVM::LoadOp KernelState::hookByte(int64_t offset) {
  Code c = code();
  return c.b.create<LLVM::LoadOp>(c.loc, c.i8(), c.pointer(c.add(scratch, c.i64(offset))));
}

int64_t KernelState::placeBuffers(Operation *program) {
  SmallVector<Life> lives = livesOf(marks, program);
  Storage storage = storageOf(lives, arena.end());
  plan += storage.describe(lives);
  Code c = code();
  replaceMarks(c, marks, storage.offsets);
  marks.clear();
  return storage.end;
}

const tt::AxisFacts &KernelState::axisFacts() {
  if (!facts)
    facts = std::make_unique<tt::AxisFacts>(kernel);
  return *facts;
}

Value KernelState::scalar(Value value) {
  auto found = scalars.find(value);
  if (found == scalars.end()) {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    throw EngineError("cpu: no code was made for '" + text + "'");
  }
  return found->second;
}

} // namespace trisect::cpu

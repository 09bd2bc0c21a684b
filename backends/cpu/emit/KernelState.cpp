//===- KernelState.cpp - buffers and scalars ------------------------------------------------------------===//
#include "backends/cpu/emit/KernelState.h"
#include "backends/cpu/emit/Types.h"
#include "core/support/Outcome.h"
#include <algorithm>

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
  next += (bytes + alignment - 1) / alignment * alignment;
  highest = std::max(highest, next);
  return offset;
}

Buffer KernelState::makeBuffer(Type element, ArrayRef<int64_t> shape, int64_t panel) {
  Buffer buffer{0, element, llvm::to_vector(shape), panel, 0, {}};
  buffer.offset = arena.take(buffer.elements() * memoryBytes(element));
  llvm::raw_string_ostream line(plan);
  line << "buffer " << RankedTensorType::get(shape, element) << " at " << buffer.offset;
  if (panel)
    line << ", panels of " << panel;
  line << "\n";
  return buffer;
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

//===- Storage.cpp - places for buffers -----------------------------------------------------------------===//
#include "backends/cpu/plan/Storage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

namespace trisect::cpu {

Storage storageOf(llvm::ArrayRef<Life> lives, int64_t begin) {
  Storage storage;
  storage.offsets.resize(lives.size());
  storage.begin = storage.end = begin;
  llvm::SmallVector<size_t> order(lives.size());
  std::iota(order.begin(), order.end(), size_t{0});
  llvm::sort(order, [&](size_t a, size_t b) {
    return lives[a].bytes != lives[b].bytes ? lives[a].bytes > lives[b].bytes : a < b;
  });
  llvm::SmallVector<size_t> placed; // by offset
  for (size_t each : order) {
    int64_t place = begin;
    for (size_t other : placed) {
      if (!lives[each].meets(lives[other]))
        continue;
      if (place + lives[each].bytes <= storage.offsets[other])
        break;
      int64_t behind = storage.offsets[other] + lives[other].bytes;
      place = std::max(place, static_cast<int64_t>(llvm::alignTo(behind, Storage::alignment)));
    }
    storage.offsets[each] = place;
    storage.end = std::max(storage.end, place + lives[each].bytes);
    auto byOffset = [&](size_t a, size_t b) { return storage.offsets[a] < storage.offsets[b]; };
    placed.insert(llvm::upper_bound(placed, each, byOffset), each);
  }
  storage.end = static_cast<int64_t>(llvm::alignTo(storage.end, Storage::alignment));
  return storage;
}

std::string Storage::describe(llvm::ArrayRef<Life> lives) const {
  llvm::SmallVector<int64_t> times;
  int64_t apart = 0;
  for (const Life &life : lives) {
    times.append({life.begin, life.end});
    apart += static_cast<int64_t>(llvm::alignTo(life.bytes, alignment));
  }
  llvm::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  auto step = [&](int64_t time) { return std::to_string(llvm::lower_bound(times, time) - times.begin()); };
  if (lives.empty())
    return "";
  std::string text = "buffers share " + std::to_string(end - begin) +
                     " bytes of scratch memory; side by side they take " + std::to_string(apart) + "\n";
  for (auto [i, life] : llvm::enumerate(lives))
    text += "buffer " + std::to_string(i) + " at " + std::to_string(offsets[i]) + ", " +
            std::to_string(life.bytes) + " bytes, from step " + step(life.begin) + " to " + step(life.end) +
            "\n";
  return text;
}

} // namespace trisect::cpu

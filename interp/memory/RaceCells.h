//===- RaceCells.h - a number for every cell of memory --------------------------------------------------===//
//
// What: 32 bits for each of many neighbouring cells, kept once for a block of them while all are equal.
// Why: programs touch long runs of memory, so almost all blocks hold one number, and memory for single cells
// is asked for in vain. Limits: a run that covers a block in part makes its cells be kept one by one, until a
// run covers all of it again.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_RACECELLS_H
#define TRISECT_INTERP_MEMORY_RACECELLS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace trisect::interp {

class RaceCells {
public:
  static constexpr size_t blockCells = 32;
  /// What block() gives where the cells differ; no cell may have this number.
  static constexpr uint32_t mixed = ~uint32_t(0);

  /// All cells are 0. Memory is taken when it is used.
  explicit RaceCells(size_t count)
      : blocks(make((count + blockCells - 1) / blockCells)),
        cells(blocks ? make((count + blockCells - 1) / blockCells * blockCells) : nullptr) {}
  /// Whether there was enough memory.
  bool good() const { return cells != nullptr; }

  uint32_t at(size_t cell) const {
    uint32_t whole = blocks[cell / blockCells];
    return whole == mixed ? cells[cell] : whole;
  }
  uint32_t block(size_t index) const { return blocks[index]; }
  void setBlock(size_t index, uint32_t number) { blocks[index] = number; }
  /// The cells of a block that is mixed.
  const uint32_t *mixedCells(size_t index) const { return cells.get() + index * blockCells; }
  /// The cells of a block, which is mixed from now on.
  uint32_t *spread(size_t index) {
    uint32_t *of = cells.get() + index * blockCells;
    if (blocks[index] != mixed)
      std::fill_n(of, blockCells, std::exchange(blocks[index], mixed));
    return of;
  }

  /// Calls visit(block, first cell in it, cells, cells before) for each piece of a run until one gives false.
  template <typename Visit> static void forBlocks(size_t first, int64_t count, Visit visit) {
    for (int64_t done = 0; done < count;) {
      size_t at = first + static_cast<size_t>(done), offset = at % blockCells;
      int64_t length = std::min<int64_t>(static_cast<int64_t>(blockCells - offset), count - done);
      if (!visit(at / blockCells, offset, length, done))
        return;
      done += length;
    }
  }

private:
  struct Unmap {
    size_t bytes;
    void operator()(uint32_t *memory) const;
  };
  using Memory = std::unique_ptr<uint32_t[], Unmap>;
  static Memory make(size_t count);

  Memory blocks, cells;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_RACECELLS_H

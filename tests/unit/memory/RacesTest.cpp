//===- RacesTest.cpp - blocks of cells against one cell at a time ---------------------------------------===//
//
// Random accesses of random programs to a tensor, and the same rules applied to each cell by itself.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/memory/Races.h"
#include <gtest/gtest.h>
#include <random>

using namespace trisect;
using namespace trisect::interp;

namespace {

constexpr int64_t cells = 500;

/// What Races keeps for a cell, kept for each by itself.
class Plainly {
public:
  struct Found {
    int64_t program, element;
    bool sameValue;
  };
  struct Access {
    int64_t program;
    bool atomic;
  };

  std::optional<Found> read(const Access &me, int64_t first, int64_t step, int64_t count) {
    std::optional<Found> found;
    for (int64_t n = 0; n < count; ++n) {
      Cell &cell = at[static_cast<size_t>(first + n * step)];
      if (!found && conflicts(cell.writer, me))
        found = Found{cell.writer->program, n, false};
      if (cell.reader && cell.reader->program != me.program)
        cell.otherReader = cell.reader;
      cell.reader = me;
    }
    return found;
  }

  std::optional<Found> write(const Access &me, int64_t first, int64_t step, int64_t count,
                             const float *values, const float *memory) {
    std::optional<Found> found;
    // Readers are asked for a whole run of neighbours first.
    for (int64_t begin = 0, end; begin < count; begin = end) {
      end = step == 1 ? count : begin + 1;
      for (auto which : {&Cell::reader, &Cell::otherReader})
        for (int64_t n = begin; n < end && !found; ++n)
          if (auto &reader = at[static_cast<size_t>(first + n * step)].*which; conflicts(reader, me))
            found = Found{reader->program, n, false};
      writeRun(me, first, step, begin, end, values, memory, found);
    }
    return found;
  }

private:
  struct Cell {
    std::optional<Access> writer, reader, otherReader;
    bool several = false;
  };

  void writeRun(const Access &me, int64_t first, int64_t step, int64_t begin, int64_t end,
                const float *values, const float *memory, std::optional<Found> &found) {
    for (int64_t n = begin; n < end; ++n) {
      Cell &cell = at[static_cast<size_t>(first + n * step)];
      bool changes = !values || values[n] != memory[first + n * step];
      bool keeps = false, several = false;
      if (cell.writer && cell.writer->program == me.program) {
        keeps = me.atomic && !cell.writer->atomic;
        several = keeps ? cell.several : cell.several || (changes && values);
      } else if ((!found || found->sameValue) && conflicts(cell.writer, me)) {
        bool same = !changes && !cell.several && !cell.writer->atomic && !me.atomic;
        if (!found || !same)
          found = Found{cell.writer->program, n, same};
        keeps = same;
        several = same && cell.several;
      }
      if (!keeps)
        cell.writer = me;
      cell.several = several;
    }
  }
  static bool conflicts(const std::optional<Access> &other, const Access &me) {
    return other && other->program != me.program && !(other->atomic && me.atomic);
  }
  std::vector<Cell> at{static_cast<size_t>(cells)};
};

TEST(Races, BlocksAnswerAsCellsDo) {
  std::mt19937 random(7);
  auto below = [&](int64_t end) { return static_cast<int64_t>(random() % static_cast<uint64_t>(end)); };
  int64_t conflicts = 0, equals = 0;
  for (int run = 0; run < 300; ++run) {
    std::vector<float> memory(cells, 0.0f);
    TensorView view;
    view.name = "x";
    view.address = reinterpret_cast<uint64_t>(memory.data());
    view.shape = {cells};
    view.strides = {1};
    view.type = DType::F32;
    Views views(std::span(&view, 1), false);
    Races races(views, {true}, false, 4);
    Plainly plainly;
    for (int64_t access = 0; access < 40; ++access) {
      bool writes = below(2), atomic = below(4) == 0, splat = below(4) == 0;
      int64_t program = below(3), step = below(4) == 0 ? 1 + below(3) : 1;
      int64_t first = below(4) == 0 ? below(cells / 32) * 32 : below(cells);
      int64_t count = 1 + below(std::max<int64_t>(1, std::min<int64_t>(200, (cells - first) / step)));
      count = std::min(count, (cells - first + step - 1) / step);
      std::vector<float> values(static_cast<size_t>(count), float(below(2)));
      if (!splat)
        for (float &value : values)
          value = float(below(40) == 0);
      uint32_t record = races.begin({program, static_cast<uint32_t>(access), 0, atomic, writes});
      uint64_t address = view.address + uint64_t(first) * 4;
      std::optional<Races::Conflict> got;
      std::optional<Plainly::Found> want;
      if (writes) {
        const float *fresh = atomic ? nullptr : values.data();
        got =
            races.write(0, record, address, step * 4, 4, count, reinterpret_cast<const char *>(fresh), splat);
        want = plainly.write({program, atomic}, first, step, count, fresh, memory.data());
        for (int64_t n = 0; n < count; ++n)
          memory[static_cast<size_t>(first + n * step)] = values[static_cast<size_t>(n)];
      } else {
        got = races.read(0, record, address, step * 4, 4, count);
        want = plainly.read({program, atomic}, first, step, count);
      }
      ASSERT_EQ(got.has_value(), want.has_value()) << "run " << run << ", access " << access;
      if (!got)
        continue;
      ++conflicts;
      equals += got->sameValue;
      EXPECT_EQ(got->element, want->element) << "run " << run << ", access " << access;
      EXPECT_EQ(got->other.program, want->program);
      EXPECT_EQ(got->sameValue, want->sameValue);
    }
  }
  EXPECT_GT(conflicts, 1000);
  EXPECT_GT(equals, 100);
}

} // namespace

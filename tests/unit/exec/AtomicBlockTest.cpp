//===- AtomicBlockTest.cpp - atomics of a block against atomics lane by lane ----------------------------===//
//
// What: every kind of read-modify-write on every type it exists for runs once directly, which takes the loops
// of AtomicBlock, and once through an overlay, which takes AtomicCell. Old values and cells must be equal;
// lanes share cells, and some are masked.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/memory/Overlay.h"
#include "tests/unit/exec/ExecTest.h"
#include <cstring>
#include <random>

namespace trisect::interp {
namespace {

constexpr int lanes = 64, cells = 16;

struct Case {
  const char *kind, *type;
};

std::string kernel(const Case &test) {
  std::string type = test.type, pointers = "tensor<64x!tt.ptr<" + type + ">>";
  std::string block = "tensor<64x" + type + ">";
  auto addresses = [&](const std::string &name, const std::string &index) {
    return "  %" + name + "s = tt.splat %" + name + " : !tt.ptr<" + type + "> -> " + pointers + "\n  %" +
           name + "p = tt.addptr %" + name + "s, %" + index + " : " + pointers + ", tensor<64xi32>\n";
  };
  return "tt.func public @k(%cells: !tt.ptr<" + type + ">, %values: !tt.ptr<" + type + ">, %old: !tt.ptr<" +
         type +
         ">) {\n"
         "  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
         "  %c15 = arith.constant dense<15> : tensor<64xi32>\n"
         "  %c50 = arith.constant dense<50> : tensor<64xi32>\n"
         "  %which = arith.andi %i, %c15 : tensor<64xi32>\n"
         "  %mask = arith.cmpi slt, %i, %c50 : tensor<64xi32>\n" +
         addresses("cells", "which") + addresses("values", "i") + addresses("old", "i") +
         "  %v = tt.load %valuesp : " + pointers + "\n  %r = tt.atomic_rmw " + test.kind +
         ", acq_rel, gpu, %cellsp, %v, %mask : (" + pointers + ", " + block + ", tensor<64xi1>) -> " + block +
         "\n  tt.store %oldp, %r : " + pointers + "\n  tt.return\n}\n";
}

/// Small numbers as floats, any bits as integers.
std::vector<uint8_t> data(const std::string &type, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes(static_cast<size_t>(count) * 8);
  for (int n = 0; n < count; ++n) {
    uint64_t bits = random();
    if (type == "f32") {
      float x = static_cast<float>(static_cast<int64_t>(bits) % 1000) / 8;
      std::memcpy(bytes.data() + n * 4, &x, 4);
    } else if (type == "f64") {
      double x = static_cast<double>(static_cast<int64_t>(bits) % 1000) / 8;
      std::memcpy(bytes.data() + n * 8, &x, 8);
    } else {
      std::memcpy(bytes.data() + n * 8, &bits, 8);
    }
  }
  return bytes;
}

class AtomicBlocks : public ExecTest, public testing::WithParamInterface<Case> {};

TEST_P(AtomicBlocks, EqualLaneByLane) {
  std::string text = kernel(GetParam()), type = GetParam().type;
  auto values = data(type, lanes, 1), before = data(type, cells, 2);
  auto direct = before, old = std::vector<uint8_t>(lanes * 8);
  launch(text, {1, 1, 1}, {at(direct), at(values), at(old)});

  auto kept = before, oldKept = std::vector<uint8_t>(lanes * 8);
  Overlay overlay;
  RunOptions options;
  options.overlay = &overlay;
  launch(text, {1, 1, 1}, {at(kept), at(values), at(oldKept)}, options);
  EXPECT_EQ(kept, before);
  overlay.forEachWrite([&](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
    for (size_t n = 0; n < bytes.size(); ++n)
      if (mask[n])
        *reinterpret_cast<uint8_t *>(address + n) = bytes[n];
  });
  EXPECT_EQ(direct, kept);
  EXPECT_EQ(old, oldKept);
  EXPECT_NE(direct, before);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, AtomicBlocks,
    testing::Values(Case{"add", "i32"}, Case{"add", "i64"}, Case{"and", "i32"}, Case{"and", "i64"},
                    Case{"or", "i32"}, Case{"or", "i64"}, Case{"xor", "i32"}, Case{"xor", "i64"},
                    Case{"max", "i32"}, Case{"max", "i64"}, Case{"min", "i32"}, Case{"min", "i64"},
                    Case{"umax", "i32"}, Case{"umax", "i64"}, Case{"umin", "i32"}, Case{"umin", "i64"},
                    Case{"exch", "i16"}, Case{"exch", "i32"}, Case{"exch", "i64"}, Case{"exch", "f32"},
                    Case{"fadd", "f32"}, Case{"fadd", "f64"}, Case{"fadd", "f16"}),
    [](const auto &info) { return std::string(info.param.kind) + "_" + info.param.type; });

} // namespace
} // namespace trisect::interp

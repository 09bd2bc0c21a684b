//===- KernelsBench.cpp - speed of the block kernels ----------------------------------------------------===//
//
// What: every elementwise kernel on strips of 4096 elements, reductions, and matrix products, on the ISA
// level of this process (TRISECT_ISA). Prints nanoseconds an element, or GFLOP/s for products. Why: a kernel
// that the compiler stopped vectorising shows here first.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/RegistryMaps.h"
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace trisect;
using namespace trisect::interp;

namespace {

constexpr int64_t stripElements = 4096;

/// A buffer of small positive numbers in any element type.
struct Buffer {
  Buffer(DType type, int64_t n) : bytes(n * byteSize(type) + 64) {
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t number = 1 + i % 100;
      const float f = float(number) / 16;
      uint32_t bits;
      std::memcpy(&bits, &f, 4);
      uint64_t value = number;
      const double d = f;
      if (type == DType::F32)
        value = bits;
      else if (type == DType::BF16)
        value = bits >> 16;
      else if (type == DType::F64)
        std::memcpy(&value, &d, 8);
      else if (type == DType::I1)
        value = number & 1;
      std::memcpy(static_cast<char *>(data()) + i * byteSize(type), &value, byteSize(type));
    }
  }
  void *data() { return bytes.data() + (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) % 64; }
  std::vector<char> bytes;
};

void perElement(benchmark::State &state, int64_t n) {
  state.counters["ns/elem"] = benchmark::Counter(double(n) * state.iterations() * 1e-9,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void runElementwise(benchmark::State &state, ElementwiseKey key, ElementwiseFn fn, bool splatSecond) {
  const bool condition = key.op == OpId::arith_select;
  Buffer result(DType::I64, stripElements), mask(DType::I1, stripElements);
  Buffer a(key.op == OpId::tt_addptr ? DType::Ptr : key.operand, stripElements),
      b(key.operand, stripElements);
  Strip operands[3] = {{a.data(), false}, {b.data(), splatSecond}, {b.data(), false}};
  if (condition)
    operands[0].data = mask.data();
  for (auto _ : state) {
    fn(result.data(), operands, stripElements, 1);
    benchmark::ClobberMemory();
  }
  perElement(state, stripElements);
}

void addElementwise() {
  for (const auto &[entry, fn] : registryOf(activeIsa()).maps().elementwise) {
    const auto &[op, operand, result, numerics] = entry;
    const std::string title =
        std::string(info(op).mnemonic) + "/" + std::string(name(operand)) + "/" + std::string(name(result));
    const ElementwiseKey key{op, operand, result};
    benchmark::RegisterBenchmark(title.c_str(),
                                 [key, fn = fn](auto &state) { runElementwise(state, key, fn, false); });
    if (op == OpId::arith_divsi || op == OpId::arith_remsi)
      benchmark::RegisterBenchmark((title + "/splat").c_str(),
                                   [key, fn = fn](auto &state) { runElementwise(state, key, fn, true); });
  }
}

void addReductions() {
  const int64_t shapes[][3] = {{1, 4096, 1}, {64, 64, 1}, {1, 64, 64}, {1, 4096, 64}};
  for (const auto &[entry, fn] : registryOf(activeIsa()).maps().reduce)
    for (const auto &[outer, length, inner] : shapes) {
      const auto [op, type] = entry;
      const std::string title = "reduce/" + std::string(info(op).mnemonic) + "/" + std::string(name(type)) +
                                "/" + std::to_string(outer) + "x" + std::to_string(length) + "x" +
                                std::to_string(inner);
      benchmark::RegisterBenchmark(title.c_str(), [=, fn = fn, type = type, outer = outer, length = length,
                                                   inner = inner](auto &state) {
        Buffer input(type, outer * length * inner), result(type, outer * inner);
        for (auto _ : state) {
          fn(result.data(), input.data(), outer, length, inner);
          benchmark::ClobberMemory();
        }
        perElement(state, outer * length * inner);
      });
    }
}

void addProducts() {
  const int64_t shapes[][3] = {{16, 16, 16}, {32, 32, 32}, {64, 64, 32}, {128, 128, 32}, {128, 128, 64}};
  for (const auto &[entry, fn] : registryOf(activeIsa()).maps().dot)
    for (const auto &[m, n, k] : shapes) {
      const auto [a, b, acc, precision] = entry;
      const std::string title = "dot/" + std::string(name(a)) + "/" + std::string(name(b)) + "/" +
                                std::string(name(acc)) + "/" + std::to_string(int(precision)) + "/" +
                                std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
      benchmark::RegisterBenchmark(title.c_str(), [=, fn = fn, a = a, b = b, acc = acc, m = m, n = n,
                                                   k = k](auto &state) {
        Buffer left(a, m * k), right(b, k * n), sum(acc, m * n), scratch(DType::I8, dotScratchBytes(m, n, k));
        const DotArgs args = {left.data(), right.data(), sum.data(), sum.data(), m, n, k, k, n, n, n};
        for (auto _ : state) {
          fn(args, scratch.data());
          benchmark::ClobberMemory();
        }
        state.counters["GFLOP/s"] =
            benchmark::Counter(2e-9 * m * n * k * state.iterations(), benchmark::Counter::kIsRate);
      });
    }
}

} // namespace

int main(int argc, char **argv) {
  addElementwise();
  addReductions();
  addProducts();
  benchmark::AddCustomContext("isa", std::string(isaName(activeIsa())));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
}

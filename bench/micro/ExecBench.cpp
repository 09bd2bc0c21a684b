//===- ExecBench.cpp - whole kernels in tier 0 ----------------------------------------------------------===//
//
// What: time of a launch, decode excluded, for the kernels of interp/tools/SampleKernels.h. Threads as
// TRISECT_THREADS says.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "interp/program/Decode.h"
#include "interp/run/Run.h"
#include "interp/tools/SampleKernels.h"
#include "mlir/IR/MLIRContext.h"
#include <benchmark/benchmark.h>
#include <random>

namespace {

using namespace trisect;
using namespace trisect::interp;

std::vector<float> noise(size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> data(count);
  for (float &x : data)
    x = normal(random);
  return data;
}

ArgBits at(std::vector<float> &data) { return reinterpret_cast<ArgBits>(data.data()); }

void measure(benchmark::State &state, const char *text, Grid grid, std::vector<ArgBits> args) {
  mlir::MLIRContext context;
  tt::loadDialects(context);
  auto module = tt::parseModule(text, "bench.ttir", context);
  auto program = decode(*module, "");
  LaunchRequest request;
  request.grid = grid;
  request.args = args;
  for (auto _ : state)
    run(*program, request);
}

void add(benchmark::State &state) {
  int n = 1 << 20;
  auto x = noise(n), y = noise(n), out = noise(n);
  measure(state, vectorAdd, {n / 1024, 1, 1}, {at(x), at(y), at(out), ArgBits(n)});
}
BENCHMARK(add)->Unit(benchmark::kMillisecond)->UseRealTime();

void rowSoftmax(benchmark::State &state) {
  auto x = noise(4096 * 1024), out = noise(4096 * 1024);
  measure(state, softmax, {4096, 1, 1}, {at(out), at(x), 1024, 1024});
}
BENCHMARK(rowSoftmax)->Unit(benchmark::kMillisecond)->UseRealTime();

void product(benchmark::State &state) {
  auto a = noise(512 * 512), b = noise(512 * 512), c = noise(512 * 512);
  measure(state, matmul, {4, 4, 1}, {at(a), at(b), at(c), 512, 512, 512});
}
BENCHMARK(product)->Unit(benchmark::kMillisecond)->UseRealTime();

void norm(benchmark::State &state) {
  auto x = noise(4096 * 1024), out = noise(4096 * 1024), w = noise(1024), b = noise(1024);
  measure(state, layerNorm, {4096, 1, 1}, {at(out), at(x), at(w), at(b), 1024});
}
BENCHMARK(norm)->Unit(benchmark::kMillisecond)->UseRealTime();

void decodeMatmul(benchmark::State &state) {
  mlir::MLIRContext context;
  tt::loadDialects(context);
  auto module = tt::parseModule(matmul, "bench.ttir", context);
  for (auto _ : state)
    benchmark::DoNotOptimize(decode(*module, ""));
}
BENCHMARK(decodeMatmul)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();

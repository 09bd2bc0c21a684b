//===- Generator.cpp - a kernel from its head to its stores ---------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include <algorithm>

namespace trisect::fuzz {

std::span<const std::pair<const char *, const char *>> absentOps() {
  static constexpr std::pair<const char *, const char *> all[] = {
      {"ub.poison", "undefined by its meaning"},
      {"llvm.mlir.undef", "undefined by its meaning"},
      {"tt.int_to_ptr", "addresses differ from run to run"},
      {"tt.ptr_to_int", "addresses differ from run to run"},
      {"tt.atomic_poll", "waits for other programs; compiled tiers refuse it"},
      {"tt.reinterpret_tensor_descriptor", "a format of one GPU"},
      {"tt.experimental_tensormap_create", "a format of one GPU"},
      {"tt.cat", "may give its elements in any order"},
      {"arith.index_cast", "Triton has no index type"},
      {"arith.index_castui", "Triton has no index type"},
      {"tt.elementwise_inline_asm",
       "tests/ops/debug and tests/python have it; its text is a language of its own"},
      {"tt.extern_elementwise", "a function of a library, tested one by one in tests/python/numerics"},
      {"tt.print", "writes no memory"},
      {"tt.assert", "writes no memory"},
      {"tt.grid_dependency_wait", "has no effect"},
      {"tt.grid_dependency_launch_dependents", "has no effect"},
      {"gpu.barrier", "has no effect"},
      {"ttg.barrier", "has no effect"},
      {"llvm.intr.assume", "has no effect where it holds"},
      {"tt.descriptor_gather", "tests/ops/descriptor has it"},
      {"tt.descriptor_scatter", "tests/ops/descriptor has it"},
      {"tt.descriptor_reduce", "tests/ops/descriptor has it"},
  };
  return all;
}

Case Generator::make() {
  result.grid.x = static_cast<int32_t>(choices.from(1, 3));
  result.grid.y = choices.chance(15) ? 2 : 1;
  static const std::vector<Shape> menu = {{16},    {64},    {128},     {32},       {256},   {8, 16}, {16, 16},
                                          {4, 32}, {32, 8}, {1, 64},   {64, 1},    {512},   {2},     {1},
                                          {8},     {2, 2},  {4, 8, 4}, {2, 16, 8}, {16, 32}};
  for (int64_t n = choices.from(1, 2); n-- > 0;)
    shapes.push_back(choices.pick(menu));
  line("%px = tt.get_program_id x : i32");
  line("%py = tt.get_program_id y : i32");
  line("%nx = tt.get_num_programs x : i32");
  line("%pyx = arith.muli %py, %nx : i32");
  line("%pid = arith.addi %px, %pyx : i32");
  pool.push_back({"%pid", {DType::I32, {}}, Open::Nothing});
  steps(12);
  store();
  for (int64_t n = choices.from(0, 4); n > 0; --n) // what nobody has used yet
    if (auto value = take(100, [](const Value &each) { return !each.used; }))
      storeValue(*value);
  std::string head = "tt.func public @k(";
  for (size_t n = 0; n < parameters.size(); ++n)
    head += (n ? ", " : "") + parameters[n];
  result.module = head + ") {\n";
  for (const std::string &each : lines)
    result.module += each + "\n";
  result.module += "  tt.return\n}\n";
  for (const std::string &each : functions)
    result.module += each;
  return std::move(result);
}

void Generator::steps(uint32_t most) {
  static const Step all[] = {
      {&Generator::integerPair, 24, Step::Anywhere}, {&Generator::integerAlone, 4, Step::Anywhere},
      {&Generator::compare, 8, Step::Anywhere},      {&Generator::choose, 7, Step::Anywhere},
      {&Generator::highProduct, 2, Step::Anywhere},  {&Generator::floatPair, 12, Step::Anywhere},
      {&Generator::floatAlone, 6, Step::Anywhere},   {&Generator::floatTriple, 4, Step::Anywhere},
      {&Generator::function, 3, Step::Anywhere},     {&Generator::cast, 12, Step::Anywhere},
      {&Generator::reshape, 3, Step::Blocks},        {&Generator::transpose, 3, Step::Blocks},
      {&Generator::expand, 5, Step::Blocks},         {&Generator::joinOrSplit, 3, Step::Blocks},
      {&Generator::gather, 3, Step::Blocks},         {&Generator::histogram, 2, Step::Blocks},
      {&Generator::single, 2, Step::Blocks},         {&Generator::reduce, 7, Step::Blocks},
      {&Generator::scan, 4, Step::Blocks},           {&Generator::argExtremum, 3, Step::Blocks},
      {&Generator::recurrence, 2, Step::Blocks},     {&Generator::map, 3, Step::Blocks},
      {&Generator::product, 4, Step::Blocks},        {&Generator::scaledProduct, 1, Step::Blocks},
      {&Generator::loop, 6, Step::Anywhere},         {&Generator::branch, 5, Step::Anywhere},
      {&Generator::whileLoop, 3, Step::Anywhere},    {&Generator::call, 4, Step::Kernel},
      {&Generator::load, 10, Step::Kernel},          {&Generator::store, 5, Step::Kernel},
      {&Generator::loadBack, 4, Step::Kernel},       {&Generator::atomicShared, 3, Step::Kernel},
      {&Generator::atomicOwn, 3, Step::Kernel},      {&Generator::atomicSwap, 2, Step::Kernel},
      {&Generator::blockPointer, 3, Step::Kernel},   {&Generator::descriptor, 3, Step::Kernel},
  };
  for (uint32_t n = 0; n < most && choices.chance(88); ++n) {
    uint32_t total = 0;
    auto weight = [&](const Step &step) {
      bool out = (scalars && step.where != Step::Anywhere) || (helper && step.where == Step::Kernel);
      return out ? 0u : step.weight;
    };
    for (const Step &step : all)
      total += weight(step);
    uint32_t at = choices.below(total);
    for (const Step &step : all) {
      if (at < weight(step)) {
        (this->*step.make)();
        break;
      }
      at -= weight(step);
    }
  }
}

} // namespace trisect::fuzz

//===- Generator.h - random kernels that are valid and defined ------------------------------------------===//
//
// What: makes a kernel of choices, op by op from a pool of values, and stores what came out of it. Every
// access stays within its buffer, lanes of a store have different addresses, programs write regions of their
// own, loops end, divisors are not zero, regions of reductions are associative: so each kernel has one right
// answer, up to what the profile leaves open of floats. Why: any difference between tiers is then a mistake.
// Limits: what `absentOps` names.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_GENERATOR_H
#define TRISECT_TESTS_FUZZ_KERNELS_GENERATOR_H

#include "tests/fuzz/kernels/Case.h"
#include "tests/fuzz/kernels/Choices.h"
#include "tests/fuzz/kernels/Value.h"
#include <map>
#include <optional>
#include <span>

namespace trisect::fuzz {

/// Ops of core/ops.def that no kernel has, each with the reason.
std::span<const std::pair<const char *, const char *>> absentOps();

class Generator {
public:
  explicit Generator(Choices &choices) : choices(choices) {}
  Case make();

private:
  struct Step {
    void (Generator::*make)();
    uint32_t weight;
    enum Where : uint8_t {
      Anywhere,
      Blocks,
      Kernel
    } where; ///< Blocks: not among scalars; Kernel: not in helpers
  };
  /// Cells that all programs update by one kind of atomic, whose order does not show.
  struct Cells {
    std::string parameter;
    const char *kind;
  };
  /// Memory that each program has a region of.
  struct Output {
    std::string parameter;
    size_t argument;
    DType element;
    int64_t extent; ///< of a region; a power of two
  };
  /// Addresses for the lanes of a block, and which lanes may use them.
  struct Places {
    std::string pointers, mask; ///< the mask may be empty
    Type type;
  };

  // Text.cpp
  std::string fresh() { return "%v" + std::to_string(count++); }
  void line(const std::string &text) { lines.push_back(std::string(indent, ' ') + text); }
  Value keep(Value value);
  Value make(const Type &type, Open open, const std::string &text);
  std::string hidden(const std::string &text);
  std::string constant(DType type, int64_t number);
  std::string parameter(const std::string &type, const std::string &argument);
  void enter(const std::string &head);
  void leave(const std::string &tail, size_t poolSize);

  // Leaves.cpp
  Value need(const Type &type, Open most = Open::Value);
  Value leaf(const Type &type);
  Value splat(const Value &scalar, const Shape &shape);
  Value number(DType type, bool asParameter);
  Value range(const Shape &shape);
  Value linear(const Shape &shape);
  int64_t nearALimit(DType type);
  std::string floatBits(DType type);
  DType anyInteger();
  DType anyFloat();
  Shape anyShape();
  Type anyType(DType element) { return {element, anyShape()}; }
  Value any(bool (*fits)(const Value &), const Type &otherwise);
  /// A value of the pool that fits: one of the latest, most often one that nobody has used.
  template <class Fits> std::optional<Value> take(uint32_t percent, Fits &&fits) {
    std::vector<Value *> fit, unused;
    for (size_t n = pool.size(); n-- > 0 && fit.size() < 8;)
      if (fits(pool[n])) {
        fit.push_back(&pool[n]);
        if (!pool[n].used)
          unused.push_back(&pool[n]);
      }
    if (fit.empty() || !choices.chance(percent))
      return std::nullopt;
    Value &taken = *choices.pick(!unused.empty() && choices.chance(70) ? unused : fit);
    taken.used = true;
    return taken;
  }

  // Integers.cpp, Floats.cpp, Casts.cpp
  void integerPair();
  void integerAlone();
  void compare();
  void choose();
  void highProduct();
  void floatPair();
  void floatAlone();
  void floatTriple();
  void function();
  void cast();
  Value converted(const Value &value, DType to);
  Value toInteger(const Value &value, DType to);

  // Shapes.cpp
  void reshape();
  void transpose();
  void expand();
  void joinOrSplit();
  void gather();
  void histogram();
  void single();

  // Folds.cpp, Maps.cpp, Products.cpp
  void reduce();
  void scan();
  void fold(bool scans);
  std::string combine(DType type, const std::string &a, const std::string &b, Open &open);
  void argExtremum();
  void recurrence();
  void map();
  void product();
  void scaledProduct();

  // Control.cpp
  void loop();
  void branch();
  void whileLoop();
  void call();
  void steps(uint32_t most);
  std::vector<Value> someOf(uint32_t most);
  void results(const std::string &name, const std::vector<Value> &like);
  Value mixed(Value value, Open most);
  std::string yields(const std::vector<Value> &like, const char *op);

  // Memory.cpp, Atomics.cpp, Boxes.cpp
  std::string input(DType element);
  Value loadInput(const Type &type);
  void load();
  void store();
  void storeValue(Value value);
  void loadBack();
  std::string address(const std::string &base, const Type &type, const Value &offsets);
  std::string shifted(const std::string &base, DType element, const std::string &by, const char *byType);
  Places anyPlaces(const Type &type, int64_t extent, const std::string &base);
  Places ownPlaces(const Type &type);
  std::string maybeMask(const Type &type, uint32_t percent);
  Value block(DType type, int64_t number, const Shape &shape);
  Value loaded(const Places &places);
  Value uniqueOffsets(const Shape &shape, int64_t &low, int64_t &extent);
  Output output(DType element, int64_t extent);
  std::string regionOf(const Output &out, int64_t low);
  void atomicShared();
  void atomicOwn();
  void atomicSwap();
  std::string order();
  void showOld(const Type &type, const std::string &old, const std::string &mask, Open open);
  void blockPointer();
  void descriptor();

  Choices &choices;
  int count = 0;
  unsigned indent = 2, depth = 0;
  bool helper = false, scalars = false; ///< where values of the kernel, or blocks, are out of reach
  Case result;
  std::vector<std::string> lines, functions, parameters;
  std::vector<Value> pool;
  std::vector<Shape> shapes;
  std::map<DType, std::string> inputs;
  std::map<DType, Cells> cells;
  std::vector<Output> outputs;
};

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_GENERATOR_H

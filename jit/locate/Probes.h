//===- Probes.h - a kernel that writes down what its operations give ------------------------------------===//
//
// What: numbers the values of a kernel and makes copies of it which append chosen values, each time that they
// are computed, to a stream in memory, given as one more argument. Why: every tier runs such a copy like any
// other kernel, so that two tiers can be compared where they part, not only where it shows.
// Limits: values in bodies of reduce, scan and map, in helpers that are not inlined, block pointers and
// descriptors are not watched. A stream holds a window of what was written.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LOCATE_PROBES_H
#define TRISECT_JIT_LOCATE_PROBES_H

#include "core/support/Outcome.h"
#include "jit/kernel/Kernel.h"
#include <memory>
#include <set>
#include <vector>

namespace trisect::jit {

/// The bytes of a stream. It begins with two words: where the next record would begin, counted over all that
/// were written, and where the window does; then the window. A record is the number of its value in one word,
/// an empty word, and the elements in row-major order.
struct StreamFormat {
  static constexpr int64_t header = 64, window = int64_t(8) << 20, recordHeader = 16, alignment = 16;
  static constexpr int64_t bytes = header + window;
};

/// A value that can be watched.
struct WatchedValue {
  unsigned op = 0;     ///< its operation's number in the order of a walk; of a loop for a value of its body
  bool ofBody = false; ///< an argument of a loop's body
  bool cut = false; ///< of an operation that others are built around: loads, products, loops, what is stored
  std::string name; ///< of the operation: `arith.subf`
  std::string text; ///< the operation as one line of TTIR
  SourcePosition position;
  DType type = DType::F32;    ///< of the elements in the stream; addresses relative to an argument are I64
  std::vector<int64_t> shape; ///< empty: a scalar
  int64_t elements = 1;
  std::vector<unsigned> operands; ///< numbers of the values that it is computed from
  int64_t recordBytes() const;
};

/// An operation that reads or writes memory.
struct MemoryOp {
  unsigned op = 0;
  bool writes = false;
  std::string name, text;
  SourcePosition position;
  int argument = -1;  ///< of the kernel, from which the addresses come; -1: not known
  int addresses = -1; ///< the number of their value; -1: not watched
};

class Probes {
public:
  explicit Probes(const Kernel &kernel);
  ~Probes();
  Probes(const Probes &) = delete;
  Probes &operator=(const Probes &) = delete;

  const std::vector<WatchedValue> &values() const { return found; }
  /// In the order of a walk.
  const std::vector<MemoryOp> &memoryOps() const { return accesses; }
  /// The kernel with one more argument, the stream, to which the values of these numbers go.
  std::shared_ptr<const Kernel> watching(const std::set<unsigned> &values) const;

private:
  struct Module;
  void collect();

  const Kernel &kernel;
  std::unique_ptr<Module> source;
  std::vector<WatchedValue> found;
  std::vector<MemoryOp> accesses;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_LOCATE_PROBES_H

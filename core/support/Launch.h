//===- Launch.h - what a launch hands to a tier ---------------------------------------------------------===//
//
// What: the grid, the packed arguments and what is known of the tensors behind pointer arguments.
// Why: every tier is launched with the same structure, and interp/ must not know jit/.
// Limits: addresses are the host's unless the tier says otherwise; nothing here owns memory.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_LAUNCH_H
#define TRISECT_CORE_SUPPORT_LAUNCH_H

#include "core/support/DType.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trisect {

struct Grid {
  int32_t x = 1, y = 1, z = 1;
  int64_t programs() const { return int64_t(x) * y * z; }
};

/// Contiguous linear ids of a grid; x counts fastest.
struct ProgramRange {
  int64_t first = 0;
  int64_t count = 0;
};

/// The kinds of memory that arguments lie in, numbered as DLPack does.
enum class DeviceKind : int32_t { Host = 1, Cuda = 2, Rocm = 10, Extension = 12 };

/// One device of a kind: where arguments lie and kernels run.
struct DeviceId {
  DeviceKind kind = DeviceKind::Host;
  int32_t index = 0;
  friend bool operator==(const DeviceId &, const DeviceId &) = default;
};

/// One argument of the kernel's `tt.func`, in its order: an address, or the value's bits in the low bytes
/// (the rest zero). Floats are stored in the argument's own format.
using ArgBits = uint64_t;

/// What a `!tt.tensordesc` argument points to: its ArgBits are the address of one of these, on the host,
/// which lives as long as the launch.
struct DescriptorArg {
  uint64_t address = 0;
  int32_t rank = 0;
  int32_t padding = 1; ///< 1 zero, 2 nan: as in TTIR
  int64_t shape[5] = {};
  int64_t strides[5] = {}; ///< in elements
};

/// The view behind a pointer argument, for checks and reports.
struct TensorView {
  unsigned argument = 0; ///< index into the arguments
  std::string name;      ///< the parameter's name in the kernel
  uint64_t address = 0;  ///< of element (0, 0, ...)
  DType type = DType::F32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< in elements; may be zero or negative
  bool isSigned = true;         ///< how reports show its integers
};

/// Which form atomics take that have one without locks.
enum class AtomicsForm : uint8_t {
  Found, ///< that one where the launch is alone
  Plain, ///< the memory is nobody else's
  Locked,
};

struct LaunchRequest {
  Grid grid;
  std::span<const ArgBits> args;
  std::span<const TensorView> tensors;
  void *stream = nullptr; ///< of the device; null: its default
  /// The programs to run; nothing: the whole grid.
  std::optional<ProgramRange> part = std::nullopt;
  DeviceId device = {};
  /// Host threads that may be used; 0: as many as the process may.
  unsigned threads = 0;
  AtomicsForm atomics = AtomicsForm::Found;

  ProgramRange programs() const { return part.value_or(ProgramRange{0, grid.programs()}); }
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_LAUNCH_H

//===- Types.h - handles, codes and structures of libcuda -----------------------------------------------===//
//
// What: the part of the CUDA driver's stable binary interface that is used here.
// Why: Trisect is built on machines without CUDA's headers and opens the library when it runs.
// Limits: numbers and layouts are those of CUDA 12 and later.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_TYPES_H
#define TRISECT_BACKENDS_CUDA_DRIVER_TYPES_H

#include <cstddef>
#include <cstdint>

namespace trisect::cuda::driver {

using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Address = uint64_t;

/// What a call of the driver answers.
enum Status : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  NoDevice = 100,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  InvalidPtx = 218,
  UnsupportedPtxVersion = 222,
  InvalidHandle = 400,
  NotFound = 500,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  DeviceAssert = 710,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  LaunchFailed = 719,
  CooperativeLaunchTooLarge = 720,
};

enum class DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  WarpSize = 10,
  MaxRegistersPerBlock = 12,
  ClockRate = 13,
  MultiprocessorCount = 16,
  MemoryClockRate = 36,
  MemoryBusWidth = 37,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  CooperativeLaunch = 95,
  MaxSharedMemoryPerBlockOptin = 97,
};

enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
};

enum class PointerAttribute : int { MemoryType = 2, DeviceOrdinal = 9 };
/// The values of PointerAttribute::MemoryType.
constexpr unsigned memoryOnHost = 1, memoryOnDevice = 2;

enum class JitOption : int { ErrorLog = 5, ErrorLogBytes = 6, LineInfo = 13 };

enum class CaptureMode : int { Global = 0, ThreadLocal = 1, Relaxed = 2 };

/// A property of a launch.
struct LaunchAttribute {
  enum Id : int { Cooperative = 2, ClusterDimension = 4, ProgrammaticSerialization = 6 };
  Id id;
  int padding = 0;
  union {
    char bytes[64];
    int flag;
    struct {
      unsigned x, y, z;
    } cluster;
  } value = {};
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  Stream stream;
  const LaunchAttribute *attributes;
  unsigned attributeCount;
};
static_assert(offsetof(LaunchConfig, stream) == 32 && sizeof(LaunchConfig) == 56);

/// How launches take all parameters in one buffer: words of their last argument, each before a pointer.
inline void *const bufferFollows = reinterpret_cast<void *>(1), *const bytesFollow =
                                                                    reinterpret_cast<void *>(2);

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_TYPES_H

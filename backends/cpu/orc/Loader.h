//===- Loader.h - links objects into this process -------------------------------------------------------===//
//
// What: puts an object into code memory by JITLink; a loaded object gives the kernel's address and is removed
// with its handle. Why: an ORC session keeps some 45 KiB for each library of code. Limits: symbols that an
// object leaves open are looked up in this process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_LOADER_H
#define TRISECT_BACKENDS_CPU_ORC_LOADER_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trisect::cpu {

/// Runs the programs with linear ids [begin, end) of a grid. `scratch` is aligned to 64 bytes.
using EntryPoint = void (*)(const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end,
                            void *scratch);

class LoadedObject {
public:
  virtual ~LoadedObject() = default;
  /// Where the code of the symbol begins.
  virtual void *address() const = 0;
};

/// Links the object file `object` and looks `symbol` up; throws EngineError. Debuggers and perf know it as
/// `kernel`.
std::unique_ptr<LoadedObject> loadObject(std::string_view object, const std::string &symbol,
                                         std::string_view kernel);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_LOADER_H

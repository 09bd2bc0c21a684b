//===- Bundle.h - a difference, or a failed compile, as a directory -------------------------------------===//
//
// What: everything needed to see it again: the kernel as TTIR, its options, the compiled code, arguments and
// pages, both outputs, versions; and a report of it for people and programs. Files:
//   kernel.ttir   the kernel
//   code.bin      the compiled code as an artifact; absent if there is none
//   pages.bin     of each page: before, tier 0's, which bytes tier 0 wrote, the compiled form's
//   launch.json   the rest
//   report.json, report.txt
// Why: what was seen once, in a process that is gone, can be run, shrunk and sent to somebody.
// Limits: memory of the host. read() refuses what write() did not make, or somebody changed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_BUNDLE_BUNDLE_H
#define TRISECT_JIT_BUNDLE_BUNDLE_H

#include "backends/target/Artifact.h"
#include "jit/check/Evidence.h"
#include "jit/check/Location.h"
#include <filesystem>
#include <map>
#include <optional>

namespace trisect::jit {

struct Bundle {
  std::string kernel, tier, ttir;
  Form form = Form::Any;
  std::map<std::string, std::string> options;
  std::map<std::string, std::string> versions; ///< of this library, of LLVM, of the machine
  std::optional<Artifact> code;
  std::optional<Evidence> evidence; ///< none of a failed compile
  std::optional<Location> location;
  std::string sentence; ///< of the event

  /// Bytes that write() takes, about.
  size_t size() const;
  /// The directory must not be there. Throws EngineError.
  void write(const std::filesystem::path &directory) const;
  /// Throws InvalidInput.
  static Bundle read(const std::filesystem::path &directory);
};

/// Those of this process.
std::map<std::string, std::string> currentVersions();

} // namespace trisect::jit

#endif // TRISECT_JIT_BUNDLE_BUNDLE_H

//===- DumpSink.h - where the stages of a compilation are shown -----------------------------------------===//
//
// What: takes the text or binary of each stage of one kernel's compilation. MLIR_ENABLE_DUMP (1 or a kernel's
// name), LLVM_IR_ENABLE_DUMP and NVPTX_ENABLE_DUMP print to stderr (MLIR_DUMP_PATH: MLIR to a file);
// TRISECT_DUMP=DIR writes each stage to DIR/KERNEL/NN-STAGE.EXTENSION.
// Why: one place decides what is shown, so that every tier and pass pipeline shows alike.
// Limits: a place that cannot be written is InvalidInput at construction, and at launches by
// requireDumpsWritable(); what cannot be written later (a full disk) is told once and does not end a
// compilation.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_DUMPSINK_H
#define TRISECT_CORE_SUPPORT_DUMPSINK_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trisect {

/// What a stage holds; chooses the environment variable that shows it.
enum class DumpKind : uint8_t { Mlir, LlvmIr, Ptx, Assembly, Text, Binary };

/// Throws InvalidInput, naming variable and place, if TRISECT_DUMP is no folder that can be made and written
/// to, or if MLIR_ENABLE_DUMP is on and MLIR_DUMP_PATH is no file that can be.
void requireDumpsWritable();

class DumpSink {
public:
  /// Reads the options; with TRISECT_DUMP it makes DIR/KERNEL, or KERNEL.1, KERNEL.2 ... if that is taken.
  explicit DumpSink(std::string kernel);

  /// True if write() would show this kind; print the IR only then.
  bool wants(DumpKind kind) const;
  /// True if MLIR_ENABLE_DUMP asks for the IR of this kernel before every pass.
  static bool wantsEveryPass(const std::string &kernel);
  /// Shows one stage; `stage` is a short name such as `ttir` or `before-canonicalize`.
  void write(DumpKind kind, std::string_view stage, std::string_view content);
  /// Writes a further file (a replay command, inputs) beside the stages; nothing without TRISECT_DUMP.
  void writeFile(std::string_view name, std::string_view content) const;
  /// The folder of this compilation; empty without TRISECT_DUMP.
  const std::filesystem::path &folder() const { return directory; }

private:
  bool prints(DumpKind kind) const;

  std::string kernel;
  std::filesystem::path directory;
  std::string printPath;
  bool printMlir = false, printLlvm = false, printPtx = false;
  int stagesWritten = 0;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_DUMPSINK_H

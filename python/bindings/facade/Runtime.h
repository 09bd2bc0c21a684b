//===- Runtime.h - kernels and launches for a caller without MLIR ---------------------------------------===//
//
// What: makes a kernel from TTIR, launches it with packed arguments on whichever tier is due, and tells what
// happened to it.
// Why: the Python extension is compiled on machines without LLVM; it sees this header and no MLIR.
// Limits: a kernel may be launched by several threads; the memory behind its arguments is the caller's.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_RUNTIME_H
#define TRISECT_PYTHON_BINDINGS_FACADE_RUNTIME_H

#include "core/support/LaunchRecord.h"
#include "core/support/Outcome.h"
#include "core/support/Shelf.h"
#include "python/bindings/facade/Api.h"
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::runtime {

struct Parameter {
  std::string name;
  std::string type; ///< the TTIR spelling
};

struct Event {
  std::string kind; ///< compiled, loaded, promoted, kept, withdrawn, checked
  std::string tier;
  std::string text;    ///< one sentence
  std::string verdict; ///< equal, different, inconclusive, or empty
  int64_t programs = 0;
  int64_t bytes = 0;
  double milliseconds = 0; ///< of a compile
};

/// What a kernel did so far, and what comparisons of it found.
struct Tally {
  int64_t launches = 0;    ///< in any tier
  int64_t interpreted = 0; ///< of these in tier 0
  int64_t equal = 0, within = 0, different = 0, inconclusive = 0;
  int64_t bytes = 0;              ///< compared
  double worst = 0;               ///< the largest share of a bound that an element used
  double slowestMilliseconds = 0; ///< of a comparison
};

/// A kernel as an object file, for arguments that may overlap, and its entry point
/// (backends/cpu/orc/Loader.h).
struct NativeObject {
  std::string code, symbol;
  int64_t scratchBytes = 0;
  int64_t hookBytes = 0; ///< of them, at the start: what code asks of who runs it
};

/// A kernel as a target compiled it.
struct Compiled {
  struct Stage {
    std::string name, content;
    bool binary = false;
  };
  std::vector<Stage> stages;
  std::string target, kernel, symbol, code, info;
  uint32_t abi = 0;
  int64_t sharedBytes = 0;
  int32_t warps = 0, registers = 0, spills = 0;

  /// Bytes for the option `artifact` of a kernel, whose launches then need no compiler.
  TRISECT_API std::string serialized() const;
};
/// Compiles a kernel of TTIR text or bytecode; throws Unsupported, InvalidInput, AssemblerError or
/// EngineError.
TRISECT_API Compiled compile(std::string_view target, std::string_view source, std::string_view name,
                             const std::map<std::string, std::string> &options);

/// The stages that Compiled does not hold, as texts for people: of `cpu`, `vectors`, `llir`, `asm` and `obj`.
TRISECT_API std::vector<Compiled::Stage> stages(std::string_view target, std::string_view source,
                                                std::string_view name,
                                                const std::map<std::string, std::string> &options);

/// What a kernel is known by from process to process.
struct KeptAs {
  std::string text; ///< of the module
  std::string tier; ///< that is to run it
  std::shared_ptr<Shelf> shelf;
};
/// The shelf in a folder.
TRISECT_API std::shared_ptr<Shelf> folderShelf(const std::string &folder);

struct KernelState;

class TRISECT_API Kernel {
public:
  /// From TTIR text or bytecode; an empty name means the only public function. With a shelf compiled forms
  /// are kept on it, and `source` is read only if there is none. Throws InvalidInput.
  static Kernel create(std::string_view source, std::string_view name,
                       const std::map<std::string, std::string> &options, const KeptAs &kept = {});

  std::string name() const;
  std::vector<Parameter> parameters() const;
  /// Whether the next launch looks at LaunchRequest::tensors.
  bool wantsTensors() const;
  /// Runs the grid and returns when it is done.
  void launch(const LaunchRequest &request) const;
  /// False, and nothing has run, if it looks at LaunchRequest::tensors.
  bool launchWithoutTensors(const LaunchRequest &request) const;
  /// The tier of the last launch; empty before the first.
  std::string tier() const;
  std::vector<Event> events() const;
  Tally tally() const;
  /// Compiles for this machine; throws Unsupported.
  NativeObject nativeObject() const;

private:
  std::shared_ptr<KernelState> state;
};

/// A launch option of a target; see backends/target/TargetOptions.h.
struct LaunchOption {
  std::string name, type, defaultText, values, effect, help;
};
/// Those that every target understands first. Throws InvalidInput if there is no such target.
TRISECT_API std::vector<LaunchOption> launchOptions(std::string_view target);
/// Throws InvalidInput that names the first option with a value that it may not have.
TRISECT_API void checkLaunchOptions(std::string_view target,
                                    const std::map<std::string, std::string> &options);

/// Launches from here on run in tier 0 and are written down until the recording is stopped.
TRISECT_API void startRecording();
TRISECT_API std::vector<LaunchRecord> stopRecording();

/// Between these, which nest, launches of the calling thread are compiled and compared before they run, as
/// timing them needs.
TRISECT_API void beginPromotionAtOnce();
TRISECT_API void endPromotionAtOnce();

/// Waits until no compile is under way or waiting.
TRISECT_API void waitForCompiles();

} // namespace trisect::runtime

#endif // TRISECT_PYTHON_BINDINGS_FACADE_RUNTIME_H

//===- Kernel.h - a specialised kernel, as every tier gets it -------------------------------------------===//
//
// What: one kernel of a TTIR module with its signature, its options and what the cross-check must know of its
// ops. Why: every tier starts from the identical module; it is kept as bytecode, because each compiling
// thread reads it into a context of its own. Limits: immutable.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_KERNEL_KERNEL_H
#define TRISECT_JIT_KERNEL_KERNEL_H

#include "core/support/DType.h"
#include "jit/kernel/Traits.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mlir {
class MLIRContext;
class ModuleOp;
template <typename OpTy> class OwningOpRef;
} // namespace mlir

namespace trisect::jit {

struct KernelParameter {
  std::string name; ///< from the location of the argument, else `argN`
  DType type = DType::I32;
  DType pointee = DType::I8; ///< of a pointer
  std::string spelling;      ///< the TTIR type
  bool descriptor = false;   ///< the argument is the address of a DescriptorArg on the host
};

using KernelOptions = std::map<std::string, std::string>;

/// What is known of a kernel without its module.
struct KernelFacts {
  std::string name;
  std::vector<KernelParameter> parameters;
  KernelTraits traits;
};

class Kernel {
public:
  /// Reads TTIR text or bytecode. An empty name means the module's only public function. Throws InvalidInput.
  static std::shared_ptr<const Kernel> create(std::string_view source, std::string_view name,
                                              KernelOptions options = {});
  /// From what is known of TTIR that was read before; it is read again only where it is needed.
  static std::shared_ptr<const Kernel> known(KernelFacts facts, std::string source, KernelOptions options);

  const KernelFacts &facts() const { return own; }
  const std::string &name() const { return facts().name; }
  const std::vector<KernelParameter> &parameters() const { return facts().parameters; }
  const KernelTraits &traits() const { return facts().traits; }
  const KernelOptions &options() const { return settings; }
  /// The module as TTIR, with locations.
  std::string text() const;
  /// The module, read into `context`.
  mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context) const;

private:
  KernelFacts own;
  KernelOptions settings;
  std::string module; ///< text or bytecode
};

} // namespace trisect::jit

#endif // TRISECT_JIT_KERNEL_KERNEL_H

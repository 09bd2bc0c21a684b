//===- Machine.cpp - the processor that tier 1 compiles for ---------------------------------------------===//
#include "backends/cpu/orc/Machine.h"
#include "backends/common/CodeGenerators.h"
#include "core/support/Lasting.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"
#include <algorithm>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace trisect::cpu {

namespace {
struct Level {
  const char *name;
  const char *shortName;
  const char *arch; ///< of the triple
  const char *processor;
  unsigned vectorBytes, vectorRegisters;
  const char *features;
};
// Without that preference LLVM splits 64-byte vectors on many processors that run them at full speed.
constexpr Level levels[] = {
    {"x86-64-v2", "v2", "x86_64", "x86-64-v2", 16, 16, ""},
    {"x86-64-v3", "avx2", "x86_64", "x86-64-v3", 32, 16, ""},
    {"x86-64-v4", "avx512", "x86_64", "x86-64-v4", 64, 32, "-prefer-256-bit"},
    {"znver4", "avx512bf16", "x86_64", "znver4", 64, 32, "+avx512bf16,+avx512vnni,-prefer-256-bit"},
    {"sapphirerapids", "amx", "x86_64", "sapphirerapids", 64, 32,
     "+amx-tile,+amx-bf16,+amx-int8,+avx512bf16,+avx512vnni,-prefer-256-bit"},
    {"aarch64", "neon", "aarch64", "generic", 16, 32, "+neon"},
};

/// Asks the kernel for the state of tile registers in this process, its threads and its children.
bool mayUseTiles() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr int requestPermission = 0x1023, tileData = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
#else
  return false;
#endif
}

llvm::StringMap<bool> findFeatures() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("amx-tile") && !mayUseTiles())
    for (const char *name : {"amx-tile", "amx-bf16", "amx-int8", "amx-fp16", "amx-complex"})
      features[name] = false;
  return features;
}

const llvm::StringMap<bool> &hostFeatures() {
  static const Lasting<llvm::StringMap<bool>> features(findFeatures());
  return *features;
}

bool hostHas(llvm::StringRef feature) {
  auto found = hostFeatures().find(feature);
  return found != hostFeatures().end() && found->second;
}

unsigned hostVectorBytes() {
  if (hostHas("avx512f") && hostHas("avx512bw") && hostHas("avx512dq") && hostHas("avx512vl"))
    return 64;
  return hostHas("avx2") ? 32 : 16;
}

Machine detect() {
  Machine machine;
  machine.triple = llvm::sys::getProcessTriple();
  machine.processor = llvm::sys::getHostCPUName().str();
  machine.vectorBytes = hostVectorBytes();
  machine.vectorRegisters = machine.vectorBytes == 64 || llvm::Triple(machine.triple).isAArch64() ? 32 : 16;
  llvm::SubtargetFeatures list;
  for (const auto &feature : hostFeatures())
    list.AddFeature(feature.first(), feature.second);
  if (machine.vectorBytes == 64)
    list.AddFeature("prefer-256-bit", false);
  // The order of a hash table is that of one process.
  std::vector<std::string> sorted = list.getFeatures();
  std::sort(sorted.begin(), sorted.end());
  machine.features = llvm::SubtargetFeatures(llvm::join(sorted, ",")).getString();
  return machine;
}
} // namespace

const Machine &hostMachine() {
  static const Lasting<Machine> machine(detect());
  return *machine;
}

/// This process's triple where it is of that architecture, so that its own code runs here.
static std::string tripleOf(llvm::StringRef arch) {
  const std::string &host = hostMachine().triple;
  bool same = llvm::Triple(host).getArch() == llvm::Triple(arch).getArch();
  return same ? host : (arch + "-unknown-linux-gnu").str();
}

/// Registers what makes code for all machines of the table.
static void initializeGenerators() {
  initialize(CodeGenerator::Host);
  initialize(CodeGenerator::Aarch64);
}

static Machine machineOf(const Level &level) {
  Machine machine{tripleOf(level.arch), level.processor, level.features, level.vectorBytes,
                  level.vectorRegisters};
  initializeGenerators();
  if (!generatesFor(machine.triple))
    throw InvalidInput("cpu: this build makes no code for machine '" + std::string(level.name) +
                       "': LLVM's code generator for '" + machine.triple +
                       "' is not in it; choose a machine of this processor's kind, or a build against LLVM's "
                       "shared libraries");
  return machine;
}

/// What the environment says; a GPU's name is none of ours.
static std::string machineAsked() {
  std::string asked = optionText(OptionId::CpuIsa);
  if (asked.empty())
    asked = optionText(OptionId::OverrideArch);
  return asked.starts_with("sm") ? std::string() : asked;
}

Machine machineNamed(std::string_view name) {
  std::string asked = name.empty() ? machineAsked() : std::string(name);
  if (asked.empty() || asked == "host")
    return hostMachine();
  std::string names = "host";
  for (const Level &level : levels) {
    if (asked == level.name || asked == level.shortName)
      return machineOf(level);
    names.append(", ").append(level.name);
  }
  throw InvalidInput("cpu: there is no machine '" + asked + "'; there are " + names);
}

bool Machine::has(std::string_view feature) const {
  llvm::SmallVector<llvm::StringRef> each;
  llvm::StringRef(features).split(each, ',');
  return vectorBytes == 64 && llvm::is_contained(each, llvm::StringRef(feature));
}

Machine exact(Machine machine) {
  std::string &features = machine.features;
  for (const char *flushing : {"+avx512bf16", "+amx-bf16"})
    if (size_t at = features.find(flushing); at != std::string::npos)
      features[at] = '-';
  return machine;
}

bool runsHere(std::string_view described) {
  auto [triple, rest] = llvm::StringRef(described).split(':');
  auto [processor, features] = rest.split(':');
  if (triple != hostMachine().triple)
    return false;
  for (const Level &level : levels)
    if (processor == level.processor && level.vectorBytes > hostVectorBytes())
      return false;
  llvm::SmallVector<llvm::StringRef> list;
  features.split(list, ',', -1, /*KeepEmpty=*/false);
  return llvm::all_of(list, [](llvm::StringRef each) { return !each.consume_front("+") || hostHas(each); });
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Machine &machine) {
  initializeGenerators();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(machine.triple, error);
  if (!target)
    throw EngineError("cpu: no LLVM target for '" + machine.triple + "': " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> made(target->createTargetMachine(
      machine.triple, machine.processor, machine.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  if (!made)
    throw EngineError("cpu: LLVM gives no target machine for '" + machine.describe() + "'");
  return made;
}

} // namespace trisect::cpu

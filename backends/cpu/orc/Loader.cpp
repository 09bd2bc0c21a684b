//===- Loader.cpp - JITLink, one kernel at a time -------------------------------------------------------===//
#include "backends/cpu/orc/Loader.h"
#include "backends/cpu/orc/CodeMemory.h"
#include "backends/cpu/orc/DebuggerEntry.h"
#include "backends/cpu/orc/PerfMap.h"
#include "core/support/Outcome.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <dlfcn.h>
#include <optional>
#include <sys/mman.h>
#include <vector>

namespace trisect::cpu {

namespace {

namespace jitlink = llvm::jitlink;
using llvm::orc::ExecutorAddr;

struct Code {
  char *begin = nullptr;
  size_t bytes = 0;
  char *data = nullptr; ///< sections that code may write to, in a mapping of their own; kernels have none
  size_t dataBytes = 0;

  void give() const {
    if (begin)
      codememory::give(begin, bytes);
    if (data)
      munmap(data, dataBytes);
  }
};

bool isWritable(llvm::orc::AllocGroup group) {
  return static_cast<unsigned>(group.getMemProt()) & static_cast<unsigned>(llvm::orc::MemProt::Write);
}

/// All other sections of a kernel in one range of code memory.
class KernelMemory final : public jitlink::JITLinkMemoryManager {
public:
  explicit KernelMemory(Code &code) : code(code) {}

  void allocate(const jitlink::JITLinkDylib *, jitlink::LinkGraph &graph, OnAllocatedFunction done) override {
    jitlink::BasicLayout layout(graph);
    size_t sizes[2] = {0, 0};
    for (auto &[group, segment] : layout.segments()) {
      size_t &size = sizes[isWritable(group)];
      size = llvm::alignTo(size, segment.Alignment) + segment.ContentSize + segment.ZeroFillSize;
    }
    auto [bytes, dataBytes] = sizes;
    code = {codememory::take(bytes), bytes};
    if (!code.begin || !takeData(dataBytes))
      return done(llvm::createStringError("no memory for code"));
    auto working = std::make_unique<Working>(code);
    size_t places[2] = {0, 0};
    for (auto &[group, segment] : layout.segments()) {
      bool writable = isWritable(group);
      size_t &at = places[writable];
      at = llvm::alignTo(at, segment.Alignment);
      segment.Addr = ExecutorAddr::fromPtr((writable ? code.data : code.begin) + at);
      segment.WorkingMem = (writable ? code.data : working->content.data()) + at;
      at += segment.ContentSize + segment.ZeroFillSize;
    }
    if (llvm::Error error = layout.apply())
      return done(std::move(error));
    done(std::move(working));
  }

  /// Loaded gives the memory back.
  void deallocate(std::vector<FinalizedAlloc> all, OnDeallocatedFunction done) override {
    for (FinalizedAlloc &each : all)
      each.release();
    done(llvm::Error::success());
  }

private:
  struct Working final : InFlightAlloc {
    explicit Working(const Code &code) : code(code), content(code.bytes) {}
    void abandon(OnAbandonedFunction done) override { done(llvm::Error::success()); }
    void finalize(OnFinalizedFunction done) override {
      if (!codememory::write(code.begin, content.data(), code.bytes))
        return done(llvm::createStringError("this machine lets no memory become code"));
      done(FinalizedAlloc(ExecutorAddr::fromPtr(code.begin)));
    }
    Code code;
    std::vector<char> content;
  };

  bool takeData(size_t bytes) {
    if (bytes == 0)
      return true;
    code.data = codememory::takeData(code.begin, bytes);
    code.dataBytes = bytes;
    return code.data;
  }

  Code &code;
};

struct Linked {
  Code code;
  ExecutorAddr entry;
  SectionAddresses sections;
  uint64_t textBytes = 0; ///< of the section that the entry lies in
  std::string problem;
};

class Link final : public jitlink::JITLinkContext {
public:
  Link(std::string symbol, Linked &result)
      : JITLinkContext(nullptr), symbol(std::move(symbol)), result(result), memory(result.code) {}

  jitlink::JITLinkMemoryManager &getMemoryManager() override { return memory; }
  void notifyFailed(llvm::Error error) override { result.problem = llvm::toString(std::move(error)); }

  void lookup(const LookupMap &symbols,
              std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation> done) override {
    jitlink::AsyncLookupResult found;
    for (const auto &[name, flags] : symbols) {
      void *address = dlsym(RTLD_DEFAULT, name.str().c_str());
      if (!address && flags == jitlink::SymbolLookupFlags::RequiredSymbol)
        return done->run(llvm::createStringError("this process has no function " + name.str()));
      found[name] = {ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    }
    done->run(std::move(found));
  }

  llvm::Error notifyResolved(jitlink::LinkGraph &graph) override {
    for (jitlink::Section &each : graph.sections()) {
      jitlink::SectionRange range(each);
      if (!range.empty())
        result.sections[each.getName().str()] = range.getStart().getValue();
    }
    for (jitlink::Symbol *each : graph.defined_symbols())
      if (each->hasName() && each->getName() == symbol) {
        result.entry = each->getAddress();
        result.textBytes = jitlink::SectionRange(each->getBlock().getSection()).getSize();
      }
    return result.entry ? llvm::Error::success() : llvm::createStringError("there is no " + symbol);
  }

  void notifyFinalized(jitlink::JITLinkMemoryManager::FinalizedAlloc done) override { done.release(); }

private:
  std::string symbol;
  Linked &result;
  KernelMemory memory;
};

class Loaded final : public LoadedObject {
public:
  Loaded(const Linked &linked, std::string_view object, std::string_view kernel)
      : code(linked.code), entry(linked.entry.toPtr<void *>()) {
    if (hasLines(object))
      debugger.emplace(object, linked.sections);
    if (perfmap::isWanted()) {
      named = linked.sections.find(".text")->second;
      perfmap::add(named, linked.textBytes, kernel);
    }
  }
  ~Loaded() override {
    if (named)
      perfmap::remove(named);
    debugger.reset();
    code.give();
  }
  void *address() const override { return entry; }

private:
  Code code;
  void *entry;
  std::optional<DebuggerEntry> debugger;
  uint64_t named = 0; ///< where the code lies that perf has a name for
};

} // namespace

std::unique_ptr<LoadedObject> loadObject(std::string_view object, const std::string &symbol,
                                         std::string_view kernel) {
  auto graph = jitlink::createLinkGraphFromObject({llvm::StringRef(object), symbol});
  if (!graph)
    throw EngineError("cpu: cannot read code: " + llvm::toString(graph.takeError()));
  Linked linked;
  jitlink::link(std::move(*graph), std::make_unique<Link>(symbol, linked));
  if (linked.problem.empty())
    return std::make_unique<Loaded>(linked, object, kernel);
  linked.code.give();
  throw EngineError("cpu: cannot link code: " + linked.problem);
}

} // namespace trisect::cpu

//===- Loader.cpp - the ORC session ---------------------------------------------------------------------===//
#include "backends/cpu/orc/Loader.h"
#include "backends/common/CodeGenerators.h"
#include "backends/cpu/orc/Machine.h"
#include "core/support/Outcome.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>

namespace trisect::cpu {

namespace {
[[noreturn]] void fail(const char *what, llvm::Error error) {
  throw EngineError(std::string("cpu: ") + what + ": " + llvm::toString(std::move(error)));
}

std::unique_ptr<llvm::orc::LLJIT> makeSession() {
  initialize(CodeGenerator::Host);
  llvm::orc::JITTargetMachineBuilder machine((llvm::Triple(hostMachine().triple)));
  auto session = llvm::orc::LLJITBuilder()
                     .setJITTargetMachineBuilder(std::move(machine))
                     .setObjectLinkingLayerCreator(
                         [](llvm::orc::ExecutionSession &session,
                            const llvm::Triple &) -> llvm::Expected<std::unique_ptr<llvm::orc::ObjectLayer>> {
                           return std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
                         })
                     .create();
  if (!session)
    fail("cannot start the JIT", session.takeError());
  return std::move(*session);
}

// Never destroyed: code may still run on borrowed threads while the process exits.
llvm::orc::LLJIT &session() {
  static auto *instance = makeSession().release();
  return *instance;
}

class Loaded final : public LoadedObject {
public:
  Loaded(llvm::orc::JITDylib &dylib, EntryPoint address) : dylib(dylib), address(address) {}
  ~Loaded() override { llvm::consumeError(session().getExecutionSession().removeJITDylib(dylib)); }
  EntryPoint entry() const override { return address; }

private:
  llvm::orc::JITDylib &dylib;
  EntryPoint address;
};
} // namespace

std::unique_ptr<LoadedObject> loadObject(std::string_view object, const std::string &symbol) {
  static std::atomic<unsigned> serial{0};
  llvm::orc::LLJIT &jit = session();
  auto dylib = jit.createJITDylib("kernel" + std::to_string(serial++));
  if (!dylib)
    fail("cannot make a code library", dylib.takeError());
  auto process =
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit.getDataLayout().getGlobalPrefix());
  if (!process)
    fail("cannot read the symbols of this process", process.takeError());
  dylib->addGenerator(std::move(*process));
  if (llvm::Error error =
          jit.addObjectFile(*dylib, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object), symbol)))
    fail("cannot add code", std::move(error));
  auto address = jit.lookup(*dylib, symbol);
  if (!address)
    fail("cannot link code", address.takeError());
  return std::make_unique<Loaded>(*dylib, address->toPtr<EntryPoint>());
}

} // namespace trisect::cpu

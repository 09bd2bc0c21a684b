//===- Debugger.cpp - debugging a launch ----------------------------------------------------------------===//
#include "python/bindings/facade/Debugger.h"
#include "backends/target/Memory.h"
#include "core/ir/GuardedContext.h"
#include "core/support/ForkGate.h"
#include "core/support/Options.h"
#include "core/support/Sanitize.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include "interp/observe/DebugRun.h"
#include "interp/program/Decode.h"
#include "interp/shadow/ShadowRun.h"
#include "jit/kernel/Kernel.h"
#include "jit/reference/PageReader.h"
#include "jit/reference/Transfers.h"

namespace trisect::debugger {

namespace {
/// Of a launch on the host, nothing: its memory is read and written in place.
interp::DeviceMemory deviceMemory(const LaunchRequest &request) {
  if (request.device.kind == DeviceKind::Host)
    return {};
  MemorySpace *memory = memoryOf(request.device);
  if (!memory)
    throw Unsupported("the debugger cannot reach the memory of these arguments");
  memory->sync(request.stream);
  return {std::unique_ptr<interp::Overlay>(new interp::Overlay(jit::overlayOver(*memory))),
          [memory, stream = request.stream](const interp::Overlay &written) {
            jit::writeBack(written, *memory);
            memory->sync(stream);
          }};
}
} // namespace

struct KernelState {
  std::shared_ptr<const interp::Program> program;
  std::string sanitize; ///< the launch option; empty: what holds in the process
};

struct LaunchState {
  std::shared_ptr<const interp::Program> program;
  std::vector<TensorView> tensors;
  interp::DebugRun run;

  LaunchState(const std::shared_ptr<const interp::Program> &program, const LaunchRequest &request,
              interp::Numerics numerics, const SanitizeOptions &sanitize, std::optional<uint64_t> seed,
              std::function<void(std::string_view)> print)
      : program(program), tensors(request.tensors.begin(), request.tensors.end()),
        run(program, request, numerics, interp::shadowing(sanitize), seed, std::move(print),
            deviceMemory(request)) {}
};

namespace {

interp::DebugRun::Motion motionOf(const std::string &word) {
  using Motion = interp::DebugRun::Motion;
  static const std::pair<std::string_view, Motion> words[] = {
      {"into", Motion::Into}, {"over", Motion::Over}, {"out", Motion::Out}, {"continue", Motion::Continue}};
  for (auto [name, motion] : words)
    if (name == word)
      return motion;
  throw InvalidInput("a debugger moves into, over, out or continues; '" + word + "' is none of them");
}

std::string_view reasonName(interp::DebugRun::Reason reason) {
  static constexpr std::string_view names[] = {"statement", "breakpoint", "watch", "fault",
                                               "pause",     "finished",   "slice"};
  return names[static_cast<int>(reason)];
}

std::string_view kindName(interp::Statement::Kind kind) {
  static constexpr std::string_view names[] = {"line", "end", "breakpoint"};
  return names[static_cast<int>(kind)];
}

Event plain(const interp::DebugRun::Event &event) {
  Event made;
  made.reason = reasonName(event.reason);
  made.breakpoints = event.breakpoints;
  made.stepDone = event.stepDone;
  if (event.watch) {
    made.watch = event.watch->id;
    made.before = event.watch->before;
    made.after = event.watch->after;
  }
  return made;
}

SanitizeOptions sanitizing(const KernelState &kernel) {
  SanitizeOptions options =
      kernel.sanitize.empty() ? currentSanitize() : SanitizeOptions::parse(kernel.sanitize);
  options.collect = 0; // each finding stops
  return options;
}

/// Elements as NumPy can hold them.
void convert(Block &block) {
  block.source = name(block.type);
  if (!isFloat8(block.type) && block.type != DType::BF16)
    return;
  unsigned size = byteSize(block.type);
  size_t count = block.data.size() / size;
  std::vector<uint8_t> wide(count * sizeof(float));
  for (size_t n = 0; n < count; ++n) {
    uint64_t bits = 0;
    std::memcpy(&bits, block.data.data() + n * size, size);
    auto number = static_cast<float>(interp::toDouble(bits, block.type));
    std::memcpy(wide.data() + n * sizeof(float), &number, sizeof(float));
  }
  block.data = std::move(wide);
  block.type = DType::F32;
}

} // namespace

Kernel Kernel::create(std::string_view source, std::string_view name,
                      const std::map<std::string, std::string> &options) {
  ForkSection whole;
  auto kernel = jit::Kernel::create(source, name, options);
  tt::GuardedContext context;
  auto module = kernel->parse(context);
  Kernel made;
  made.state = std::make_shared<KernelState>();
  made.state->program = interp::decodeForDebugger(*module, kernel->name());
  if (auto own = options.find("sanitize"); own != options.end())
    made.state->sanitize = own->second;
  return made;
}

std::string Kernel::name() const { return state->program->kernel; }

std::vector<Statement> Kernel::statements() const {
  std::vector<Statement> all;
  for (const interp::Statement &each : state->program->statements) {
    Statement made{std::string(kindName(each.kind)),
                   each.function,
                   state->program->locations[each.location].position,
                   std::nullopt,
                   each.depth,
                   {},
                   each.constants};
    if (each.caller != interp::noStatement)
      made.caller = each.caller;
    for (const interp::Variable &variable : each.variables) {
      Variable plain{variable.name, variable.type, variable.slot, std::nullopt, variable.undefined};
      if (variable.mask != ~uint32_t(0))
        plain.mask = variable.mask;
      made.variables.push_back(std::move(plain));
    }
    all.push_back(std::move(made));
  }
  return all;
}

Launch::Launch(const Kernel &kernel, const LaunchRequest &request,
               std::function<void(std::string_view)> print) {
  bool cuda = optionChoice(OptionId::Numerics).word == "cuda";
  std::optional<uint64_t> seed;
  if (auto number = optionInteger(OptionId::Seed))
    seed = static_cast<uint64_t>(*number);
  state = std::make_shared<LaunchState>(kernel.state->program, request,
                                        cuda ? interp::Numerics::Cuda : interp::Numerics::Ieee,
                                        sanitizing(*kernel.state), seed, std::move(print));
}

Event Launch::start(const std::string &motion) { return plain(state->run.start(motionOf(motion))); }
Event Launch::proceed() { return plain(state->run.proceed()); }
Event Launch::startAgain(uint64_t clock, bool stopping) {
  return plain(state->run.startAgain(clock, stopping));
}
bool Launch::choose(int64_t program) { return state->run.choose(program); }
uint64_t Launch::before(const std::string &motion) const { return state->run.before(motionOf(motion)); }
uint64_t Launch::lastOf(int64_t program, uint32_t statement) const {
  return state->run.lastOf(program, statement);
}
void Launch::pause() { state->run.pause(); }
void Launch::commit() { state->run.commit(); }

void Launch::setBreakpoints(const std::vector<Breakpoint> &all, bool calls) {
  std::vector<interp::Breakpoint> plain;
  for (const Breakpoint &each : all)
    plain.push_back({each.id, each.statement.value_or(interp::noStatement), each.program.value_or(-1)});
  state->run.setBreakpoints(plain, calls);
}

void Launch::setWatches(const std::vector<Watch> &all) {
  std::vector<interp::Watch> plain;
  for (const Watch &each : all)
    plain.push_back({each.id, each.address, each.size});
  state->run.setWatches(std::move(plain));
}

Grid Launch::grid() const { return state->run.grid(); }
uint64_t Launch::clock() const { return state->run.clock(); }

std::optional<int64_t> Launch::program() const {
  const interp::Instance *instance = state->run.current();
  return instance ? std::optional(instance->linear) : std::nullopt;
}

std::optional<uint32_t> Launch::statement() const {
  uint32_t at = state->run.statement();
  return at == interp::noStatement ? std::nullopt : std::optional(at);
}

bool Launch::within() const { return state->run.within(); }

SourcePosition Launch::position() const { return state->program->locations[state->run.location()].position; }

std::vector<int64_t> Launch::livePrograms() const {
  std::vector<int64_t> all;
  for (const interp::Instance *each : state->run.programs().live())
    all.push_back(each->linear);
  return all;
}

bool Launch::hasStarted(int64_t program) const { return state->run.programs().hasStarted(program); }
int64_t Launch::endedPrograms() const { return state->run.programs().endedCount(); }

void Launch::raiseFault() const {
  if (state->run.fault())
    std::rethrow_exception(state->run.fault());
}

std::optional<Block> Launch::read(uint32_t slot) const {
  const interp::Instance *instance = state->run.current();
  if (!instance || slot >= instance->values.size())
    return std::nullopt;
  const interp::Value &value = instance->values[slot];
  if (value.form == interp::Form::Empty || value.form == interp::Form::Strip)
    return std::nullopt;
  Block block;
  block.type = instance->type(slot);
  const interp::Shape &shape = instance->shape(slot);
  block.shape = shape.dims;
  unsigned size = byteSize(block.type);
  block.data.resize(static_cast<size_t>(shape.elements) * size);
  if (value.form == interp::Form::View)
    interp::copyStrided(block.data.data(), value.data, shape.dims.data(), value.stride, shape.rank(), size);
  else
    interp::copyOut(value, block.type, shape, 0, shape.elements, block.data.data());
  convert(block);
  return block;
}

const std::vector<TensorView> &Launch::tensors() const { return state->tensors; }

Block Launch::tensor(size_t index) const {
  const TensorView &view = state->tensors.at(index);
  Block block;
  block.type = view.type;
  block.shape = view.shape;
  int64_t elements = 1;
  for (int64_t extent : view.shape)
    elements *= extent;
  unsigned size = byteSize(view.type);
  block.data.resize(static_cast<size_t>(elements) * size);
  std::vector<int64_t> at(view.shape.size(), 0);
  interp::DebugMemory &memory = state->run.launchMemory();
  for (int64_t n = 0; n < elements; ++n) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d)
      offset += at[d] * view.strides[d];
    memory.look(view.address + static_cast<uint64_t>(offset * size), block.data.data() + n * size, size);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < view.shape[d])
        break;
      at[d] = 0;
    }
  }
  convert(block);
  return block;
}

Block Launch::element(size_t tensor, uint64_t bits) const {
  Block block;
  block.type = state->tensors.at(tensor).type;
  block.data.resize(byteSize(block.type));
  std::memcpy(block.data.data(), &bits, block.data.size());
  convert(block);
  return block;
}

} // namespace trisect::debugger

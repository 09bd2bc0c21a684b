//===- Corpus.cpp - made-up arguments and the tally -----------------------------------------------------===//
#include "interp/tools/Corpus.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "interp/exec/Format.h"
#include "interp/exec/Run.h"
#include "interp/exec/ShadowRun.h"
#include "interp/program/Decode.h"
#include "interp/tools/FencedMemory.h"
#include "interp/tools/Watchdog.h"
#include "mlir/IR/MLIRContext.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

namespace trisect::tools {

namespace {

constexpr size_t bufferBytes = 1 << 20;
constexpr const char *passed = "ran";

/// Small numbers in every type, the same for the same seed.
void fill(std::vector<uint8_t> &data, DType type, unsigned seed) {
  unsigned size = byteSize(type);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  // A period of 256 distinct elements is enough and quick to write.
  std::vector<uint8_t> period(256 * size);
  for (int n = 0; n < 256; ++n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    auto number = static_cast<double>(static_cast<int64_t>(state >> 40) % 1000) / 250.0;
    uint64_t bits = isFloat(type)       ? interp::fromDouble(number - 2, type)
                    : type == DType::I1 ? state >> 63
                                        : static_cast<uint64_t>((state >> 33) % 8);
    std::memcpy(period.data() + n * size, &bits, size);
  }
  for (size_t at = 0; at < data.size(); at += period.size())
    std::memcpy(data.data() + at, period.data(), std::min(period.size(), data.size() - at));
}

/// Memory and arguments of one launch.
struct Setup {
  std::vector<std::vector<uint8_t>> buffers;
  std::vector<DescriptorArg> descriptors;
  std::vector<ArgBits> args;

  std::vector<TensorView> views(const interp::Program &program) const {
    std::vector<TensorView> made;
    for (size_t n = 0; n < args.size(); ++n) {
      const interp::Parameter &parameter = program.parameters[n];
      if (!parameter.descriptor && parameter.type != DType::Ptr)
        continue;
      TensorView view;
      view.argument = static_cast<unsigned>(n);
      view.name = parameter.name;
      view.address =
          parameter.descriptor ? reinterpret_cast<const DescriptorArg *>(args[n])->address : args[n];
      view.type = parameter.pointee;
      view.shape = {static_cast<int64_t>(bufferBytes / byteSize(parameter.pointee))};
      view.strides = {1};
      made.push_back(std::move(view));
    }
    return made;
  }

  Setup(const interp::Program &program, int64_t size) {
    size_t count = program.parameters.size();
    buffers.reserve(2 * count + 1);
    descriptors.reserve(count);
    for (size_t n = 0; n < count; ++n) {
      const interp::Parameter &parameter = program.parameters[n];
      if (parameter.descriptor || parameter.type == DType::Ptr) {
        auto &buffer = buffers.emplace_back(bufferBytes);
        fill(buffer, parameter.pointee, static_cast<unsigned>(n));
        uint64_t address = reinterpret_cast<uint64_t>(buffer.data());
        if (parameter.pointee == DType::Ptr) {
          uint64_t target = reinterpret_cast<uint64_t>(buffers.emplace_back(bufferBytes).data());
          for (size_t at = 0; at < bufferBytes; at += 8)
            std::memcpy(reinterpret_cast<void *>(address + at), &target, 8);
        }
        args.push_back(address);
        if (parameter.descriptor) {
          DescriptorArg &made = descriptors.emplace_back();
          made.address = address;
          made.rank = parameter.descriptorRank;
          int64_t stride = 1;
          for (int d = made.rank - 1; d >= 0; --d) {
            made.shape[d] = d == made.rank - 1 ? 64 : 16;
            made.strides[d] = stride;
            stride *= made.shape[d];
          }
          args.back() = reinterpret_cast<ArgBits>(&made);
        }
      } else if (isFloat(parameter.type)) {
        args.push_back(interp::fromDouble(1.5, parameter.type));
      } else {
        args.push_back(parameter.type == DType::I1 ? 1 : static_cast<uint64_t>(size));
      }
    }
  }
};

/// A size that the kernel's blocks suggest.
int64_t sizeFor(const interp::Program &program) {
  int64_t most = 1;
  for (const interp::Shape &shape : program.shapes)
    for (int64_t extent : shape.dims)
      most = std::max(most, extent);
  return std::clamp<int64_t>(most, 4, 128);
}

/// Two programs on each axis that the kernel asks for, of x and y.
Grid gridFor(const interp::Program &program) {
  Grid grid;
  for (const interp::Instr &i : program.code)
    if (i.opcode == interp::Opcode::ProgramId && i.attribute < 2)
      (i.attribute ? grid.y : grid.x) = 2;
  return grid;
}

struct Outcome {
  std::string label;
  bool wild = false; ///< reached outside the made-up buffers
  bool disagrees = false;
  bool shadowDisagrees = false;
  std::vector<std::string> found; ///< by sanitizers
};

/// The same launch in shadow mode: what it finds, and whether it writes the same.
void runShadow(const interp::Program &program, interp::RunOptions options, Grid grid, const Setup *direct,
               Outcome &outcome) {
  Setup shadow(program, sizeFor(program));
  std::vector<TensorView> views = shadow.views(program);
  std::vector<Finding> findings;
  LaunchRequest request;
  request.grid = grid;
  request.args = shadow.args;
  request.tensors = views;
  options.memory = nullptr;
  options.sanitize = SanitizeOptions::parse("on", 64);
  options.findings = &findings;
  interp::run(program, request, options);
  for (const Finding &finding : findings)
    outcome.found.push_back(interp::faultText(finding));
  outcome.shadowDisagrees = direct && findings.empty() && direct->buffers != shadow.buffers;
}

Outcome runOne(const std::string &path, double limit, bool sanitizes) {
  Outcome outcome;
  try {
    mlir::MLIRContext context;
    tt::loadDialects(context);
    auto module = tt::parseModuleFile(path, context);
    std::string kernel;
    for (auto function : module->getOps<mlir::FunctionOpInterface>())
      if (function.isPublic() && !function.isExternal() && kernel.empty())
        kernel = mlir::SymbolTable::getSymbolName(function).str();
    auto program = interp::decode(*module, kernel);
    Setup fenced(*program, sizeFor(*program)), direct(*program, sizeFor(*program));
    LaunchRequest request;
    request.grid = gridFor(*program);
    request.args = fenced.args;
    std::atomic<bool> stop{false};
    Watchdog watchdog(limit, stop);
    interp::RunOptions options;
    options.interrupt = &stop;
    options.print = [](std::string_view) {};
    options.threads = 1;
    FencedMemory fence;
    for (const auto &buffer : fenced.buffers)
      fence.add(reinterpret_cast<uint64_t>(buffer.data()), buffer.size());
    options.memory = &fence;
    try {
      interp::run(*program, request, options);
      outcome.label = passed;
    } catch (const KernelFault &fault) {
      outcome.label = "fault " + std::string(faultKindName(fault.fault().kind));
    }
    outcome.wild = fence.outside() > 0;
    // Addresses differ from run to run: a kernel that computes with them has no one answer.
    bool pointers = std::any_of(program->parameters.begin(), program->parameters.end(),
                                [](const auto &p) { return p.pointee == DType::Ptr; }) ||
                    std::any_of(program->code.begin(), program->code.end(),
                                [](const auto &i) { return i.op == OpId::tt_ptr_to_int; });
    if (outcome.label != passed)
      return outcome;
    if (outcome.wild || pointers) {
      if (sanitizes)
        runShadow(*program, options, request.grid, nullptr, outcome);
      return outcome;
    }
    options.memory = nullptr;
    request.args = direct.args;
    interp::run(*program, request, options);
    outcome.disagrees = fenced.buffers != direct.buffers;
    if (sanitizes)
      runShadow(*program, options, request.grid, &direct, outcome);
  } catch (const Unsupported &reason) {
    std::string text = reason.what();
    outcome.label = text.substr(0, text.find(" at "));
  } catch (const InvalidInput &reason) {
    outcome.label = "invalid: " + std::string(reason.what()).substr(0, 100);
  } catch (const EngineError &error) {
    outcome.label = "engine error: " + std::string(error.what());
  } catch (const std::exception &error) {
    outcome.label = "engine error: " + std::string(error.what());
  } catch (const interp::Interrupted &) {
    outcome.label = "stopped by the time limit";
  }
  return outcome;
}

} // namespace

int runCorpus(const std::vector<std::string> &words) {
  double limit = 10;
  bool list = false, sanitizes = false;
  std::string folder;
  for (size_t n = 0; n < words.size(); ++n) {
    if (words[n] == "--limit" && n + 1 < words.size())
      limit = std::atof(words[++n].c_str());
    else if (words[n] == "--mode" && n + 1 < words.size())
      sanitizes = words[++n] == "shadow";
    else if (words[n] == "--list")
      list = true;
    else
      folder = words[n];
  }
  if (!std::filesystem::exists(folder))
    throw InvalidInput("no folder '" + folder + "'");
  std::vector<std::string> files;
  if (std::filesystem::is_regular_file(folder))
    files.push_back(folder);
  else
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".ttir")
        files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::map<std::string, size_t> tally;
  std::map<std::string, size_t> found;
  size_t wild = 0, disagreeing = 0, errors = 0, shadowDisagreeing = 0;
  for (const std::string &file : files) {
    Outcome outcome = runOne(file, limit, sanitizes);
    ++tally[outcome.label];
    wild += outcome.wild;
    disagreeing += outcome.disagrees;
    errors += outcome.label.starts_with("engine error");
    shadowDisagreeing += outcome.shadowDisagrees;
    std::set<std::string> kinds;
    for (const std::string &text : outcome.found)
      kinds.insert(text.substr(0, text.find(':')));
    for (const std::string &kind : kinds)
      ++found[(outcome.wild ? "outside made-up buffers: " : "") + kind];
    if (list)
      for (const std::string &text : outcome.found)
        std::printf("%s:%s %s\n", file.c_str(), outcome.wild ? " (outside made-up buffers)" : "",
                    text.c_str());
    if (list && outcome.shadowDisagrees)
      std::printf("%s: direct and shadow mode disagree\n", file.c_str());
    if (list && (outcome.label != passed || outcome.disagrees))
      std::printf("%s: %s%s\n", file.c_str(), outcome.label.c_str(),
                  outcome.disagrees ? ", ways of running disagree" : "");
    std::fflush(stdout);
  }
  std::printf("ran %zu/%zu\n", tally[passed], files.size());
  for (const auto &[label, count] : tally)
    if (label != passed)
      std::printf("%6zu  %s\n", count, label.c_str());
  std::printf("%6zu  reach outside made-up buffers (run through the fence alone)\n", wild);
  std::printf("%6zu  differ between fenced and direct memory\n", disagreeing);
  if (sanitizes) {
    std::printf("%6zu  differ between direct and shadow mode\n", shadowDisagreeing);
    for (const auto &[kind, count] : found)
      std::printf("%6zu  modules with %s\n", count, kind.c_str());
  }
  return errors || disagreeing || shadowDisagreeing ? 1 : 0;
}

} // namespace trisect::tools

//===- DebugMemory.cpp - memory of a launch that is being debugged --------------------------------------===//
#include "interp/observe/DebugMemory.h"
#include "interp/exec/Fault.h"
#include <algorithm>
#include <cstring>

namespace trisect::interp {

namespace {

/// Whether a kernel can only reach the tensors that it was given.
bool usesArgumentsAlone(const Program &program, std::span<const TensorView> tensors) {
  for (size_t n = 0; n < program.parameters.size(); ++n) {
    const Parameter &parameter = program.parameters[n];
    bool known = std::any_of(tensors.begin(), tensors.end(),
                             [&](const TensorView &view) { return view.argument == n; });
    if (parameter.descriptor || (parameter.type == DType::Ptr && !known))
      return false;
  }
  return std::none_of(program.code.begin(), program.code.end(), [&](const Instr &instr) {
    bool access = instr.opcode == Opcode::Load || instr.opcode == Opcode::AtomicRmw ||
                  instr.opcode == Opcode::AtomicLoad;
    return instr.op == OpId::tt_int_to_ptr || (access && program.type(program.result(instr)) == DType::Ptr);
  });
}

std::string indexText(const std::vector<int64_t> &index) {
  std::string text;
  for (int64_t each : index)
    text += (text.empty() ? "" : ", ") + std::to_string(each);
  return text;
}

std::string shapeText(const TensorView &view) {
  std::string text;
  for (int64_t extent : view.shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

} // namespace

DebugMemory::DebugMemory(const Program &program, std::span<const TensorView> given, DeviceMemory device)
    : overlay(device.overlay ? std::move(device.overlay) : std::make_unique<Overlay>()),
      carryOver(std::move(device.commit)), tensors(given.begin(), given.end()),
      closed(usesArgumentsAlone(program, given)) {
  for (const TensorView &view : tensors)
    extents.emplace_back(view);
}

void DebugMemory::check(uint64_t address, int64_t bytes, const char *what) {
  auto inside = [&](const Extent &extent) {
    return extent.low() <= address && address + bytes <= extent.high();
  };
  if (last < extents.size() && inside(extents[last]))
    return;
  for (size_t n = 0; n < extents.size(); ++n)
    if (inside(extents[n])) {
      last = n;
      return;
    }
  if (closed || !maps(address, bytes))
    leave(address, bytes, what);
}

void DebugMemory::leave(uint64_t address, int64_t bytes, const char *what) const {
  std::string headline = std::string(what) + " of " + std::to_string(bytes) + " bytes ";
  std::vector<std::pair<std::string, std::string>> details = {{"access", what}};
  const TensorView *nearest = nullptr;
  uint64_t distance = ~uint64_t(0);
  for (size_t n = 0; n < extents.size(); ++n) {
    const Extent &extent = extents[n];
    uint64_t away = address < extent.low() ? extent.low() - address : address - extent.low();
    if (address >= extent.high())
      away = address - extent.high();
    if (away < distance) {
      distance = away;
      nearest = &tensors[n];
    }
  }
  if (!nearest) {
    headline += "at an address that belongs to no tensor";
  } else {
    std::string index = indexText(extents[nearest - tensors.data()].indexOf(address));
    headline += "outside all tensors; nearest is " + nearest->name + " (" + shapeText(*nearest) +
                "), where it would be element [" + index + "]";
    details.emplace_back("tensor", nearest->name);
    details.emplace_back("index", index);
  }
  raise(*running, running->code[running->pc - 1], FaultKind::OutOfBounds, headline, std::move(details));
}

void DebugMemory::read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) {
  check(address, bytes, "load");
  overlay->read(site, address, into, bytes);
}

void DebugMemory::write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) {
  check(address, bytes, "store");
  const Watch *touched = nullptr;
  for (const Watch &watch : watches)
    if (watching && !hit && address < watch.address + watch.size && watch.address < address + bytes)
      touched = &watch;
  if (!touched)
    return overlay->write(site, address, from, bytes);
  WatchHit made{touched->id};
  look(touched->address, &made.before, touched->size);
  overlay->write(site, address, from, bytes);
  look(touched->address, &made.after, touched->size);
  hit = made;
  running->stop = Stop::Break;
}

void DebugMemory::commit() {
  if (carryOver)
    carryOver(*overlay);
  else
    overlay->forEachWrite(
        [](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
          for (size_t n = 0; n < bytes.size();) {
            size_t end = n;
            while (end < bytes.size() && mask[end])
              ++end;
            if (end > n)
              std::memcpy(reinterpret_cast<void *>(address + n), bytes.data() + n, end - n);
            n = end + 1;
          }
        });
  overlay->clear();
}

} // namespace trisect::interp

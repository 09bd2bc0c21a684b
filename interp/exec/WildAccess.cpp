//===- WildAccess.cpp - from an address back to an operation --------------------------------------------===//
#include "interp/exec/WildAccess.h"
#include "interp/exec/Fault.h"
#include "interp/exec/Fetch.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace trisect::interp {

namespace {

struct Culprit {
  const Instr *instr = nullptr;
  int64_t element = -1;            ///< of the block; -1: not known
  std::optional<uint64_t> address; ///< of the element, or what was touched; nothing: not known
};

bool isWrite(Opcode opcode) { return writesMemory(opcode) && !readsMemory(opcode); }

/// Addresses that no process can have: the processor then does not tell which one it was.
bool impossible(uint64_t address) {
  constexpr int unused = 16;
  return uint64_t(int64_t(address << unused) >> unused) != address;
}

/// Which operand is the mask; 0: none.
unsigned maskOperand(Opcode opcode) {
  if (opcode == Opcode::Load || opcode == Opcode::AtomicLoad)
    return 1;
  return opcode == Opcode::Store || opcode == Opcode::AtomicRmw || opcode == Opcode::AtomicStore ? 2 : 0;
}

/// The type of the elements that move.
DType elementType(const Instance &s, const Instr &i) {
  bool hasValue = i.opcode == Opcode::Store || i.opcode == Opcode::AtomicStore;
  return s.type(hasValue ? s.operandSlot(i, 1) : s.resultSlot(i));
}

/// The first active lane of the operation that reaches the address.
bool findLane(Instance &s, const Instr &i, const WildAccess &access, Culprit &culprit) {
  const Value &pointer = s.operand(i, 0);
  if (pointer.form != Form::Splat && pointer.form != Form::Affine && pointer.form != Form::Dense)
    return false;
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  std::vector<uint64_t> addresses(shape.elements);
  std::vector<uint8_t> active(shape.elements, 1);
  copyOut(pointer, DType::Ptr, shape, 0, shape.elements, addresses.data());
  unsigned mask = maskOperand(i.opcode);
  if (mask && s.has(i, mask)) {
    const Value &lanes = s.operand(i, mask);
    if (lanes.form == Form::Splat || lanes.form == Form::Box || lanes.form == Form::Dense)
      copyOut(lanes, DType::I1, shape, 0, shape.elements, active.data());
  }
  unsigned size =
      i.opcode == Opcode::AtomicPoll ? byteSize(s.type(s.operandSlot(i, 1))) : byteSize(elementType(s, i));
  for (int64_t lane = 0; lane < shape.elements; ++lane) {
    bool reached = access.address ? *access.address - addresses[lane] < size : impossible(addresses[lane]);
    if (active[lane] && reached) {
      culprit = {&i, shape.rank() ? lane : -1, addresses[lane]};
      return true;
    }
  }
  return false;
}

/// The load whose block was left in the memory of the launch until now.
const Instr *loadOf(const Instance &s, SlotId slot) {
  for (const Instr *i = s.code + s.pc; i-- != s.code;)
    if ((i->opcode == Opcode::Load || i->opcode == Opcode::BlockLoad) && s.resultSlot(*i) == slot)
      return i;
  return nullptr;
}

Culprit find(Instance &s, const WildAccess &access) {
  const Instr &running = s.code[s.pc ? s.pc - 1 : 0];
  Culprit culprit;
  culprit.address = access.address;
  const Instr *first = &running, *end = &running + 1;
  if (running.opcode == Opcode::Group) {
    first = &running + 1;
    end = s.code + running.target;
  }
  for (const Instr *i = first; i != end; ++i)
    if (listsAddresses(i->opcode) && findLane(s, *i, access, culprit))
      return culprit;
  for (const Instr *i = first; i != end; ++i)
    if (touchesMemory(i->opcode)) {
      culprit.instr = i;
      return culprit;
    }
  for (unsigned n = 0; n < running.numOperands; ++n)
    if (s.has(running, n) && s.operand(running, n).form == Form::View)
      if (const Instr *load = loadOf(s, s.operandSlot(running, n))) {
        culprit.instr = load;
        return culprit;
      }
  return culprit;
}

std::string hex(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, number);
  return text;
}

/// The tensor of the launch nearest to the address, and how far off that is.
std::string nearest(const LaunchRequest &request, uint64_t address) {
  constexpr uint64_t tooFar = uint64_t(1) << 40;
  uint64_t least = tooFar;
  std::string text;
  for (const TensorView &view : request.tensors) {
    uint64_t low = view.address, high = view.address;
    bool empty = false;
    std::string shape;
    for (size_t d = 0; d < view.shape.size(); ++d) {
      empty |= view.shape[d] == 0;
      int64_t span = (view.shape[d] - 1) * view.strides[d] * int64_t(byteSize(view.type));
      (span < 0 ? low : high) += uint64_t(span);
      shape += (d ? ", " : "") + std::to_string(view.shape[d]);
    }
    if (empty)
      continue;
    high += byteSize(view.type);
    bool before = address < low;
    uint64_t distance = before ? low - address : address >= high ? address - high : 0;
    if (distance >= least)
      continue;
    least = distance;
    text = "'" + view.name + "' (" + std::string(name(view.type)) + "[" + shape + "])";
    if (address >= low && address < high)
      text = "inside of " + text + ", whose memory is not there or may not be written";
    else
      text = std::to_string(distance) + (before ? " bytes before the start of " : " bytes past the end of ") +
             text;
  }
  return text;
}

std::string indexText(const Shape &shape, int64_t element) {
  std::string text;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    text = std::to_string(element % shape.dims[d]) + (text.empty() ? "" : ", " + text);
    element /= shape.dims[d];
  }
  return "(" + text + ")";
}

} // namespace

void raiseWildAccess(Instance &s, const WildAccess &access) {
  Culprit culprit = find(s, access);
  if (!culprit.instr) {
    const Instr &running = s.code[s.pc ? s.pc - 1 : 0];
    throw EngineError("the interpreter touched " +
                          (access.address ? "address " + hex(*access.address) : "an impossible address") +
                          " in " + std::string(info(running.op).mnemonic) + " of kernel " + s.program.kernel,
                      s.program.position(running));
  }
  bool write = access.address ? access.write : isWrite(culprit.instr->opcode);
  std::string headline =
      std::string(write ? "write to " : "read of ") +
      (culprit.address ? "address " + hex(*culprit.address) : "an address that no process can have");
  std::vector<std::pair<std::string, std::string>> details = {{"access", write ? "write" : "read"}};
  if (culprit.address)
    details.emplace_back("address", hex(*culprit.address));
  if (culprit.element >= 0) {
    std::string index = indexText(s.shape(s.operandSlot(*culprit.instr, 0)), culprit.element);
    headline += " at element " + index + " of the block";
    details.emplace_back("index", index);
  }
  headline += ", where there is no memory";
  if (std::string where = culprit.address ? nearest(s.request, *culprit.address) : ""; !where.empty()) {
    headline += ": " + where;
    details.emplace_back("nearest", where);
  }
  try {
    raise(s, *culprit.instr, FaultKind::OutOfBounds, headline, std::move(details));
  } catch (const KernelFault &raised) {
    Fault fault = raised.fault();
    fault.message +=
        "\n  only the memory of the process stopped it here; TRISECT_SANITIZE=on checks every access "
        "against its tensor";
    throw KernelFault(std::move(fault));
  }
}

} // namespace trisect::interp

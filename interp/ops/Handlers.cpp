//===- Handlers.cpp - the handler of each opcode --------------------------------------------------------===//
#include "interp/ops/Handlers.h"
#include "interp/exec/Control.h"

namespace trisect::interp {

const Handler handlers[] = {
#define TRISECT_OPCODE(name, handler, transfer, traits) handler,
#include "interp/program/Opcodes.def"
};

} // namespace trisect::interp

//===- Handlers.h - one function per opcode -------------------------------------------------------------===//
//
// What: the handlers of interp/program/Opcodes.def that do not stand in interp/exec/Control.h, by theme of
// their files.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_HANDLERS_H
#define TRISECT_INTERP_OPS_HANDLERS_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

// Group.cpp
void group(Instance &s, const Instr &i);
void member(Instance &s, const Instr &i);

// CreateOps.cpp
void programId(Instance &s, const Instr &i);
void numPrograms(Instance &s, const Instr &i);
void undefined(Instance &s, const Instr &i);

// ShapeOps.cpp
void splat(Instance &s, const Instr &i);
void unsplat(Instance &s, const Instr &i);
void expandDims(Instance &s, const Instr &i);
void broadcast(Instance &s, const Instr &i);
void reshape(Instance &s, const Instr &i);
void transpose(Instance &s, const Instr &i);

// MoveOps.cpp
void cat(Instance &s, const Instr &i);
void join(Instance &s, const Instr &i);
void split(Instance &s, const Instr &i);
void gather(Instance &s, const Instr &i);
void histogram(Instance &s, const Instr &i);

// BlockOps.cpp
void blockLoad(Instance &s, const Instr &i);
void blockStore(Instance &s, const Instr &i);
void blockReduce(Instance &s, const Instr &i);
void blockGather(Instance &s, const Instr &i);
void blockScatter(Instance &s, const Instr &i);

// AtomicOps.cpp
void atomicRmw(Instance &s, const Instr &i);
void atomicCas(Instance &s, const Instr &i);
void atomicLoad(Instance &s, const Instr &i);
void atomicStore(Instance &s, const Instr &i);
void atomicPoll(Instance &s, const Instr &i);

// ReduceOps.cpp, ScanOps.cpp, MapOps.cpp
void reduce(Instance &s, const Instr &i);
void scan(Instance &s, const Instr &i);
void mapElements(Instance &s, const Instr &i);

// DotOps.cpp
void dot(Instance &s, const Instr &i);
void dotScaled(Instance &s, const Instr &i);

// DebugOps.cpp, AsmOps.cpp
void print(Instance &s, const Instr &i);
void checkAssert(Instance &s, const Instr &i);
void assume(Instance &s, const Instr &i);
void statement(Instance &s, const Instr &i);
void inlineAsm(Instance &s, const Instr &i);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_HANDLERS_H

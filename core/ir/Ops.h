//===- Ops.h - every operation of the tt dialect --------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_OPS_H
#define TRISECT_CORE_IR_OPS_H

#include "core/ir/ArithOps.h"
#include "core/ir/BlockPointerOps.h"
#include "core/ir/DebugOps.h"
#include "core/ir/DescriptorOps.h"
#include "core/ir/Dialect.h"
#include "core/ir/FuncOps.h"
#include "core/ir/MemoryOps.h"
#include "core/ir/PointerOps.h"
#include "core/ir/RegionOps.h"
#include "core/ir/ShapeOps.h"

#endif // TRISECT_CORE_IR_OPS_H

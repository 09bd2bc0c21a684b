//===- PerfMap.h - names of kernels for perf ------------------------------------------------------------===//
//
// What: with TRISECT_PERF_MAP, /tmp/perf-PID.map has a line for each kernel that is loaded: begin, length and
// `trisect::NAME`. Why: perf takes the names of code that lies in no file from there. Limits: perf knows no
// removal; where a later kernel lies in the place of one that has gone, perf may show the former's name.
// Where /tmp takes no file there are no names.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_PERFMAP_H
#define TRISECT_BACKENDS_CPU_ORC_PERFMAP_H

#include <cstdint>
#include <string_view>

namespace trisect::cpu::perfmap {

/// Whether kernels are to be named; asked for each.
bool isWanted();
/// Writes its line; a forked child's file gets it too.
void add(uint64_t begin, uint64_t bytes, std::string_view kernel);
/// The code is gone: children that fork later are not told of it.
void remove(uint64_t begin);

} // namespace trisect::cpu::perfmap

#endif // TRISECT_BACKENDS_CPU_ORC_PERFMAP_H

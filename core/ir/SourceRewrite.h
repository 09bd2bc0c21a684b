//===- SourceRewrite.h - spellings that MLIR 19 cannot parse --------------------------------------------===//
//
// What: renames, in text, the few operations of foreign dialects whose newer text MLIR 19 refuses, so that
// operations of ours (LegacyOps.td) parse them; blanks properties that MLIR 19 does not know.
//   scf.for unsigned ...                          tt.ufor
//   "scf.for"(...) <{unsignedCmp}>                "tt.ufor"
//   llvm.intr.assume %c ["align"(...)] : i1       tt.assume
//   "llvm.intr.assume"(...) <{op_bundle_...}>     "tt.assume"
//   "tt.dot_scaled"(...) <{lhs_type ...}>         "tt.scaled_dot", 3.2's generic form
//   "arith.trunci"(...) <{overflowFlags ...}>     no properties
// Why in text: the parser of a foreign dialect cannot be replaced. Every rewrite keeps the length, so that
// positions in messages stay right. Limits: an operation name and its property dictionary are recognised on
// tokens, not by a full parse; text inside strings and comments is left alone.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_SOURCEREWRITE_H
#define TRISECT_CORE_IR_SOURCEREWRITE_H

#include <optional>
#include <string>
#include <string_view>

namespace trisect::tt {

/// The rewritten text, of the same length; nothing if no rewrite applies.
std::optional<std::string> rewriteSource(std::string_view text);

/// A message about a renamed operation, with the name that stands in the source.
std::string withSourceNames(std::string message);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_SOURCEREWRITE_H

//===- Files.h - files that are read and written whole --------------------------------------------------===//
//
// What: the bytes of a file, and a file of some bytes. Why: a folder, a full device or a missing file must be
// told with its path and the reason, when the last byte is written too. Limits: for the tools; a file that
// cannot be written whole may hold a part.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_FILES_H
#define TRISECT_CORE_SUPPORT_FILES_H

#include <initializer_list>
#include <string>
#include <string_view>

namespace trisect {

/// Throws InvalidInput.
std::string readFile(const std::string &path);
/// The pieces, one behind the other, in place of what the file held. Throws InvalidInput.
void writeFile(const std::string &path, std::initializer_list<std::string_view> pieces);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_FILES_H

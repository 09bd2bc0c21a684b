//===- Archive.h - the .ttir files of a folder or of a tar archive --------------------------------------===//
//
// What: reads every .ttir file of a folder (with its subfolders), a .tar, a .tar.xz or a .tar.gz into memory.
// Limits: archives are unpacked by the system's xz or gzip through a pipe; only plain files are read.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_TOOLS_CORPUS_ARCHIVE_H
#define TRISECT_CORE_TOOLS_CORPUS_ARCHIVE_H

#include <string>
#include <vector>

namespace trisect::corpus {

struct ModuleText {
  /// Path inside the folder or archive.
  std::string name;
  std::string text;
};

/// In the order of their names. Throws InvalidInput if the path cannot be read or holds no module.
std::vector<ModuleText> readModules(const std::string &path);

} // namespace trisect::corpus

#endif // TRISECT_CORE_TOOLS_CORPUS_ARCHIVE_H

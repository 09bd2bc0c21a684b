//===- FolderShelf.h - files in a folder that processes share -------------------------------------------===//
//
// What: contents as files; a whole one appears at once under its name, additions are single writes. Why: any
// number of processes read, write and are killed at any moment. Limits: a folder or file that somebody else
// could have written, or that cannot be used, counts as empty and is told of once in a process; one that
// somebody removes meanwhile is made again once, in silence. Files whose names end in `.form` may take so
// much together in all folders beside this one as TRISECT_CACHE_MIB says.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_FOLDERSHELF_H
#define TRISECT_JIT_CACHE_FOLDERSHELF_H

#include "core/support/Shelf.h"
#include <cstdint>
#include <filesystem>

namespace trisect::jit {

class FolderShelf final : public Shelf {
public:
  explicit FolderShelf(std::filesystem::path folder) : folder(std::move(folder)) {}

  std::optional<std::string> get(const std::string &name) override;
  bool put(const std::string &name, const std::string &content, bool replace) override;
  void append(const std::string &name, const std::string &more) override;

private:
  enum class Put : uint8_t {
    Done,
    There,  ///< another one stays
    Gone,   ///< somebody removed the folder, or what was being written, meanwhile
    Failed, ///< and was told of
  };
  Put tryPut(const std::string &name, const std::string &content, bool replace);
  void tell(const std::string &reason) const;

  std::filesystem::path folder;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_FOLDERSHELF_H

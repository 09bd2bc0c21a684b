//===- OpenFile.h - files and folders of this user ------------------------------------------------------===//
//
// What: descriptors that close themselves, opened only if nobody else could have written what is behind them.
// Why: what lies in the cache is run. Limits: who may write through the group is trusted; access lists are
// not looked at.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_OPENFILE_H
#define TRISECT_JIT_CACHE_OPENFILE_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace trisect::jit {

class OpenFile {
public:
  explicit OpenFile(int descriptor = -1) : descriptor(descriptor) {}
  OpenFile(OpenFile &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  OpenFile &operator=(OpenFile &&) = delete;
  ~OpenFile();

  explicit operator bool() const { return descriptor >= 0; }
  int get() const { return descriptor; }
  std::optional<std::string> readAll() const;
  /// In one call where the system allows that.
  bool writeAll(std::string_view content) const;

private:
  int descriptor;
};

/// Empty if it cannot be opened: `problem` then says why, and nothing if there is no such folder.
OpenFile openFolder(const std::string &path, std::string &problem);
/// The same of a file in a folder; `flags` as of open().
OpenFile openIn(const OpenFile &folder, const std::string &name, int flags, std::string &problem);

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_OPENFILE_H

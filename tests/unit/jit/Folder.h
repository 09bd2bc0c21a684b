//===- Folder.h - a folder for one test -----------------------------------------------------------------===//
//
// What: a new folder of this user, removed with all that is in it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_JIT_FOLDER_H
#define TRISECT_TESTS_UNIT_JIT_FOLDER_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace trisect::jit {

class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "trisect-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  std::filesystem::path path;
};

} // namespace trisect::jit

#endif // TRISECT_TESTS_UNIT_JIT_FOLDER_H

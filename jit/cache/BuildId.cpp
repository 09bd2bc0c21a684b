//===- BuildId.cpp - notes of the libraries in this process ---------------------------------------------===//
#include "jit/cache/BuildId.h"
#include "core/support/Hash.h"
#include "core/support/Lasting.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <link.h>
#include <sstream>
#include <vector>

namespace trisect::jit {

namespace {
/// The description of the note NT_GNU_BUILD_ID among notes, or nothing.
std::string buildIdAmong(const char *notes, size_t size) {
  auto padded = [](size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof(note));
    size_t whole = sizeof(note) + padded(note.n_namesz) + padded(note.n_descsz);
    if (whole > size)
      break;
    const char *name = notes + sizeof(note);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return {name + padded(note.n_namesz), note.n_descsz};
    notes += whole;
    size -= whole;
  }
  return "";
}

std::string contentOf(const char *path) {
  std::ifstream file(*path ? path : "/proc/self/exe", std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return hashBytes(content.str()).hex();
}

struct Search {
  ElfW(Addr) own; ///< an address in this library
  std::vector<std::string> found;
};

int look(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  std::string id;
  bool counts = std::strstr(object->dlpi_name, "/libLLVM") || std::strstr(object->dlpi_name, "/libMLIR");
  for (int n = 0; n < object->dlpi_phnum; ++n) {
    const ElfW(Phdr) &part = object->dlpi_phdr[n];
    ElfW(Addr) begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && search.own - begin < part.p_memsz)
      counts = true;
    if (part.p_type == PT_NOTE && id.empty())
      id = buildIdAmong(reinterpret_cast<const char *>(begin), part.p_memsz);
  }
  if (counts)
    search.found.push_back(id.empty() ? contentOf(object->dlpi_name) : id);
  return 0;
}
} // namespace

const std::string &compilerBuild() {
  static const Lasting<std::string> build([] {
    Search search{reinterpret_cast<ElfW(Addr)>(&compilerBuild), {}};
    dl_iterate_phdr(look, &search);
    std::sort(search.found.begin(), search.found.end());
    Hasher hasher;
    for (const std::string &each : search.found)
      hasher.field(each);
    return hasher.finish().hex();
  }());
  return *build;
}

} // namespace trisect::jit

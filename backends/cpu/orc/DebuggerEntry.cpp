//===- DebuggerEntry.cpp - the list that gdb and lldb read ----------------------------------------------===//
#include "backends/cpu/orc/DebuggerEntry.h"
#include "backends/cpu/orc/DebuggerList.h"
#include "core/support/ForkGate.h"
#include <cstring>
#include <elf.h>
#include <mutex>

namespace trisect::cpu {

namespace {
enum Action : uint32_t { Added = 1, Removed = 2 };

ForkMutex lock;

void tell(DebuggerNode &node, Action action) {
  debuggerList.action = action;
  debuggerList.changed = &node;
  debuggerListChanged();
}

/// The section headers of an object and their names; empty if it is no ELF file.
struct Sections {
  explicit Sections(std::string_view object) {
    Elf64_Ehdr header;
    if (object.size() < sizeof header)
      return;
    std::memcpy(&header, object.data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
      return;
    first = header.e_shoff;
    count = header.e_shnum;
    names = at(object, header.e_shstrndx).sh_offset;
  }

  Elf64_Shdr at(std::string_view object, size_t number) const {
    Elf64_Shdr section;
    std::memcpy(&section, object.data() + first + number * sizeof section, sizeof section);
    return section;
  }

  const char *nameOf(std::string_view object, const Elf64_Shdr &section) const {
    return object.data() + names + section.sh_name;
  }

  size_t first = 0, count = 0, names = 0;
};
} // namespace

struct DebuggerEntry::Node : DebuggerNode {
  std::string text;
};

bool hasLines(std::string_view object) {
  Sections all(object);
  for (size_t i = 0; i < all.count; ++i)
    if (std::string_view(all.nameOf(object, all.at(object, i))) == ".debug_line")
      return true;
  return false;
}

DebuggerEntry::DebuggerEntry(std::string_view object, const SectionAddresses &sections)
    : node(std::make_unique<Node>()) {
  node->text = object;
  Sections all(object);
  for (size_t i = 0; i < all.count; ++i) {
    Elf64_Shdr section = all.at(object, i);
    auto found = sections.find(std::string_view(all.nameOf(object, section)));
    if (found == sections.end())
      continue;
    section.sh_addr = found->second;
    std::memcpy(node->text.data() + all.first + i * sizeof section, &section, sizeof section);
  }
  node->object = node->text.data();
  node->bytes = node->text.size();
  std::lock_guard guard(lock);
  node->before = nullptr;
  node->next = debuggerList.first;
  if (node->next)
    node->next->before = node.get();
  debuggerList.first = node.get();
  tell(*node, Added);
}

DebuggerEntry::~DebuggerEntry() {
  std::lock_guard guard(lock);
  (node->before ? node->before->next : debuggerList.first) = node->next;
  if (node->next)
    node->next->before = node->before;
  tell(*node, Removed);
}

} // namespace trisect::cpu

//===- Transfers.cpp - neighbours together --------------------------------------------------------------===//
#include "jit/reference/Transfers.h"
#include "jit/reference/PageReader.h"

namespace trisect::jit {

namespace {
constexpr uint64_t pageBytes = interp::Overlay::pageBytes;
constexpr size_t mostBytes = size_t(1) << 20;
} // namespace

void readEach(MemorySpace &memory, std::span<const uint64_t> addresses,
              const std::function<void(size_t, const uint8_t *)> &visit) {
  std::vector<uint8_t> bytes;
  for (size_t first = 0, end; first < addresses.size(); first = end) {
    end = first + 1;
    while (end < addresses.size() && addresses[end] == addresses[end - 1] + pageBytes &&
           (end - first) * pageBytes < mostBytes)
      ++end;
    bytes.resize((end - first) * pageBytes);
    readPages(memory, addresses[first], bytes.data(), bytes.size());
    for (size_t n = first; n < end; ++n)
      visit(n, bytes.data() + (n - first) * pageBytes);
  }
}

void writeBack(const interp::Overlay &overlay, MemorySpace &memory) {
  Writer writer(memory);
  overlay.forEachWrite([&](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
    for (size_t i = 0; i < bytes.size();) {
      size_t begin = i;
      while (i < bytes.size() && mask[i])
        ++i;
      if (i > begin)
        writer.write(address + begin, bytes.data() + begin, i - begin);
      else
        ++i;
    }
  });
  writer.finish();
}

void Writer::write(uint64_t address, const uint8_t *from, size_t bytes) {
  if (address != start + waiting.size() || waiting.size() + bytes > mostBytes) {
    finish();
    start = address;
  }
  waiting.insert(waiting.end(), from, from + bytes);
}

void Writer::finish() {
  if (!waiting.empty())
    memory.write(start, waiting.data(), waiting.size());
  waiting.clear();
}

} // namespace trisect::jit

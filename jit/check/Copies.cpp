//===- Copies.cpp - clusters, pages, moved arguments ----------------------------------------------------===//
#include "jit/check/Copies.h"
#include "backends/target/Guards.h"
#include "jit/reference/PageReader.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace trisect::jit {

namespace {
constexpr uint64_t pageBytes = interp::Overlay::pageBytes;
constexpr uint64_t guard = uint64_t(16) << 20; ///< empty address space around a cluster
constexpr uint64_t reach = uint64_t(64) << 20; ///< how far beyond its tensor a pointer may lead
constexpr size_t mostPages = 1 << 15;

uint64_t pageOf(uint64_t address) { return address / pageBytes * pageBytes; }
uint64_t distance(uint64_t page, uint64_t low, uint64_t high) {
  return page < low ? low - page : page >= high ? page - high + pageBytes : 0;
}

uint64_t addressIn(const KernelParameter &parameter, ArgBits bits) {
  return parameter.descriptor ? reinterpret_cast<const DescriptorArg *>(bits)->address : bits;
}
} // namespace

std::unique_ptr<Copies> Copies::create(const Kernel &kernel, PageImages &pages, const LaunchRequest &request,
                                       bool inverts) {
  std::unique_ptr<Copies> copies(new Copies(request));
  if (pages.size() > mostPages || !copies->place(kernel, pages) || !copies->reserve())
    return nullptr;
  copies->images.swap(pages);
  if (inverts)
    copies->findUnread(kernel);
  auto invert = [&] {
    for (PageImage &page : copies->images)
      copies->invertUnread(page);
  };
  invert();
  if (!copies->fill(0, copies->images.size())) {
    invert();
    copies->images.swap(pages);
    return nullptr;
  }
  copies->moveArguments(kernel);
  return copies;
}

void Copies::findUnread(const Kernel &kernel) {
  Guard apart;
  for (size_t n = 0; n < kernel.parameters().size(); ++n)
    if (kernel.parameters()[n].type == DType::Ptr)
      apart.arguments.push_back(static_cast<uint32_t>(n));
  if (kernel.traits().onlyWritten.empty() || !holds(apart, moved))
    return;
  for (const TensorView &view : moved.tensors)
    if (std::ranges::count(kernel.traits().onlyWritten, static_cast<uint32_t>(view.argument)))
      unread.emplace_back(view);
}

void Copies::invertUnread(PageImage &page) const {
  if (std::ranges::none_of(unread, [&](const interp::Extent &extent) {
        return extent.low() < page.address + pageBytes && page.address < extent.high();
      }))
    return;
  auto altered = std::make_unique<PageImage::Bytes>();
  std::copy_n(page.expected, pageBytes, altered->data());
  for (size_t i = 0; i < pageBytes; ++i) {
    if (page.written[i] || std::ranges::none_of(unread, [&](const interp::Extent &extent) {
          return extent.contains(page.address + i, 1);
        }))
      continue;
    (*altered)[i] ^= 0xff;
    if (page.original)
      (*page.original)[i] ^= 0xff;
  }
  page.altered = std::move(altered);
  page.expected = page.altered->data();
}

Copies::~Copies() {
  if (base)
    munmap(reinterpret_cast<void *>(base), size);
}

// Arguments and their views, widened by the touched pages near them; what shares a page is one cluster.
bool Copies::place(const Kernel &kernel, const PageImages &pages) {
  for (const TensorView &view : moved.tensors)
    if (interp::Extent extent(view); !extent.empty())
      clusters.push_back({pageOf(extent.low()), pageOf(extent.high() + pageBytes - 1)});
  for (size_t n = 0; n < kernel.parameters().size(); ++n)
    if (kernel.parameters()[n].type == DType::Ptr) {
      uint64_t page = pageOf(addressIn(kernel.parameters()[n], moved.args[n]));
      clusters.push_back({page, page + pageBytes});
    }
  for (const PageImage &page : pages) {
    auto far = [&](const Cluster &cluster) { return distance(page.address, cluster.low, cluster.high); };
    auto nearest = std::min_element(clusters.begin(), clusters.end(),
                                    [&](const Cluster &a, const Cluster &b) { return far(a) < far(b); });
    if (nearest == clusters.end() || far(*nearest) > reach)
      return false;
    nearest->low = std::min(nearest->low, page.address);
    nearest->high = std::max(nearest->high, page.address + pageBytes);
  }
  std::sort(clusters.begin(), clusters.end(),
            [](const Cluster &a, const Cluster &b) { return a.low < b.low; });
  std::vector<Cluster> merged;
  for (const Cluster &cluster : clusters)
    if (!merged.empty() && cluster.low <= merged.back().high)
      merged.back().high = std::max(merged.back().high, cluster.high);
    else
      merged.push_back(cluster);
  clusters = std::move(merged);
  return true;
}

bool Copies::reserve() {
  size = guard;
  for (Cluster &cluster : clusters) {
    cluster.at = size;
    size += cluster.high - cluster.low + guard;
  }
  void *space = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED)
    return false;
  base = reinterpret_cast<uint64_t>(space);
  for (Cluster &cluster : clusters)
    cluster.at += base;
  return true;
}

const Copies::Cluster *Copies::clusterOf(uint64_t address) const {
  for (const Cluster &cluster : clusters)
    if (address >= cluster.low && address < cluster.high)
      return &cluster;
  return nullptr;
}

uint64_t Copies::copyOf(uint64_t address) const {
  const Cluster *cluster = clusterOf(address);
  return cluster ? cluster->at + (address - cluster->low) : address;
}

void Copies::moveArguments(const Kernel &kernel) {
  args.assign(moved.args.begin(), moved.args.end());
  for (size_t n = 0; n < args.size(); ++n) {
    const KernelParameter &parameter = kernel.parameters()[n];
    if (parameter.descriptor) {
      descriptors.push_back(std::make_unique<DescriptorArg>(*reinterpret_cast<DescriptorArg *>(args[n])));
      descriptors.back()->address = copyOf(descriptors.back()->address);
      args[n] = reinterpret_cast<uint64_t>(descriptors.back().get());
    } else if (parameter.type == DType::Ptr) {
      args[n] = copyOf(args[n]);
    }
  }
  tensors.assign(moved.tensors.begin(), moved.tensors.end());
  for (TensorView &view : tensors)
    view.address = copyOf(view.address);
  moved.args = args;
  moved.tensors = tensors;
}

// Neighbouring pages become accessible at once.
bool Copies::fill(size_t first, size_t count) {
  for (size_t n = first; n < first + count;) {
    size_t end = n + 1;
    while (end < first + count && images[end].address == images[end - 1].address + pageBytes &&
           clusterOf(images[end].address) == clusterOf(images[n].address))
      ++end;
    auto *to = reinterpret_cast<char *>(copyOf(images[n].address));
    if (mprotect(to, (end - n) * pageBytes, PROT_READ | PROT_WRITE) != 0)
      return false;
    for (; n < end; ++n, to += pageBytes)
      std::memcpy(to, images[n].before(), pageBytes);
  }
  return true;
}

void Copies::collect() {
  for (PageImage &page : images)
    page.found = reinterpret_cast<const uint8_t *>(copyOf(page.address));
}

void Copies::restore() {
  for (PageImage &page : images)
    std::memcpy(reinterpret_cast<void *>(copyOf(page.address)), page.before(), pageBytes);
}

// A page of a tensor that tier 0 had no reason to look at.
bool Copies::provide(uint64_t address) {
  for (const Cluster &cluster : clusters) {
    if (address < cluster.at || address >= cluster.at + (cluster.high - cluster.low))
      continue;
    uint64_t page = pageOf(address - cluster.at + cluster.low);
    auto inside = [&](const TensorView &view) { return interp::Extent(view).contains(address, 1); };
    bool known = std::any_of(images.begin(), images.end(),
                             [&](const PageImage &image) { return image.address == page; });
    if (known || images.size() >= mostPages || std::none_of(tensors.begin(), tensors.end(), inside))
      return false;
    PageImage &image = images.emplace_back();
    image.address = page;
    image.original = std::make_unique<PageImage::Bytes>();
    readPages(hostMemory(), page, image.original->data(), pageBytes);
    image.expected = image.original->data();
    static constexpr PageImage::Bytes nothing = {};
    image.written = nothing.data();
    invertUnread(image);
    return fill(images.size() - 1, 1);
  }
  return false;
}

} // namespace trisect::jit

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
  if (!copies->place(kernel, pages) || !copies->reserve())
    return nullptr;
  if (inverts)
    copies->findUnread(kernel);
  copies->moveArguments(kernel);
  return copies->take(pages) ? std::move(copies) : nullptr;
}

bool Copies::take(PageImages &pages) {
  if (pages.size() > mostPages ||
      std::ranges::any_of(pages, [&](const PageImage &page) { return !clusterOf(page.address); }))
    return false;
  std::vector<uint64_t> gone, fresh;
  auto before = held.begin();
  for (const PageImage &page : pages) {
    for (; before != held.end() && before->address < page.address; ++before)
      gone.push_back(before->address);
    if (before != held.end() && before->address == page.address)
      ++before;
    else
      fresh.push_back(page.address);
  }
  for (; before != held.end(); ++before)
    gone.push_back(before->address);
  if (!protect(gone, PROT_NONE) || !protect(fresh, PROT_READ | PROT_WRITE))
    return false;
  images = std::move(pages);
  for (PageImage &page : images)
    invertUnread(page);
  fill();
  return true;
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

// The bytes of a page that nothing reads or writes.
void Copies::invertUnread(PageImage &page) const {
  PageImage::Bytes flips = {};
  bool any = false;
  for (const interp::Extent &extent : unread) {
    uint64_t from = std::max(extent.low(), page.address);
    uint64_t to = std::min(extent.high(), page.address + pageBytes);
    any |= from < to;
    if (from < to && extent.dense())
      std::memset(flips.data() + (from - page.address), 0xff, to - from);
    else
      for (uint64_t at = from; at < to; ++at)
        if (extent.contains(at, 1))
          flips[at - page.address] = 0xff;
  }
  if (!any)
    return;
  auto altered = std::make_unique<PageImage::Altered>();
  for (size_t i = 0; i < pageBytes; ++i) {
    uint8_t flip = page.written[i] ? 0 : flips[i];
    altered->before[i] = page.before[i] ^ flip;
    altered->expected[i] = page.expected[i] ^ flip;
  }
  page.altered = std::move(altered);
  page.before = page.altered->before.data();
  page.expected = page.altered->expected.data();
}

Copies::~Copies() {
  if (base)
    munmap(reinterpret_cast<void *>(base), size);
}

// Arguments and their views, widened by the touched pages near them. What one pointer may reach of another's
// is one cluster: which of them led to a page is not known, and each that did must find it where it lies.
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
    if (!merged.empty() && cluster.low <= merged.back().high + reach)
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

// Neighbouring pages at once.
bool Copies::protect(const std::vector<uint64_t> &pages, int protection) const {
  for (size_t n = 0; n < pages.size();) {
    size_t end = n + 1;
    while (end < pages.size() && pages[end] == pages[end - 1] + pageBytes &&
           clusterOf(pages[end]) == clusterOf(pages[n]))
      ++end;
    if (mprotect(reinterpret_cast<void *>(copyOf(pages[n])), (end - n) * pageBytes, protection) != 0)
      return false;
    n = end;
  }
  return true;
}

void Copies::fill() {
  std::vector<Held> now;
  auto before = held.begin();
  for (const PageImage &page : images) {
    before = std::find_if(before, held.end(), [&](const Held &each) { return each.address >= page.address; });
    const uint8_t *real = page.altered ? nullptr : page.before;
    if (!real || before == held.end() || before->address != page.address || before->bytes != real)
      std::memcpy(reinterpret_cast<void *>(copyOf(page.address)), page.before, pageBytes);
    now.push_back({page.address, real});
  }
  held = std::move(now);
}

void Copies::collect() {
  for (PageImage &page : images)
    page.found = reinterpret_cast<const uint8_t *>(copyOf(page.address));
}

void Copies::restore() {
  for (const PageImage &page : images)
    if (auto *copy = reinterpret_cast<void *>(copyOf(page.address));
        std::memcmp(copy, page.before, pageBytes) != 0)
      std::memcpy(copy, page.before, pageBytes);
}

// A page of a tensor that tier 0 had no reason to look at.
bool Copies::provide(uint64_t address) {
  for (const Cluster &cluster : clusters) {
    if (address < cluster.at || address >= cluster.at + (cluster.high - cluster.low))
      continue;
    uint64_t page = pageOf(address - cluster.at + cluster.low);
    auto inside = [&](const TensorView &view) { return interp::Extent(view).contains(address, 1); };
    auto after = std::ranges::lower_bound(held, page, {}, &Held::address);
    if ((after != held.end() && after->address == page) || images.size() >= mostPages ||
        std::none_of(tensors.begin(), tensors.end(), inside) || !protect({page}, PROT_READ | PROT_WRITE))
      return false;
    PageImage &image = images.emplace_back();
    image.address = page;
    auto bytes = std::make_unique<PageImage::Altered>();
    readPages(hostMemory(), page, bytes->before.data(), pageBytes);
    image.before = image.expected = bytes->before.data();
    static constexpr PageImage::Bytes nothing = {};
    image.written = nothing.data();
    image.clean = true;
    invertUnread(image);
    if (!image.altered)
      image.altered = std::move(bytes);
    std::memcpy(reinterpret_cast<void *>(copyOf(page)), image.before, pageBytes);
    held.insert(after, {page, nullptr});
    return true;
  }
  return false;
}

} // namespace trisect::jit

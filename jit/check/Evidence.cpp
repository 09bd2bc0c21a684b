//===- Evidence.cpp - copies of pages and arguments -----------------------------------------------------===//
#include "jit/check/Evidence.h"
#include <algorithm>

namespace trisect::jit {

static std::string bytesOf(const uint8_t *page) {
  return {reinterpret_cast<const char *>(page), interp::Overlay::pageBytes};
}

Evidence::Evidence(const Kernel &kernel, const LaunchRequest &request, ProgramRange programs,
                   const Ground &ground, bool faulted)
    : grid(request.grid), programs(programs), args(request.args.begin(), request.args.end()),
      tensors(request.tensors.begin(), request.tensors.end()) {
  for (size_t n = 0; n < args.size(); ++n)
    if (kernel.parameters()[n].descriptor)
      descriptors[n] = *reinterpret_cast<const DescriptorArg *>(args[n]);
  for (const PageImage &image : ground.pages())
    pages.push_back({image.address, bytesOf(image.before), bytesOf(image.expected), bytesOf(image.written),
                     faulted || !image.found ? std::string() : bytesOf(image.found)});
  std::sort(pages.begin(), pages.end(),
            [](const EvidencePage &a, const EvidencePage &b) { return a.address < b.address; });
}

LaunchRequest Evidence::request() {
  for (auto &[n, descriptor] : descriptors)
    args[n] = reinterpret_cast<uint64_t>(&descriptor);
  LaunchRequest request{grid, args, tensors};
  request.part = programs;
  request.threads = 1;
  return request;
}

} // namespace trisect::jit

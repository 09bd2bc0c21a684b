//===- CrossCheck.cpp - compares a launch with tier 0 ---------------------------------------------------===//
#include "jit/check/CrossCheck.h"
#include "core/support/Outcome.h"
#include "interp/memory/Overlay.h"
#include "jit/check/Element.h"
#include <algorithm>
#include <cstring>

namespace trisect::jit {

struct CrossCheck::Sampled {
  int64_t program;
  std::unique_ptr<interp::Overlay> writes;
};

CrossCheck::CrossCheck(const Kernel &kernel, const InterpExecutable &reference, const LaunchRequest &request,
                       const std::vector<int64_t> &programs)
    : kernel(kernel), request(request) {
  try {
    // One overlay a program: each starts from memory as it is, and a difference names its program.
    for (int64_t program : programs) {
      sampled.push_back({program, std::make_unique<interp::Overlay>()});
      reference.runAside(request, program, *sampled.back().writes);
    }
  } catch (const Unsupported &error) {
    failure = error.what();
  }
}

CrossCheck::~CrossCheck() = default;

namespace {
/// Bytes from the first to one past the last element of a view.
bool contains(const TensorView &view, uint64_t address) {
  int64_t low = 0, high = 0;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    if (view.shape[d] == 0)
      return false;
    int64_t reach = (view.shape[d] - 1) * view.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  int64_t offset = static_cast<int64_t>(address - view.address);
  int64_t size = byteSize(view.type);
  return offset >= low * size && offset < (high + 1) * size;
}

/// The index of an element in a view, by its strides from the largest down.
std::vector<int64_t> indexOf(const TensorView &view, uint64_t address) {
  std::vector<int64_t> index(view.shape.size(), 0);
  std::vector<size_t> order(view.shape.size());
  for (size_t d = 0; d < order.size(); ++d)
    order[d] = d;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    auto step = [&](size_t d) { return std::abs(view.strides[d]); };
    return step(a) != step(b) ? step(a) > step(b) : a < b;
  });
  int64_t rest = static_cast<int64_t>(address - view.address) / byteSize(view.type);
  for (size_t d : order) {
    if (view.strides[d] == 0 || view.shape[d] == 1)
      continue;
    index[d] = std::clamp<int64_t>(rest / view.strides[d], 0, view.shape[d] - 1);
    rest -= index[d] * view.strides[d];
  }
  return index;
}
} // namespace

const TensorView *CrossCheck::viewAt(uint64_t address) const {
  for (const TensorView &view : request.tensors)
    if (contains(view, address))
      return &view;
  return nullptr;
}

void CrossCheck::comparePage(const Sampled &one, uint64_t address, std::span<const uint8_t> bytes,
                             std::span<const uint8_t> mask, Verdict &verdict) const {
  const auto *memory = reinterpret_cast<const uint8_t *>(address);
  for (size_t i = 0; i < bytes.size();) {
    if (!mask[i]) {
      ++i;
      continue;
    }
    const TensorView *view = viewAt(address + i);
    DType type = view ? view->type : DType::I8;
    size_t size = byteSize(type);
    // Elements do not cross pages; a view that is not aligned to its elements is compared byte by byte.
    if (i + size > bytes.size() || (view && (address + i - view->address) % size != 0))
      type = DType::I8, size = 1;
    verdict.bytes += static_cast<int64_t>(size);
    uint64_t want = readBits(bytes.data() + i, type), have = readBits(memory + i, type);
    bool same = want == have || (isNan(want, type) && isNan(have, type));
    if (!same) {
      ++verdict.differing;
      std::optional<uint64_t> ulp = ulpDistance(want, have, type);
      if (ulp)
        verdict.largestUlp = std::max(verdict.largestUlp.value_or(0), *ulp);
      else
        ++verdict.notByUlp;
      if (!verdict.first) {
        Difference first;
        if (view) {
          first.tensor = view->name;
          first.index = indexOf(*view, address + i);
        }
        first.address = address + i;
        first.program = one.program;
        first.expected = elementText(want, type);
        first.found = elementText(have, type);
        first.ulp = ulp;
        verdict.first = first;
      }
    }
    i += size;
  }
}

std::string CrossCheck::excuse(const Verdict &verdict) const {
  const KernelTraits &traits = kernel.traits();
  if (traits.atomics)
    return "atomics make results depend on the order of programs";
  if (traits.readsMachine)
    return "the kernel asks for the time or the processor it runs on";
  if (traits.untraced)
    return "programs may read what others write, through pointers that were read from memory";
  for (unsigned argument : traits.stored)
    if (std::find(traits.loaded.begin(), traits.loaded.end(), argument) != traits.loaded.end())
      return "programs may read what others write: '" + kernel.parameters()[argument].name +
             "' is both read and written";
  if (traits.inexact && verdict.notByUlp == 0)
    return "needs an error bound: at most " + std::to_string(*verdict.largestUlp) + " ULP apart, through " +
           traits.inexactOps;
  return "";
}

Verdict CrossCheck::compare() const {
  Verdict verdict;
  if (!failure.empty()) {
    verdict.reason = "tier 0 cannot run it: " + failure;
    return verdict;
  }
  verdict.programs = static_cast<int64_t>(sampled.size());
  for (const Sampled &one : sampled)
    one.writes->forEachWrite(
        [&](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
          comparePage(one, address, bytes, mask, verdict);
        });
  if (!verdict.first) {
    verdict.kind = verdict.bytes ? VerdictKind::Equal : VerdictKind::Inconclusive;
    if (!verdict.bytes)
      verdict.reason = "the sampled programs wrote nothing";
    return verdict;
  }
  verdict.reason = excuse(verdict);
  verdict.kind = verdict.reason.empty() ? VerdictKind::Different : VerdictKind::Inconclusive;
  return verdict;
}

} // namespace trisect::jit

//===- Arguments.h - launches in tests ------------------------------------------------------------------===//
//
// What: arguments with the views behind them, options for one test, and kernels from text or a file.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_JIT_ARGUMENTS_H
#define TRISECT_TESTS_UNIT_JIT_ARGUMENTS_H

#include "core/support/Launch.h"
#include "core/support/Options.h"
#include "jit/launch/TieredKernel.h"
#include "jit/tiers/CompileQueue.h"
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace trisect::jit {

/// Sets an option for one test.
class With {
public:
  With(OptionId id, std::string text) : id(id) { setOption(id, std::move(text)); }
  ~With() { setOption(id, std::nullopt); }

private:
  OptionId id;
};

inline std::shared_ptr<TieredKernel> fromText(const std::string &text, KernelOptions options = {}) {
  return TieredKernel::create(Kernel::create(text, "", std::move(options)));
}

inline std::shared_ptr<TieredKernel> load(const std::string &file, KernelOptions options = {}) {
  std::ifstream stream(std::string(KERNELS) + "/" + file);
  std::stringstream text;
  text << stream.rdbuf();
  return fromText(text.str(), std::move(options));
}

/// Arguments and the views behind them.
struct Arguments {
  std::vector<ArgBits> bits;
  std::vector<TensorView> views;
  DeviceId device;

  void tensorAt(uint64_t address, std::vector<int64_t> shape, DType type = DType::F32) {
    TensorView view;
    view.argument = static_cast<unsigned>(bits.size());
    view.name = "arg" + std::to_string(bits.size());
    view.address = address;
    view.type = type;
    view.strides.assign(shape.size(), 1);
    for (size_t d = shape.size() - 1; d-- > 0;)
      view.strides[d] = view.strides[d + 1] * shape[d + 1];
    view.shape = std::move(shape);
    bits.push_back(view.address);
    views.push_back(view);
  }
  void tensor(std::vector<float> &data, std::vector<int64_t> shape) {
    tensorAt(reinterpret_cast<uint64_t>(data.data()), std::move(shape));
  }
  void integer(int32_t value) { bits.push_back(static_cast<uint32_t>(value)); }
  LaunchRequest request(Grid grid) const {
    LaunchRequest request;
    request.grid = grid;
    request.args = bits;
    request.tensors = views;
    request.device = device;
    return request;
  }
};

inline std::vector<float> ramp(size_t count, float step) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i % 97) * step - 3.0f;
  return values;
}

inline void launchUntilPromoted(TieredKernel &kernel, const LaunchRequest &request) {
  for (int i = 0; i < 5; ++i) {
    kernel.launch(request);
    waitForCompiles();
  }
}

} // namespace trisect::jit

#endif // TRISECT_TESTS_UNIT_JIT_ARGUMENTS_H

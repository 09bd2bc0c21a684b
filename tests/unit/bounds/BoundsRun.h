//===- BoundsRun.h - one program with its bounds --------------------------------------------------------===//
//
// What: makes a kernel over blocks of 64 floats from the text of its body, runs it in an overlay with bounds,
// and gives what it wrote and what else would have been legal. The body sees %x and %y: tensor<64xf32> and
// %at: tensor<64xi32>; it names its result %out, of the type that the test says.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_BOUNDS_BOUNDSRUN_H
#define TRISECT_TESTS_UNIT_BOUNDS_BOUNDSRUN_H

#include "interp/bounds/Bounds.h"
#include "interp/exec/Format.h"
#include "tests/unit/exec/ExecTest.h"
#include <map>

namespace trisect::interp {

/// Functions may be as far off as a GPU's; everything else is as in tier 0.
constexpr BoundProfile openFunctions{.gpu = true};

class BoundsRun : public ExecTest {
protected:
  static constexpr int elements = 64;

  static std::string kernel(const std::string &body, const std::string &type = "f32") {
    return "tt.func public @k(%in: !tt.ptr<f32>, %also: !tt.ptr<f32>, %to: !tt.ptr<" + type + R"(>) {
  %at = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ins = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %ins, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %alsos = tt.splat %also : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %fromy = tt.addptr %alsos, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %from : tensor<64x!tt.ptr<f32>>
  %y = tt.load %fromy : tensor<64x!tt.ptr<f32>>
)" + body + R"(
  %outs = tt.splat %to : !tt.ptr<)" +
           type + "> -> tensor<64x!tt.ptr<" + type + R"(>>
  %there = tt.addptr %outs, %at : tensor<64x!tt.ptr<)" +
           type + ">>, tensor<64xi32>\n  tt.store %there, %out : tensor<64x!tt.ptr<" + type + R"(>>
  tt.return
})";
  }

  struct Outcome {
    std::vector<uint64_t> bits;    ///< by element, of tier 0
    std::map<int64_t, Legal> open; ///< by element
    std::string lost;
  };

  /// Runs the program with an observer of its own, or with bounds.
  Outcome run(const Program &program, DType type, const BoundProfile &profile, Observer *other = nullptr) {
    Overlay overlay;
    Bounds bounds(program, overlay, profile);
    LaunchRequest request;
    std::vector<ArgBits> args = {at(x), at(y), at(out)};
    request.args = args;
    RunOptions options;
    options.overlay = &overlay;
    options.observer = other ? other : &bounds;
    interp::run(program, request, options);
    Outcome outcome;
    outcome.lost = bounds.lost();
    for (int n = 0; n < elements; ++n) {
      uint64_t bits = 0;
      overlay.read({}, at(out) + uint64_t(n) * byteSize(type), &bits, byteSize(type));
      outcome.bits.push_back(bits);
    }
    bounds.forEachOpen([&](uint64_t address, const Legal &legal) {
      // The body may write elsewhere too: only what it writes to `out` has an element.
      if (address >= at(out) && address < at(out) + uint64_t(elements) * byteSize(type))
        outcome.open[static_cast<int64_t>(address - at(out)) / byteSize(type)] = legal;
    });
    return outcome;
  }

  std::vector<float> x = std::vector<float>(elements, 1.0f), y = std::vector<float>(elements, 2.0f);
  std::vector<double> out = std::vector<double>(elements, 0.0);
};

} // namespace trisect::interp

#endif // TRISECT_TESTS_UNIT_BOUNDS_BOUNDSRUN_H

//===- Boxes.cpp - block pointers and tensor descriptors ------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

namespace {
constexpr int64_t rows = 16, columns = 32; ///< of the tensors, on the region of one program
}

/// A tensor in memory as a box that is moved, read and perhaps written.
void Generator::blockPointer() {
  DType element = choices.chance(50) ? anyInteger() : anyFloat();
  Type type{element,
            {choices.pick({int64_t(8), int64_t(4), int64_t(16), int64_t(32)}),
             choices.pick({int64_t(16), int64_t(8), int64_t(32), int64_t(64)})}};
  std::string spelled = "tensor<" + std::to_string(type.shape[0]) + "x" + std::to_string(type.shape[1]) +
                        "x" + std::string(name(element)) + ">";
  bool writes = choices.chance(40);
  std::string base = writes ? regionOf(output(element, rows * columns), 0) : input(element);
  // A part of the region: boxes hang over its edges.
  int64_t high = choices.pick({rows, rows - 3, int64_t(5)}),
          wide = choices.pick({columns, columns - 5, int64_t(7)});
  std::string height = constant(DType::I64, high), width = constant(DType::I64, wide);
  std::string stride = constant(DType::I64, columns), one = constant(DType::I64, 1);
  std::string y = constant(DType::I32, choices.from(0, 6) - 2),
              x = constant(DType::I32, choices.from(0, 12) - 4);
  std::string box =
      hidden("tt.make_tensor_ptr " + base + ", [" + height + ", " + width + "], [" + stride + ", " + one +
             "], [" + y + ", " + x + "] {order = array<i32: 1, 0>} : <" + spelled + ">");
  if (choices.chance(50)) {
    std::string down = constant(DType::I32, choices.from(0, 4) - 2),
                right = constant(DType::I32, choices.from(0, 8) - 3);
    box = hidden("tt.advance " + box + ", [" + down + ", " + right + "] : <" + spelled + ">");
  }
  if (writes && choices.chance(70)) {
    Value value = need(type);
    line("tt.store " + box + ", " + value.name + " {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<" + spelled +
         ">");
    if (choices.chance(50))
      return;
  }
  std::string padding = isFloat(element) && choices.chance(40) ? "2" : "1";
  make(type, writes ? Open::Value : Open::Nothing,
       "tt.load " + box + " {boundaryCheck = array<i32: 0, 1>, padding = " + padding + " : i32} : !tt.ptr<" +
           spelled + ">");
}

void Generator::descriptor() {
  DType element = choices.chance(50) ? anyInteger() : anyFloat();
  Type type{element,
            {choices.pick({int64_t(8), int64_t(4), int64_t(16)}),
             choices.pick({int64_t(16), int64_t(8), int64_t(32)})}};
  std::string spelled = "!tt.tensordesc<" + type.text() + ">";
  bool writes = choices.chance(50);
  std::string base = writes ? regionOf(output(element, rows * columns), 0) : input(element);
  std::string height = constant(DType::I32, choices.pick({rows, rows - 3})),
              width = constant(DType::I32, choices.pick({columns, columns - 5}));
  std::string stride = constant(DType::I64, columns), one = constant(DType::I64, 1);
  std::string made = hidden("tt.make_tensor_descriptor " + base + ", [" + height + ", " + width + "], [" +
                            stride + ", " + one + "] : " + Type{element, {}}.pointers() + ", " + spelled);
  std::string y = constant(DType::I32, choices.from(0, 12) - 4),
              x = constant(DType::I32, choices.from(0, 24) - 4);
  if (writes && choices.chance(70)) {
    Value value = need(type);
    line("tt.descriptor_store " + made + "[" + y + ", " + x + "], " + value.name + " : " + spelled + ", " +
         type.text());
    if (choices.chance(50))
      return;
  }
  make(type, writes ? Open::Value : Open::Nothing,
       "tt.descriptor_load " + made + "[" + y + ", " + x + "] : " + spelled + " -> " + type.text());
}

} // namespace trisect::fuzz

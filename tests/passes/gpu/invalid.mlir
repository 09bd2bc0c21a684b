// Tile IR that makes no sense is refused with what was expected.
// RUN: split-file %s %t
// RUN: not trisect-gpu --emit=barriers %t/text.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not trisect-gpu --emit=barriers %t/shape.mlir 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not trisect-gpu --emit=barriers %t/free.mlir 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: not trisect-gpu --emit=barriers %t/hole.mlir 2>&1 | FileCheck %s --check-prefix=HOLE
// RUN: not trisect-gpu --emit=barriers %t/buffer.mlir 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not trisect-gpu --emit=barriers %t/convert.mlir 2>&1 | FileCheck %s --check-prefix=CONVERT
// RUN: not trisect-gpu --emit=barriers %t/path.mlir 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not trisect-gpu --num-warps=3 %t/warps.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not trisect-gpu --emit=tile %t/large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE

//--- text.mlir
// TEXT: text.mlir:2:51: error: expected a layout such as {{.*}}, but found "64 lanes 1"
tt.func public @k(%v: tensor<64xi32, #tile.layout<"64 lanes 1">>) {
  tt.return
}
//--- shape.mlir
// SHAPE: error: expected a layout of a tensor of shape [32], but found "64 reg 1 2 4 8 16 32"
tt.func public @k(%v: tensor<32xi32, #tile.layout<"64 reg 1 2 4 8 16 32">>) {
  tt.return
}
//--- free.mlir
// FREE: error: expected a layout whose registers hold each element once, but found "2 reg 1 1"
tt.func public @k(%v: tensor<2xi32, #tile.layout<"2 reg 1 1">>) {
  tt.return
}
//--- hole.mlir
// HOLE: error: expected a layout that holds every element, but found "4 reg 1"
tt.func public @k(%v: tensor<4xi32, #tile.layout<"4 reg 1">>) {
  tt.return
}
//--- buffer.mlir
// BUFFER: error: {{.*}}expected a layout of offsets alone, but found "2 reg 1"
tt.func public @k() {
  %b = tile.buffer : <2xi32, #tile.layout<"2 reg 1">>
  tt.return
}
//--- convert.mlir
// CONVERT: error: 'tile.convert' op expected result of type {{.*}}, but found
tt.func public @k(%v: i32) {
  %a = tt.splat %v : i32 -> tensor<2xi32, #tile.layout<"2 reg 1">>
  %b = tile.convert %a : tensor<2xi32, #tile.layout<"2 reg 1">> -> tensor<2xi64, #tile.layout<"2 lane 1">>
  tt.return
}
//--- path.mlir
// PATH: error: 'tile.dot' op expected the path "mma", "wgmma" or "fma", but found "magic"
tt.func public @k(%v: f32) {
  %a = tt.splat %v : f32 -> tensor<2x2xf32, #tile.layout<"2x2 reg 0,1 1,0">>
  %b = tile.dot %a, %a, %a, "magic" : tensor<2x2xf32, #tile.layout<"2x2 reg 0,1 1,0">> * tensor<2x2xf32, #tile.layout<"2x2 reg 0,1 1,0">> -> tensor<2x2xf32, #tile.layout<"2x2 reg 0,1 1,0">>
  tt.return
}
//--- warps.mlir
// WARPS: num_warps must be a power of two from 1 to 32, not 3
tt.func public @k() {
  tt.return
}
//--- large.mlir
// LARGE: out of resource: shared memory, Required: 540672, Hardware limit: 232448
tt.func public @k(%x: !tt.ptr<f16>, %out: !tt.ptr<f32>) {
  %none = arith.constant dense<0.0> : tensor<16x512xf32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<16x512x!tt.ptr<f16>>
  %ys = tt.splat %x : !tt.ptr<f16> -> tensor<512x512x!tt.ptr<f16>>
  %a = tt.load %xs : tensor<16x512x!tt.ptr<f16>>
  %b = tt.load %ys : tensor<512x512x!tt.ptr<f16>>
  %sum = tt.dot %a, %b, %none : tensor<16x512xf16> * tensor<512x512xf16> -> tensor<16x512xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x512x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<16x512x!tt.ptr<f32>>
  tt.return
}

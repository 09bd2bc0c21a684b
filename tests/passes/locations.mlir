// RUN: trisect-opt %s -ttir-pipeline -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// Whatever the pipeline makes still says which lines of the kernel it comes from.

// CHECK-LABEL: tt.func public @kernel
tt.func public @kernel(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %p: tensor<16x16x!tt.ptr<f32>>, %s: f32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32> loc("k.py":1:1)
  // CHECK-DAG: tt.splat {{.*}} loc(callsite("k.py":20:1 at "k.py":5:1))
  %d = tt.call @helper(%s) : (f32) -> tensor<16x16xf32> loc("k.py":5:1)
  // CHECK-DAG: tt.dot {{.*}} loc(fused["k.py":2:1, "k.py":3:1])
  %0 = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32> loc("k.py":2:1)
  %1 = arith.addf %0, %d : tensor<16x16xf32> loc("k.py":3:1)
  tt.store %p, %1 : tensor<16x16x!tt.ptr<f32>> loc("k.py":4:1)
  tt.return loc("k.py":5:1)
} loc("k.py":1:1)

tt.func private @helper(%s: f32) -> tensor<16x16xf32> {
  %0 = tt.splat %s : f32 -> tensor<16x16xf32> loc("k.py":20:1)
  tt.return %0 : tensor<16x16xf32> loc("k.py":21:1)
} loc("k.py":19:1)

// CHECK-NOT: loc(unknown)

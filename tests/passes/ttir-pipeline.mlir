// RUN: trisect-opt %s -ttir-pipeline | FileCheck %s

// One kernel through all steps: the helper is inlined and dropped, but for one that must stay; the product takes its
// addend; scalars are computed before they are repeated; the loop is unrolled last.

// CHECK-LABEL: tt.func public @kernel
tt.func public @kernel(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %p: !tt.ptr<f32>, %x: f32, %y: f32) attributes {noinline = false} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: arith.mulf %arg3, %arg4 : f32
  // CHECK: %[[S:.*]] = tt.splat
  // CHECK: tt.dot %arg0, %arg1, %[[S]]
  // CHECK-NOT: scf.for
  // CHECK-COUNT-2: tt.call @kept
  %sum = tt.call @scale(%x, %y) : (f32, f32) -> tensor<16x16xf32>
  %dot = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %acc = arith.addf %dot, %sum : tensor<16x16xf32>
  %ptrs = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    tt.call @kept(%ptrs, %acc) : (tensor<16x16x!tt.ptr<f32>>, tensor<16x16xf32>) -> ()
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// CHECK-NOT: @scale
tt.func private @scale(%x: f32, %y: f32) -> tensor<16x16xf32> attributes {noinline = false} {
  %0 = tt.splat %x : f32 -> tensor<16x16xf32>
  %1 = tt.splat %y : f32 -> tensor<16x16xf32>
  %2 = arith.mulf %0, %1 : tensor<16x16xf32>
  tt.return %2 : tensor<16x16xf32>
^bb1:
  %3 = ub.poison : tensor<16x16xf32>
  tt.return %3 : tensor<16x16xf32>
}

// CHECK: tt.func private @kept
tt.func private @kept(%p: tensor<16x16x!tt.ptr<f32>>, %x: tensor<16x16xf32>) attributes {noinline = true} {
  tt.store %p, %x : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

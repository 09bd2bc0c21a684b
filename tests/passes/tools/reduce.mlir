// RUN: trisect-reduce %s -reduction-tree='traversal-mode=0 test=%S/Inputs/still-fails.sh' | FileCheck %s

// A module that one pass refuses because of one operation shrinks towards that operation: the other function,
// the loop, the product and the arithmetic go.

// CHECK-NOT: @bystander
// CHECK-LABEL: @kernel
// CHECK-NOT: scf.for
// CHECK-NOT: tt.dot
// CHECK-NOT: tt.make_range
// CHECK: tt.make_tensor_descriptor
// CHECK: tt.descriptor_reduce inc
// CHECK-NOT: arith.addf
tt.func @bystander(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  tt.return %0 : f32
}

tt.func public @kernel(%p: !tt.ptr<i32>, %q: tensor<16x16x!tt.ptr<f32>>, %n: i32, %a: tensor<16x32xf16>, %b: tensor<32x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %acc = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<16x16xf32>) : i32 {
    %d = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %ones = arith.constant dense<1> : tensor<8xi32>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %x = arith.addi %ones, %range : tensor<8xi32>
  %desc = tt.make_tensor_descriptor %p, [%n], [%one] : <i32>, <8xui32>
  tt.store %q, %acc : tensor<16x16x!tt.ptr<f32>>
  tt.descriptor_reduce inc, %desc[%c0], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  %twice = arith.addf %acc, %acc : tensor<16x16xf32>
  tt.store %q, %twice : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

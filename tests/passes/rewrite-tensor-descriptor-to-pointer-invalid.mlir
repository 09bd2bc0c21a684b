// RUN: trisect-opt %s -split-input-file -triton-rewrite-tensor-descriptor-to-pointer -verify-diagnostics

tt.func @no_such_atomic(%p: !tt.ptr<i32>, %n: i32, %x: tensor<8xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n], [%c1] : <i32>, <8xui32>
  // expected-error @+1 {{cannot be rewritten to pointers: no atomic does inc on 'i32'}}
  tt.descriptor_reduce inc, %d[%c0], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  tt.return
}

// -----

tt.func @opaque(%p: !tt.ptr<f32>, %i: i32) -> tensor<8xf32> {
  // expected-error @+1 {{makes a value that cannot be taken apart}}
  %d = tt.reinterpret_tensor_descriptor %p : !tt.ptr<f32> to !tt.tensordesc<8xf32>
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<8xf32> -> tensor<8xf32>
  tt.return %0 : tensor<8xf32>
}

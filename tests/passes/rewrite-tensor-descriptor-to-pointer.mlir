// RUN: trisect-opt %s -triton-rewrite-tensor-descriptor-to-pointer | FileCheck %s
// RUN: trisect-opt %s -triton-rewrite-tensor-descriptor-to-pointer -canonicalize | FileCheck %s --check-prefix=CLEAN

// A descriptor is its base, shape and strides as i64, and whether padding is NaN.

// CLEAN-LABEL: @load
// CLEAN: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<16x8xf32>
// CLEAN: tt.load %{{.*}}, %{{.*}}, %[[NAN]] cacheModifier = cg

// CHECK-LABEL: @load
// CHECK-SAME: %[[P:arg0]]: !tt.ptr<f32>, %[[H:arg1]]: i32, %[[W:arg2]]: i32, %[[S0:arg3]]: i64, %[[I:arg4]]: i32
tt.func @load(%p: !tt.ptr<f32>, %h: i32, %w: i32, %s0: i64, %i: i32) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  // CHECK: %[[H64:.*]] = arith.extsi %[[H]] : i32 to i64
  // CHECK: %[[W64:.*]] = arith.extsi %[[W]] : i32 to i64
  // CHECK: %[[ISNAN:.*]] = arith.constant true
  %d = tt.make_tensor_descriptor %p, [%h, %w], [%s0, %c1] {padding = 2 : i32} : <f32>, <16x8xf32>
  // CHECK: %[[ROWS:.*]] = tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
  // CHECK: %[[COLS:.*]] = tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<8xi64> -> tensor<1x8xi64>
  // CHECK: %[[Q:.*]] = tt.addptr %{{.*}} : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
  // CHECK: tt.splat %[[H64]] : i64 -> tensor<16x1xi64>
  // CHECK: arith.cmpi sge, %[[ROWS]]
  // CHECK: arith.cmpi slt, %[[ROWS]]
  // CHECK: tt.splat %[[W64]] : i64 -> tensor<1x8xi64>
  // CHECK: arith.cmpi sge, %[[COLS]]
  // CHECK: arith.cmpi slt, %[[COLS]]
  // CHECK: %[[MASK:.*]] = arith.andi %{{.*}} : tensor<16x8xi1>
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
  // CHECK: %[[NAN:.*]] = arith.constant dense<0x7FC00000>
  // CHECK: %[[PAD:.*]] = arith.select %[[ISNAN]], %[[NAN]], %[[ZERO]] : tensor<16x8xf32>
  // CHECK: tt.load %[[Q]], %[[MASK]], %[[PAD]] cacheModifier = cg :
  %v = tt.descriptor_load %d[%i, %c0] cacheModifier = cg : !tt.tensordesc<16x8xf32> -> tensor<16x8xf32>
  tt.return %v : tensor<16x8xf32>
}

// Blocks may lack unit dimensions; integers are padded with zeros.
// CHECK-LABEL: @row
tt.func @row(%p: !tt.ptr<i8>, %h: i32, %w: i32, %s0: i64, %i: i32) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%h, %w], [%s0, %c1] : <i8>, <1x8xsi8>
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<1x8xi8>
  // CHECK: %[[V:.*]] = tt.load %{{.*}}, %{{.*}}, %[[ZERO]] : tensor<1x8x!tt.ptr<i8>>
  // CHECK: %[[FLAT:.*]] = tt.reshape %[[V]] : tensor<1x8xi8> -> tensor<8xi8>
  %v = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<1x8xsi8> -> tensor<8xi8>
  // CHECK: %[[BLOCK:.*]] = tt.reshape %[[FLAT]] : tensor<8xi8> -> tensor<1x8xi8>
  // CHECK: tt.store %{{.*}}, %[[BLOCK]], %{{.*}} : tensor<1x8x!tt.ptr<i8>>
  tt.descriptor_store %d[%i, %i], %v : !tt.tensordesc<1x8xsi8>, tensor<8xi8>
  tt.return
}

// CHECK-LABEL: tt.func public @argument
// CHECK-SAME: (%arg0: !tt.ptr<f16> {tt.nv_tma_desc = 1 : i32}, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i1, %arg6: i32)
tt.func public @argument(%d: !tt.tensordesc<16x8xf16> {tt.nv_tma_desc = 1 : i32}, %i: i32) -> tensor<16x8xf16> {
  // CHECK: arith.select %arg5
  // CHECK: tt.load
  %v = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<16x8xf16> -> tensor<16x8xf16>
  tt.return %v : tensor<16x8xf16>
}

// CHECK-LABEL: @through_loop
tt.func @through_loop(%p: !tt.ptr<f32>, %n: i32, %x: tensor<8xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n], [%one] : <f32>, <8xf32>
  // CHECK: scf.for %[[I:.*]] = {{.*}} -> (!tt.ptr<f32>, i64, i64, i1)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%e = %d) -> (!tt.tensordesc<8xf32>) : i32 {
    // CHECK: tt.store %{{.*}}, %arg2, %{{.*}} : tensor<8x!tt.ptr<f32>>
    tt.descriptor_store %e[%i], %x : !tt.tensordesc<8xf32>, tensor<8xf32>
    scf.yield %e : !tt.tensordesc<8xf32>
  }
  tt.return
}

// The sign of the element type chooses the atomic; extrema of floats work on their bits, negative ones in reverse.
// CHECK-LABEL: @reductions
tt.func @reductions(%p: !tt.ptr<i32>, %q: !tt.ptr<f32>, %n: i32, %x: tensor<8xi32>, %y: tensor<8xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %s = tt.make_tensor_descriptor %p, [%n], [%c1] : <i32>, <8xsi32>
  %u = tt.make_tensor_descriptor %p, [%n], [%c1] : <i32>, <8xui32>
  %f = tt.make_tensor_descriptor %q, [%n], [%c1] : <f32>, <8xf32>
  // CHECK: tt.atomic_rmw add, release, gpu, %{{.*}}, %arg3, %{{.*}} : (tensor<8x!tt.ptr<i32>>, tensor<8xi32>, tensor<8xi1>)
  tt.descriptor_reduce add, %s[%c0], %x : !tt.tensordesc<8xsi32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw min,
  tt.descriptor_reduce min, %s[%c0], %x : !tt.tensordesc<8xsi32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw max,
  tt.descriptor_reduce max, %s[%c0], %x : !tt.tensordesc<8xsi32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw umin,
  tt.descriptor_reduce min, %u[%c0], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw umax,
  tt.descriptor_reduce max, %u[%c0], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw and,
  tt.descriptor_reduce and, %u[%c0], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw or,
  tt.descriptor_reduce or, %u[%c0], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw xor,
  tt.descriptor_reduce xor, %u[%c0], %x : !tt.tensordesc<8xui32>, tensor<8xi32>
  // CHECK: tt.atomic_rmw fadd, release, gpu, %{{.*}}, %arg4,
  tt.descriptor_reduce add, %f[%c0], %y : !tt.tensordesc<8xf32>, tensor<8xf32>
  // CHECK: %[[Q:.*]] = tt.addptr
  // CHECK: %[[INSIDE:.*]] = arith.andi
  // CHECK: %[[BITS:.*]] = tt.bitcast %arg4 : tensor<8xf32> -> tensor<8xi32>
  // CHECK: %[[QBITS:.*]] = tt.bitcast %[[Q]] : tensor<8x!tt.ptr<f32>> -> tensor<8x!tt.ptr<i32>>
  // CHECK: %[[NEG:.*]] = arith.cmpi slt, %[[BITS]]
  // CHECK: %[[POS:.*]] = arith.cmpi sge, %[[BITS]]
  // CHECK: %[[POSMASK:.*]] = arith.andi %[[INSIDE]], %[[POS]]
  // CHECK: %[[NEGMASK:.*]] = arith.andi %[[INSIDE]], %[[NEG]]
  // CHECK: tt.atomic_rmw max, release, gpu, %[[QBITS]], %[[BITS]], %[[POSMASK]]
  // CHECK: tt.atomic_rmw umin, release, gpu, %[[QBITS]], %[[BITS]], %[[NEGMASK]]
  tt.descriptor_reduce max, %f[%c0], %y : !tt.tensordesc<8xf32>, tensor<8xf32>
  // CHECK: tt.atomic_rmw min,
  // CHECK: tt.atomic_rmw umax,
  tt.descriptor_reduce min, %f[%c0], %y : !tt.tensordesc<8xf32>, tensor<8xf32>
  tt.return
}

// CHECK-LABEL: @rows
tt.func @rows(%p: !tt.ptr<bf16>, %h: i32, %w: i32, %s0: i64, %rows: tensor<32xi32>, %short: tensor<32xi16>, %j: i32) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%h, %w], [%s0, %c1] : <bf16>, <1x64xbf16>
  // CHECK: %[[R64:.*]] = arith.extsi %arg4 : tensor<32xi32> to tensor<32xi64>
  // CHECK: %[[R:.*]] = tt.expand_dims %[[R64]] {axis = 1 : i32}
  // CHECK: %[[STRIDE:.*]] = tt.splat %arg3 : i64 -> tensor<32x1xi64>
  // CHECK: arith.muli %[[R]], %[[STRIDE]]
  // CHECK: arith.cmpi slt, %[[R]]
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x64x!tt.ptr<bf16>>
  %v = tt.descriptor_gather %d[%rows, %j] : (!tt.tensordesc<1x64xbf16>, tensor<32xi32>, i32) -> tensor<32x64xbf16>
  // CHECK: arith.extsi %arg5 : tensor<32xi16> to tensor<32xi64>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x64x!tt.ptr<bf16>>
  tt.descriptor_scatter %d[%short, %j], %v : !tt.tensordesc<1x64xbf16>, tensor<32xi16>, i32, tensor<32x64xbf16>
  tt.return
}

// CHECK-LABEL: @plain
tt.func @plain(%p: tensor<8x!tt.ptr<f32>>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V:.*]] = tt.load %arg0 :
  // CHECK-NEXT: tt.return %[[V]]
  %0 = tt.load %p : tensor<8x!tt.ptr<f32>>
  tt.return %0 : tensor<8xf32>
}

// RUN: trisect-opt %s -triton-rewrite-tensor-pointer | FileCheck %s
// RUN: trisect-opt %s -triton-rewrite-tensor-pointer -canonicalize | FileCheck %s --check-prefix=CLEAN

// A block pointer is its base, then shape, strides and offsets as i64.

// CLEAN-LABEL: @through_loop
// CLEAN: scf.for {{.*}} -> (i64, i32)

// CHECK-LABEL: @load_both
// CHECK-SAME: %[[P:arg0]]: !tt.ptr<f32>, %[[H:arg1]]: i64, %[[W:arg2]]: i64, %[[S0:arg3]]: i64, %[[I:arg4]]: i32
tt.func @load_both(%p: !tt.ptr<f32>, %h: i64, %w: i64, %s0: i64, %i: i32) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%h, %w], [%s0, %c1], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x8xf32>>
  // CHECK: %[[I64:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[FROM:.*]] = tt.splat %[[I64]] : i64 -> tensor<16xi64>
  // CHECK: %[[R:.*]] = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  // CHECK: %[[R64:.*]] = arith.extsi %[[R]]
  // CHECK: %[[ROWS1:.*]] = arith.addi %[[FROM]], %[[R64]]
  // CHECK: %[[ROWS:.*]] = tt.expand_dims %[[ROWS1]] {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
  // CHECK: %[[COLS:.*]] = tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<8xi64> -> tensor<1x8xi64>
  // CHECK: %[[STRIDE:.*]] = tt.splat %[[S0]] : i64 -> tensor<16x1xi64>
  // CHECK: %[[ROWSTART:.*]] = arith.muli %[[ROWS]], %[[STRIDE]]
  // CHECK: %[[LEFT:.*]] = tt.broadcast %[[ROWSTART]]
  // CHECK: %[[RIGHT:.*]] = tt.broadcast %[[COLS]]
  // CHECK: %[[OFFSET:.*]] = arith.addi %[[LEFT]], %[[RIGHT]] : tensor<16x8xi64>
  // CHECK: %[[BASE:.*]] = tt.splat %[[P]]
  // CHECK: %[[Q:.*]] = tt.addptr %[[BASE]], %[[OFFSET]]
  // CHECK: %[[H16:.*]] = tt.splat %[[H]] : i64 -> tensor<16x1xi64>
  // CHECK: %[[ABOVE:.*]] = arith.cmpi sge, %[[ROWS]]
  // CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[ROWS]], %[[H16]]
  // CHECK: %[[INROWS:.*]] = arith.andi %[[ABOVE]], %[[BELOW]]
  // CHECK: %[[MASK0:.*]] = tt.broadcast %[[INROWS]]
  // CHECK: tt.splat %[[W]] : i64 -> tensor<1x8xi64>
  // CHECK: %[[MASK1:.*]] = tt.broadcast %{{.*}} : tensor<1x8xi1> -> tensor<16x8xi1>
  // CHECK: %[[MASK:.*]] = arith.andi %[[MASK0]], %[[MASK1]]
  // CHECK: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<16x8xf32>
  // CHECK: %[[V:.*]] = tt.load %[[Q]], %[[MASK]], %[[NAN]] cacheModifier = cg :
  // CHECK: tt.return %[[V]]
  %v = tt.load %b cacheModifier = cg {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x8xf32>>
  tt.return %v : tensor<16x8xf32>
}

// One dimension of two checked, zeros outside; without padding lanes outside hold nothing known; unchecked.
// CHECK-LABEL: @checks
tt.func @checks(%p: !tt.ptr<i8>, %h: i64, %w: i64) -> (tensor<16x8xi8>, tensor<16x8xi8>, tensor<16x8xi8>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%h, %w], [%w, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x8xi8>>
  // CHECK-COUNT-1: arith.cmpi slt
  // CHECK: %[[Z:.*]] = arith.constant dense<0> : tensor<16x8xi8>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %[[Z]] : tensor<16x8x!tt.ptr<i8>>
  %0 = tt.load %b {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<16x8xi8>>
  // CHECK-COUNT-1: arith.cmpi slt
  // CHECK: tt.load %{{[0-9]+}}, %{{[0-9]+}} : tensor<16x8x!tt.ptr<i8>>
  %1 = tt.load %b {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x8xi8>>
  // CHECK-NOT: arith.cmpi
  // CHECK: tt.load %{{[0-9]+}} {isVolatile = true} : tensor<16x8x!tt.ptr<i8>>
  %2 = tt.load %b {isVolatile = true} : !tt.ptr<tensor<16x8xi8>>
  tt.return %0, %1, %2 : tensor<16x8xi8>, tensor<16x8xi8>, tensor<16x8xi8>
}

// Every part is carried; canonicalization drops those that never change.
// CHECK-LABEL: @through_loop
tt.func @through_loop(%p: !tt.ptr<f16>, %h: i64, %s0: i64, %n: i32, %x: tensor<8xf16>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %b = tt.make_tensor_ptr %p, [%h], [%s0], [%c0] {order = array<i32: 0>} : <tensor<8xf16>>
  // CHECK: %[[R:.*]]:5 = scf.for %[[IV:.*]] = %{{.*}} iter_args(%[[P:.*]] = %arg0, %[[H:.*]] = %arg1, %[[S:.*]] = %arg2, %[[O:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}) -> (!tt.ptr<f16>, i64, i64, i64, i32)
  // CHECK: tt.splat %[[O]]
  // CHECK: tt.store %{{.*}}, %arg4, %{{.*}} : tensor<8x!tt.ptr<f16>>
  // CHECK: %[[D:.*]] = arith.extsi %{{.*}} : i32 to i64
  // CHECK: %[[O1:.*]] = arith.addi %[[O]], %[[D]] : i64
  // CHECK: scf.yield %[[P]], %[[H]], %[[S]], %[[O1]], %[[IV]]
  // CHECK: tt.splat %[[R]]#3
  // CHECK: tt.store %{{.*}}, %arg4 : tensor<8x!tt.ptr<f16>>
  // CHECK: tt.return %[[R]]#4
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b, %k = %c0) -> (!tt.ptr<tensor<8xf16>>, i32) : i32 {
    tt.store %q, %x {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf16>>
    %q1 = tt.advance %q, [%c8] : <tensor<8xf16>>
    scf.yield %q1, %i : !tt.ptr<tensor<8xf16>>, i32
  }
  tt.store %r#0, %x : !tt.ptr<tensor<8xf16>>
  tt.return %r#1 : i32
}

// CHECK-LABEL: @branches
tt.func @branches(%p: !tt.ptr<f16>, %h: i64, %s0: i64, %c: i1, %x: tensor<8xf16>) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %b = tt.make_tensor_ptr %p, [%h], [%s0], [%c0] {order = array<i32: 0>} : <tensor<8xf16>>
  // CHECK: %[[IF:.*]]:4 = scf.if %arg3 -> (!tt.ptr<f16>, i64, i64, i64)
  // CHECK: scf.yield %arg0, %arg1, %arg2, %{{.*}} : !tt.ptr<f16>, i64, i64, i64
  // CHECK: scf.yield %arg0, %arg1, %arg2, %{{.*}} : !tt.ptr<f16>, i64, i64, i64
  %d = scf.if %c -> (!tt.ptr<tensor<8xf16>>) {
    %a = tt.advance %b, [%c8] : <tensor<8xf16>>
    scf.yield %a : !tt.ptr<tensor<8xf16>>
  } else {
    scf.yield %b : !tt.ptr<tensor<8xf16>>
  }
  // CHECK: %[[SEL:.*]] = arith.select %arg3, %arg0, %[[IF]]#0 : !tt.ptr<f16>
  // CHECK-COUNT-3: arith.select %{{.*}} : i64
  %e = arith.select %c, %b, %d : !tt.ptr<tensor<8xf16>>
  // CHECK: cf.cond_br %arg3, ^bb1(%[[SEL]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f16>, i64, i64, i64, i32), ^bb2(%arg0,
  cf.cond_br %c, ^bb1(%e, %c0 : !tt.ptr<tensor<8xf16>>, i32), ^bb2(%b : !tt.ptr<tensor<8xf16>>)
^bb1(%f: !tt.ptr<tensor<8xf16>>, %z: i32):
  // CHECK: cf.br ^bb2(%{{.*}} : !tt.ptr<f16>, i64, i64, i64)
  cf.br ^bb2(%f : !tt.ptr<tensor<8xf16>>)
^bb2(%g: !tt.ptr<tensor<8xf16>>):
  // CHECK: scf.while {{.*}} : (!tt.ptr<f16>, i64, i64, i64) -> (!tt.ptr<f16>, i64, i64, i64)
  // CHECK: scf.condition(%arg3) %{{.*}} : !tt.ptr<f16>, i64, i64, i64
  %w = scf.while (%q = %g) : (!tt.ptr<tensor<8xf16>>) -> !tt.ptr<tensor<8xf16>> {
    %v = tt.load %q : !tt.ptr<tensor<8xf16>>
    scf.condition(%c) %q : !tt.ptr<tensor<8xf16>>
  } do {
  ^bb0(%q: !tt.ptr<tensor<8xf16>>):
    %q1 = tt.advance %q, [%c8] : <tensor<8xf16>>
    scf.yield %q1 : !tt.ptr<tensor<8xf16>>
  }
  // CHECK: tt.call @helper(%{{.*}}) : (!tt.ptr<f16>, i64, i64, i64, i32) -> (!tt.ptr<f16>, i64, i64, i64)
  %t = tt.call @helper(%w, %c8) : (!tt.ptr<tensor<8xf16>>, i32) -> !tt.ptr<tensor<8xf16>>
  tt.store %t, %x : !tt.ptr<tensor<8xf16>>
  tt.return
}

// CHECK: tt.func private @helper(%arg0: !tt.ptr<f16>, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i32) -> (!tt.ptr<f16>, i64, i64, i64)
tt.func private @helper(%q: !tt.ptr<tensor<8xf16>>, %o: i32) -> !tt.ptr<tensor<8xf16>> {
  %q1 = tt.advance %q, [%o] : <tensor<8xf16>>
  tt.return %q1 : !tt.ptr<tensor<8xf16>>
}

// CHECK: tt.func private @declared(!tt.ptr<f16> {tt.divisibility = 16 : i32}, i64, i64, i64, i32) -> (!tt.ptr<f16>, i64, i64, i64)
tt.func private @declared(%q: !tt.ptr<tensor<8xf16>> {tt.divisibility = 16 : i32}, %o: i32) -> !tt.ptr<tensor<8xf16>>

// CHECK-LABEL: @undefined
tt.func @undefined(%x: tensor<8xf16>) {
  // CHECK: ub.poison : !tt.ptr<f16>
  // CHECK-COUNT-3: ub.poison : i64
  %b = ub.poison : !tt.ptr<tensor<8xf16>>
  tt.store %b, %x : !tt.ptr<tensor<8xf16>>
  tt.return
}

// What has no block pointer stays as it is.
// CHECK-LABEL: @plain
tt.func @plain(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V:.*]] = tt.load %arg0, %arg1 :
  // CHECK-NEXT: tt.return %[[V]]
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  tt.return %0 : tensor<8xf32>
}

// Pointers in memory: outside the tensor they are null.
// CHECK-LABEL: @block_of_pointers
tt.func @block_of_pointers(%p: !tt.ptr<!tt.ptr<f32>>, %h: i64) -> tensor<8x!tt.ptr<f32>> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%h], [%c1], [%c0] {order = array<i32: 0>} : <tensor<8x!tt.ptr<f32>>>
  // CHECK: %[[Z:.*]] = arith.constant dense<0> : tensor<8xi64>
  // CHECK: %[[NULL:.*]] = tt.int_to_ptr %{{.*}} : tensor<8xi64> -> tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %[[NULL]]
  %0 = tt.load %b {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8x!tt.ptr<f32>>>
  tt.return %0 : tensor<8x!tt.ptr<f32>>
}

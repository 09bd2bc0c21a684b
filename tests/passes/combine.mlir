// RUN: trisect-opt %s -triton-combine | FileCheck %s

// A product whose accumulator is zero takes the addend as accumulator, whichever side it stands on.

// CHECK-LABEL: @dot_addf
// CHECK-SAME: %[[A:arg0]]: {{.*}}, %[[B:arg1]]: {{.*}}, %[[D:arg2]]:
tt.func @dot_addf(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %d: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: %[[L:.*]] = tt.dot %[[A]], %[[B]], %[[D]] :
  %0 = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %1 = arith.addf %0, %d : tensor<16x16xf32>
  // CHECK: %[[R:.*]] = tt.dot %[[A]], %[[B]], %[[D]], inputPrecision = tf32 :
  %2 = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %3 = arith.addf %d, %2 : tensor<16x16xf32>
  // CHECK-NOT: arith.addf
  // CHECK: tt.return %[[L]], %[[R]]
  tt.return %1, %3 : tensor<16x16xf32>, tensor<16x16xf32>
}

// CHECK-LABEL: @dot_addi
tt.func @dot_addi(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>, %d: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %zero = arith.constant dense<0> : tensor<16x16xi32>
  %0 = tt.dot %a, %b, %zero : tensor<16x32xi8> * tensor<32x16xi8> -> tensor<16x16xi32>
  // CHECK: %[[D:.*]] = tt.dot %{{.*}}, %{{.*}}, %arg2 :
  // CHECK-NEXT: tt.return %[[D]]
  %1 = arith.addi %0, %d : tensor<16x16xi32>
  tt.return %1 : tensor<16x16xi32>
}

// CHECK-LABEL: @dot_accumulates_already
tt.func @dot_accumulates_already(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // CHECK: arith.addf
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %1 = arith.addf %0, %d : tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// CHECK-LABEL: @dot_used_twice
tt.func @dot_used_twice(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %d: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK-COUNT-1: tt.dot
  // CHECK: arith.addf
  %0 = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %1 = arith.addf %0, %d : tensor<16x16xf32>
  tt.return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}

// The kernel wants sums of limited length here.
// CHECK-LABEL: @dot_imprecise
tt.func @dot_imprecise(%a: tensor<16x32xf8E5M2>, %b: tensor<32x16xf8E5M2>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: arith.addf
  %0 = tt.dot %a, %b, %zero {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf8E5M2> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  %1 = arith.addf %0, %d : tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// A product outside a loop stays there.
// CHECK-LABEL: @dot_outside_loop
tt.func @dot_outside_loop(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %d: tensor<16x16xf32>, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tt.dot
  // CHECK: scf.for
  // CHECK-NEXT: arith.addf
  %0 = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %d) -> (tensor<16x16xf32>) : i32 {
    %2 = arith.addf %acc, %0 : tensor<16x16xf32>
    scf.yield %2 : tensor<16x16xf32>
  }
  tt.return %1 : tensor<16x16xf32>
}

// Offsets add up where the sum stays within its type.

// CHECK-LABEL: @addptr_constants
tt.func @addptr_constants(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %c10 = arith.constant 10 : i32
  %c15 = arith.constant 15 : i32
  // CHECK: %[[O:.*]] = arith.constant 25 : i32
  // CHECK: %[[Q:.*]] = tt.addptr %arg0, %[[O]]
  // CHECK-NEXT: tt.return %[[Q]]
  %0 = tt.addptr %p, %c10 : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %c15 : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// CHECK-LABEL: @addptr_ranges
tt.func @addptr_ranges(%p: tensor<128x!tt.ptr<f32>>) -> tensor<128x!tt.ptr<f32>> {
  %c1000 = arith.constant dense<1000> : tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  // CHECK: %[[O:.*]] = arith.addi
  // CHECK: tt.addptr %arg0, %[[O]]
  // CHECK-NOT: tt.addptr
  %0 = tt.addptr %p, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %1 = tt.addptr %0, %c1000 {tt.divisibility = dense<8> : tensor<1xi32>} : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.return %1 : tensor<128x!tt.ptr<f32>>
}

// CHECK-LABEL: @addptr_wide
tt.func @addptr_wide(%p: !tt.ptr<f32>, %i: i64, %j: i64) -> !tt.ptr<f32> {
  // CHECK: %[[O:.*]] = arith.addi %arg1, %arg2 : i64
  // CHECK: tt.addptr %arg0, %[[O]]
  // CHECK-NOT: tt.addptr
  %0 = tt.addptr %p, %i : !tt.ptr<f32>, i64
  %1 = tt.addptr %0, %j : !tt.ptr<f32>, i64
  tt.return %1 : !tt.ptr<f32>
}

// CHECK-LABEL: @addptr_may_wrap
tt.func @addptr_may_wrap(%p: !tt.ptr<f32>, %i: i32) -> !tt.ptr<f32> {
  %c1 = arith.constant 1 : i32
  // CHECK: tt.addptr
  // CHECK: tt.addptr
  %0 = tt.addptr %p, %i : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %c1 : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// CHECK-LABEL: @addptr_mixed_widths
tt.func @addptr_mixed_widths(%p: !tt.ptr<f32>, %j: i64) -> !tt.ptr<f32> {
  %c1 = arith.constant 1 : i32
  // CHECK: tt.addptr
  // CHECK: tt.addptr
  %0 = tt.addptr %p, %c1 : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %j : !tt.ptr<f32>, i64
  tt.return %1 : !tt.ptr<f32>
}

// A select by the mask of a load is the load's other value.

// CHECK-LABEL: @select_masked_load
tt.func @select_masked_load(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %o: tensor<8xf32>, %f: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[A:.*]] = tt.load %arg0, %arg1, %arg3 cacheModifier = cg :
  %0 = tt.load %p, %m cacheModifier = cg : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %m, %0, %f : tensor<8xi1>, tensor<8xf32>
  // CHECK: %[[B:.*]] = tt.load %arg0, %arg1, %arg3 :
  %2 = tt.load %p, %m, %o : tensor<8x!tt.ptr<f32>>
  %3 = arith.select %m, %2, %f : tensor<8xi1>, tensor<8xf32>
  // CHECK-NOT: arith.select
  // CHECK: tt.return %[[A]], %[[B]]
  tt.return %1, %3 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @select_splat_condition
tt.func @select_splat_condition(%p: tensor<8x!tt.ptr<f32>>, %c: i1, %f: tensor<8xf32>) -> tensor<8xf32> {
  %m = tt.splat %c : i1 -> tensor<8xi1>
  // CHECK: %[[V:.*]] = tt.load %arg0, %{{.*}}, %arg2
  // CHECK-NEXT: tt.return %[[V]]
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %f : tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// A constant is repeated before the load; the load does not move behind the store.
// CHECK-LABEL: @select_later_constant
tt.func @select_later_constant(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %s: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: arith.constant
  // CHECK: %[[V:.*]] = tt.load
  // CHECK: tt.store
  // CHECK: tt.return %[[V]]
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  tt.store %p, %s : tensor<8x!tt.ptr<f32>>
  %f = arith.constant dense<1.0> : tensor<8xf32>
  %1 = arith.select %m, %0, %f : tensor<8xi1>, tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// CHECK-LABEL: @select_later_value
tt.func @select_later_value(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %s: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: arith.select
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %f = arith.negf %s : tensor<8xf32>
  %1 = arith.select %m, %0, %f : tensor<8xi1>, tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// CHECK-LABEL: @select_other_mask
tt.func @select_other_mask(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %m2: tensor<8xi1>, %f: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: arith.select
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %m2, %0, %f : tensor<8xi1>, tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// CHECK-LABEL: @select_volatile
tt.func @select_volatile(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %f: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: tt.load %arg0, %arg1 {isVolatile = true}
  // CHECK: arith.select
  %0 = tt.load %p, %m {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %m, %0, %f : tensor<8xi1>, tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// CHECK-LABEL: @select_load_used_twice
tt.func @select_load_used_twice(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %f: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-COUNT-1: tt.load
  // CHECK: arith.select
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %m, %0, %f : tensor<8xi1>, tensor<8xf32>
  tt.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @select_unmasked_load
tt.func @select_unmasked_load(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %f: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: arith.select
  %0 = tt.load %p : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %m, %0, %f : tensor<8xi1>, tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

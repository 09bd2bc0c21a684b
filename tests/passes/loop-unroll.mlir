// RUN: trisect-opt %s -split-input-file -triton-loop-unroll | FileCheck %s

// Ten iterations by four: two rounds of four, and two left over that are not pipelined.

// CHECK-LABEL: @known_trip_count
tt.func @known_trip_count(%p: !tt.ptr<f32>, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  // CHECK-DAG: %[[START:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[STEP:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[END:.*]] = arith.constant 10 : i32
  // CHECK-DAG: %[[MID:.*]] = arith.constant 8 : i32
  // CHECK-DAG: %[[WIDE:.*]] = arith.constant 4 : i32
  // CHECK: scf.for %[[I:.*]] = %[[START]] to %[[MID]] step %[[WIDE]]
  // CHECK-NEXT: tt.addptr %arg0, %[[I]]
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: arith.constant 1
  // CHECK-NEXT: arith.addi %[[I]]
  // CHECK-COUNT-3: tt.store
  // CHECK-NOT: tt.store
  // CHECK: {keep = 3 : i32}
  // CHECK: scf.for %{{.*}} = %[[MID]] to %[[END]] step %[[STEP]]
  // CHECK: tt.store
  // CHECK: {keep = 3 : i32, tt.num_stages = 1 : i32}
  scf.for %i = %c0 to %c10 step %c1 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
  } {keep = 3 : i32, tt.loop_unroll_factor = 4 : i32}
  tt.return
}

// -----

// Nothing is left over: one loop. Copies pass carried values on.

// CHECK-LABEL: @divisible
tt.func @divisible(%x: f32) -> f32 {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %c16 = arith.constant 16 : i64
  // CHECK: %[[R:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] = %arg0)
  // CHECK: %[[A:.*]] = arith.mulf %[[ACC]], %arg0
  // CHECK: %[[B:.*]] = arith.mulf %[[A]], %arg0
  // CHECK: scf.yield %[[B]]
  // CHECK-NOT: scf.for
  // CHECK: tt.return %[[R]]
  %0 = scf.for %i = %c0 to %c16 step %c2 iter_args(%acc = %x) -> (f32) : i64 {
    %1 = arith.mulf %acc, %x : f32
    scf.yield %1 : f32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %0 : f32
}

// -----

// The bound of the first loop is rounded down from the distance, so that it cannot wrap.

// CHECK-LABEL: @unknown_trip_count
// CHECK-SAME: %[[X:arg0]]: f32, %[[LB:arg1]]: i32, %[[UB:arg2]]: i32
tt.func @unknown_trip_count(%x: f32, %lb: i32, %ub: i32) -> f32 {
  %c3 = arith.constant 3 : i32
  // CHECK: %[[END:.*]] = arith.maxsi %[[UB]], %[[LB]]
  // CHECK: %[[DISTANCE:.*]] = arith.subi %[[END]], %[[LB]]
  // CHECK: %[[WIDE:.*]] = arith.constant 6 : i32
  // CHECK: %[[GROUPS:.*]] = arith.divui %[[DISTANCE]], %[[WIDE]]
  // CHECK: %[[COVERED:.*]] = arith.muli %[[GROUPS]], %[[WIDE]]
  // CHECK: %[[MID:.*]] = arith.addi %[[LB]], %[[COVERED]]
  // CHECK: %[[FIRST:.*]] = scf.for %{{.*}} = %[[LB]] to %[[MID]] step %[[WIDE]]
  // CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %[[MID]] to %[[UB]] step %{{.*}} iter_args(%{{.*}} = %[[FIRST]])
  // CHECK: tt.return %[[ALL]]
  %0 = scf.for %i = %lb to %ub step %c3 iter_args(%acc = %x) -> (f32) : i32 {
    %1 = arith.mulf %acc, %x : f32
    scf.yield %1 : f32
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return %0 : f32
}

// -----

// A step from an argument is multiplied, also for the offset of the second copy; where the product could wrap, or the
// step is none, the unrolled loop makes no round.

// CHECK-LABEL: @unknown_step
tt.func @unknown_step(%p: !tt.ptr<f32>, %x: f32, %n: i32, %step: i32) {
  %c0 = arith.constant 0 : i32
  // CHECK: %[[WIDE:.*]] = arith.muli %arg3
  // CHECK: %[[UPWARDS:.*]] = arith.cmpi sgt, %arg3
  // CHECK: %[[FITS:.*]] = arith.cmpi sle, %arg3
  // CHECK: %[[BOTH:.*]] = arith.andi %[[UPWARDS]], %[[FITS]]
  // CHECK: %[[STEP:.*]] = arith.select %[[BOTH]], %[[WIDE]], %arg3
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %[[STEP]]
  // CHECK: %[[AHEAD:.*]] = arith.muli %arg3
  // CHECK: arith.addi %[[I]], %[[AHEAD]]
  scf.for %i = %c0 to %n step %step : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// -----

// Exactly one round: no loop is left.

// CHECK-LABEL: @whole
tt.func @whole(%p: !tt.ptr<f32>, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  // CHECK-NOT: scf.for
  // CHECK-COUNT-4: tt.store
  // CHECK-NOT: tt.store
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 4 : i32}
  tt.return
}

// -----

// Inner loops first: the outer loop repeats the unrolled inner one.

// CHECK-LABEL: @nested
tt.func @nested(%p: !tt.ptr<f32>, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK-COUNT-2: tt.store
  // CHECK: scf.for
  // CHECK-COUNT-2: tt.store
  // CHECK-NOT: tt.store
  // CHECK-NOT: tt.loop_unroll_factor
  scf.for %i = %c0 to %c8 step %c1 : i32 {
    scf.for %j = %c0 to %c8 step %c1 : i32 {
      %k = arith.addi %i, %j : i32
      %q = tt.addptr %p, %k : !tt.ptr<f32>, i32
      tt.store %q, %x : !tt.ptr<f32>
    } {tt.loop_unroll_factor = 2 : i32}
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// -----

// Fewer iterations than copies, factor 1, no factor: the loop stays.

// CHECK-LABEL: @stay
tt.func @stay(%p: !tt.ptr<f32>, %x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  // CHECK: scf.for
  // CHECK-COUNT-1: tt.store
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    tt.store %p, %x : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 4 : i32}
  // CHECK: scf.for
  // CHECK-COUNT-1: tt.store
  // CHECK: {tt.loop_unroll_factor = 1 : i32}
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %x : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 1 : i32}
  // CHECK: scf.for
  // CHECK-COUNT-1: tt.store
  // CHECK-NOT: tt.store
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %x : !tt.ptr<f32>
  }
  tt.return
}

// -----

// A bound that the doubled step would carry out of the type.

// CHECK-LABEL: @near_the_limit
tt.func @near_the_limit(%p: !tt.ptr<f32>, %x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %huge = arith.constant 1500000000 : i32
  // CHECK: scf.for
  // CHECK-COUNT-1: tt.store
  // CHECK-NOT: tt.store
  scf.for %i = %c0 to %n step %huge : i32 {
    tt.store %p, %x : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// -----

// More copies than memory holds: unrolling is not needed for what a loop does.

// CHECK-LABEL: @too_many
tt.func @too_many(%p: !tt.ptr<f32>, %x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for
  // CHECK-COUNT-1: tt.store
  // CHECK-NOT: tt.store
  scf.for %i = %c0 to %n step %c1 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
  } {tt.loop_unroll_factor = 2147483647 : i32}
  tt.return
}

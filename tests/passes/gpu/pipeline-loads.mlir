// Operands of a product in a loop are copied ahead into buffers of as many slots as there are stages. Each turn waits
// for its own blocks, meets once, and starts the copies of a later turn; a transposed operand is copied as it lies.
// RUN: trisect-gpu --kernel=product %s | FileCheck %s
// RUN: trisect-gpu --kernel=looked_up --stages=1 %s | FileCheck %s --check-prefix=NONE
// RUN: trisect-gpu --kernel=writes %s | FileCheck %s --check-prefix=NONE
// RUN: trisect-gpu --kernel=looked_up %s | FileCheck %s --check-prefix=PART

// NONE-NOT: tile.copy
// NONE: tile.dot
// NONE-NOT: tile.wait

// Four stages by the loop's own word: three turns are under way before the first.
// CHECK-LABEL: @product
// CHECK: %[[A:.*]] = tile.buffer {offset = {{.*}}slots = 4 : i64} : <32x32xf16
// CHECK: %[[B:.*]] = tile.buffer {offset = {{.*}}slots = 4 : i64} : <32x32xf16
// CHECK-COUNT-3: tile.commit
// CHECK-NOT: tile.commit
// CHECK: scf.for
// CHECK-NEXT: tile.wait 2
// CHECK-NEXT: tile.barrier
// CHECK: %[[INTO:.*]] = tile.slot %[[A]][%[[WRITE:.*]]]
// CHECK: tile.copy %{{.*}}, %[[INTO]] mask
// CHECK: tile.copy
// CHECK-NEXT: tile.commit
// CHECK: %[[LEFT:.*]] = tile.slot %[[A]][%[[READ:.*]]]
// CHECK: %[[RIGHT:.*]] = tile.slot %[[B]][%[[READ]]]
// CHECK-NOT: tile.barrier
// CHECK: tile.dot %[[LEFT]], %[[RIGHT]]
// CHECK: scf.yield
// CHECK: tile.wait 0
tt.func public @product(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %row = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %column = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %stride = arith.constant dense<1024> : tensor<32x1xi32>
  %far = arith.muli %row, %stride : tensor<32x1xi32>
  %rows = tt.broadcast %far : tensor<32x1xi32> -> tensor<32x32xi32>
  %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %rows, %columns : tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %yp = tt.addptr %ys, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %sum = scf.for %i = %zero to %n step %step iter_args(%total = %none) -> (tensor<32x32xf32>) : i32 {
    %is = tt.splat %i : i32 -> tensor<32x32xi32>
    %xi = tt.addptr %xp, %is : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %yi = tt.addptr %yp, %is : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %a = tt.load %xi : tensor<32x32x!tt.ptr<f16>>
    %b = tt.load %yi : tensor<32x32x!tt.ptr<f16>>
    %bt = tt.trans %b {order = array<i32: 1, 0>} : tensor<32x32xf16> -> tensor<32x32xf16>
    %next = tt.dot %a, %bt, %total : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %next : tensor<32x32xf32>
  } {tt.num_stages = 4 : i32}
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// What the loop writes may be what a later turn reads.
tt.func public @writes(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<32x32xf16>
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %at = tt.reshape %r : tensor<1024xi32> -> tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  scf.for %i = %zero to %n step %one : i32 {
    %a = tt.load %xp : tensor<32x32x!tt.ptr<f16>>
    %d = tt.dot %a, %a, %none : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf16>
    tt.store %xp, %d : tensor<32x32x!tt.ptr<f16>>
  }
  tt.return
}

// A page that a table names is not known ahead; the other operand is copied.
// PART-LABEL: @looked_up
// PART: scf.for
// PART-COUNT-1: tile.copy
// PART-NOT: tile.copy
// PART: tt.load {{.*}} : tensor<32x32x!tt.ptr<f16>
// PART: tile.dot
tt.func public @looked_up(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32>, %out: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %page = arith.constant 1024 : i32
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %row = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %column = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %stride = arith.constant dense<32> : tensor<32x1xi32>
  %far = arith.muli %row, %stride : tensor<32x1xi32>
  %rows = tt.broadcast %far : tensor<32x1xi32> -> tensor<32x32xi32>
  %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %rows, %columns : tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %yp = tt.addptr %ys, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%total = %none) -> (tensor<32x32xf32>) : i32 {
    %tp = tt.addptr %table, %i : !tt.ptr<i32>, i32
    %number = tt.load %tp : !tt.ptr<i32>
    %first = arith.muli %number, %page : i32
    %fs = tt.splat %first : i32 -> tensor<32x32xi32>
    %xi = tt.addptr %xp, %fs : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %start = arith.muli %i, %page : i32
    %ss = tt.splat %start : i32 -> tensor<32x32xi32>
    %yi = tt.addptr %yp, %ss : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %a = tt.load %xi : tensor<32x32x!tt.ptr<f16>>
    %b = tt.load %yi : tensor<32x32x!tt.ptr<f16>>
    %next = tt.dot %a, %b, %total : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %next : tensor<32x32xf32>
  }
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
